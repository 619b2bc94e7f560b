"""What goes on by itself while a node waits: its controller, a simulated agent, its time limit.

A node in one of the ``wait`` states goes on with a heartbeat of its agent, which :mod:`.heartbeats`
has. What happens without one stands here. Each look at a node either has it go on, or is planned
again, until the node has waited as long as Ironic allows.
"""

from __future__ import annotations

from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, periodic, states
from fake_server.baremetal.agents.commands import give_token
from fake_server.baremetal.agents.simulated import URL, VERSION, SimulatedAgent, runs_on
from fake_server.baremetal.conductor import continuation, failures, heartbeats, inspection
from fake_server.baremetal.step_flows import BY_WAITING, FLOWS, is_polled
from fake_server.baremetal.task.task import Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.task.task import Task

#: Names of the work of :func:`check_controller` and :func:`send_heartbeat`.
CONTROLLER = "check_hardware"
HEARTBEAT = "simulated_agent_heartbeat"
#: Seconds after which a node is looked at again that couldn't go on.
_INTERVAL = 60.0


def awaited(task: Task) -> Plan | None:
    """Return the next look at a waiting node, unless it is planned."""
    if is_polled(task.node):
        work = CONTROLLER
    elif runs_on(task):
        work = HEARTBEAT
    else:
        return None
    return None if (task.node["due_event"] or {}).get("work") == work else Plan(work, {})


def check_controller(task: Task) -> None:
    """Continue a flow if the controller has done what the running step asked for."""
    if not is_polled(task.node):
        return
    flow = BY_WAITING[task.node["provision_state"]]
    step = task.node[flow.step_field]
    if task.driver.interface(step["interface"]).is_done(task, step):
        continuation.resume(task, flow.kind)
    else:
        look_again(task, CONTROLLER)


def send_heartbeat(task: Task) -> None:
    """Send a heartbeat of the simulated agent, or report what an inspection found."""
    if not runs_on(task):
        return
    give_token(task)
    if task.node["provision_state"] == states.INSPECTWAIT:
        agent = SimulatedAgent(task)
        inspection.request_continuation(task, agent.inventory, {"error": None})
        return
    before = _progress(task)
    token = task.internal["agent_secret_token"]
    beat = heartbeats.Heartbeat(URL, VERSION, token)
    if task.driver.deploy.reports_status and task.node["provision_state"] == states.DEPLOYWAIT:
        done = task.internal.get("agent_status") == "start"
        beat = beat._replace(status="end" if done else "start")
    is_awaited = False
    with suppress(errors.ApiError):  # the agent is told, and tries again
        is_awaited = heartbeats.receive(task, beat)
    if is_awaited:
        heartbeats.resume(task)
    if task.plan is None and _progress(task) == before:
        look_again(task, HEARTBEAT)


def give_up(task: Task) -> None:
    """Fail a node that has waited too long; one in maintenance is looked at again later."""
    state = task.node["provision_state"]
    if state not in states.WAITING:
        return
    if task.node["maintenance"]:
        task.plan = Plan(periodic.TIMEOUT_WORK, {}, pause=_INTERVAL + task.late)
        return
    keeps_target = state in (states.CLEANWAIT, states.SERVICEWAIT, states.RESCUEWAIT)
    task.node["last_error"] = None
    task.process("fail", target=task.node["target_provision_state"] if keeps_target else None)
    _FAIL[state](task)


def look_again(task: Task, work: str) -> None:
    """Plan another look, unless the node has waited long enough.

    Looks that would find what this one found needn't be caught up with.
    """
    waited = task.session.clock.now().replace(tzinfo=None) - task.node["provision_updated_at"]
    limit = periodic.timeout(task.session.settings.periodic, task.node["provision_state"])
    left = limit - waited.total_seconds()
    if not limit or task.node["maintenance"]:
        task.plan = Plan(work, {}, pause=_INTERVAL + task.late)
    elif left > 0:
        task.plan = Plan(work, {}, pause=min(_INTERVAL + task.late, left))
    else:
        give_up(task)


def _progress(task: Task) -> tuple[Any, ...]:
    """Return what a heartbeat changes that has a node go on."""
    return (
        task.node["provision_state"],
        task.internal.get("agent_status"),
        *(task.node[flow.step_field] for flow in FLOWS.values()),
        *(task.internal.get(f"{kind}_step_index") for kind in FLOWS),
    )


def _fail_deploying(task: Task) -> None:
    uuid = task.node["uuid"]
    text = f"Timeout reached while waiting for callback for node {uuid}"
    failures.deploying_error_handler(task, text)


def _fail_inspecting(task: Task) -> None:
    text = _late("inspecting", "inspection")
    failures.inspecting_error_handler(task, text)
    task.node["last_error"] = text
    task.save()


def _fail_cleaning(task: Task) -> None:
    text = f"{_late('cleaning')} Failed on step {task.node['clean_step']}."
    failures.cleaning_error_handler(task, text, set_state=False)


def _fail_servicing(task: Task) -> None:
    text = f"{_late('servicing')} Failed on step {task.node['service_step']}."
    failures.servicing_error_handler(task, text, set_state=False)


def _fail_rescuing(task: Task) -> None:
    text = "Timeout reached while waiting for rescue ramdisk callback for node"
    failures.rescuing_error_handler(task, text, set_state=False)


def _late(doing: str, purpose: str = "") -> str:
    return (
        f"Timeout reached while {doing} the node. Please check if the ramdisk responsible for the "
        f"{purpose or doing} is running on the node."
    )


_FAIL: Mapping[str, Callable[[Task], None]] = MappingProxyType(
    {
        states.DEPLOYWAIT: _fail_deploying,
        states.INSPECTWAIT: _fail_inspecting,
        states.CLEANWAIT: _fail_cleaning,
        states.SERVICEWAIT: _fail_servicing,
        states.RESCUEWAIT: _fail_rescuing,
    }
)
