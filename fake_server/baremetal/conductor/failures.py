"""Fail deployments, cleaning, servicing, rescue and inspection, and clear what they stored."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from fake_server.baremetal import errors, states
from fake_server.baremetal.models.node_properties import fast_track
from fake_server.baremetal.step_flows import FLOWS
from fake_server.baremetal.task import history, power

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.conductor.task import Task

_TOKEN_AND_URL = (
    "agent_secret_token",
    "agent_secret_token_pregenerated",
    "agent_url",
    "agent_verify_ca",
)
_MARKS = tuple(name for flow in FLOWS.values() for name in flow.marks)
_OF_ANY_FLOW = ("steps_validated", "agent_start_attempted", *_MARKS)


def forget_agent(task: Task) -> None:
    """Forget token and address of the agent."""
    task.forget(*_TOKEN_AND_URL)


def forget_flow(task: Task, flow: str) -> None:
    """Remove the data of a flow of steps from ``driver_internal_info``.

    :param flow: ``clean``, ``deploy`` or ``service``.
    """
    if flow == "service" or not _keeps_agent(task):
        forget_agent(task)
    task.internal[f"{flow}_steps"] = None
    own = (*FLOWS[flow].others, f"agent_cached_{flow}_steps", f"{flow}_step_index")
    task.forget(*own, *_OF_ANY_FLOW)


def deploying_error_handler(task: Task, text: str, *, clean_up: bool = True) -> None:
    """Fail a deployment.

    :param text: becomes ``last_error``.
    :param clean_up: whether the deploy interface is to clean up.
    """
    history.record(task, text, states.DEPLOYING, error=True)
    task.save()
    also = None
    if clean_up:
        try:
            task.driver.deploy.clean_up(task)
        except errors.ApiError as exc:
            also = f"{text}. Also failed to clean up due to: {exc}"
    task.refresh()
    if task.node["provision_state"] in (states.DEPLOYING, states.DEPLOYWAIT, states.DEPLOYFAIL):
        task.node["deploy_step"] = {}
        forget_flow(task, "deploy")
    if also:
        history.record(task, also, states.DEPLOYING, error=True)
    task.save()
    task.process("fail")


def deploy_step_error_handler(task: Task, text: str) -> None:
    """Fail a deployment whose step reported a failure: the node is powered off."""
    step = task.node["deploy_step"]
    if step and f"{step['interface']}.{step['step']}" not in text:
        text = f"Deploy step {step['interface']}.{step['step']} failed: {text}"
    deploying_error_handler_with_power_off(task, text)


def deploying_error_handler_with_power_off(task: Task, text: str) -> None:
    """Fail a deployment, and power the node off."""
    deploying_error_handler(task, text, clean_up=False)
    with suppress(errors.ApiError):
        power.act(task, states.POWER_OFF)
    task.node["last_error"] = text
    task.save()


def rescuing_error_handler(task: Task, text: str, *, set_state: bool = True) -> None:
    """Fail a rescue: the node is powered off.

    :param text: becomes ``last_error``.
    :param set_state: whether the node goes into the failed state.
    """
    try:
        power.act(task, states.POWER_OFF)
        task.driver.rescue.clean_up(task)
        history.record(task, text, states.RESCUE, error=True)
    except errors.ApiError as exc:
        text = f"Rescue operation was unsuccessful, clean up failed for node: {exc}"
        history.record(task, text, states.RESCUE, error=True)
    task.forget("agent_url")
    task.save()
    if set_state:
        task.process("fail")


def inspecting_error_handler(task: Task, text: str) -> None:
    """Undo the preparations of an inspection that failed.

    :param text: goes into the node's history, and becomes ``last_error`` unless the node is powered
        off afterwards.
    """
    history.record(task, text, "introspection", error=True)
    with suppress(errors.ApiError):
        task.driver.inspect.clean_up(task)
    forget_agent(task)
    task.save()


def _flow_error_handler(
    kind: str, task: Task, text: str, *, tear_down: bool = True, set_state: bool = True
) -> None:
    """Fail cleaning or servicing; a node that was at a step goes into maintenance.

    :param kind: ``clean`` or ``service``.
    :param text: becomes ``last_error``.
    :param tear_down: whether the deploy interface is to undo its preparations.
    :param set_state: whether the node goes into the failed state.
    """
    flow, deploy = FLOWS[kind], task.driver.deploy
    if at_step := bool(task.node[flow.step_field]):
        task.node.update(fault=f"{kind} failure", maintenance=True)
    if tear_down:
        undo = deploy.tear_down_cleaning if kind == "clean" else deploy.tear_down_service
        try:
            undo(task)
        except errors.ApiError as exc:
            text += _ALSO_FAILED[kind].format(uuid=task.node["uuid"], reason=exc)
    node = task.node
    manual = node["target_provision_state"] == states.MANAGEABLE
    if node["provision_state"] in (flow.running, flow.waiting, flow.failed):
        node[flow.step_field] = {}
        task.forget(f"{kind}_step_index", *_MARKS)
        forget_agent(task)
    history.record(task, text, flow.running, error=True)
    if at_step and not node["maintenance_reason"]:
        node["maintenance_reason"] = text
    task.save()
    task.driver.deploy.restore_interface(task)
    if set_state and task.node["provision_state"] != flow.failed:
        task.process("fail", target=states.MANAGEABLE if manual else None)


#: What is told if undoing the preparations of a flow fails, too.
_ALSO_FAILED = {
    "clean": ". Also Failed to tear down cleaning on node {uuid}, reason: {reason}",
    "service": ". Also failed to tear down servicing.",
}
cleaning_error_handler = partial(_flow_error_handler, "clean")
servicing_error_handler = partial(_flow_error_handler, "service")


def spawn_error_handler(task: Task, text: str, *, clean_up: bool = True) -> None:
    """Fail what a node was doing when its work crashed.

    :param text: becomes ``last_error``.
    :param clean_up: whether the hardware interfaces are to undo their preparations.
    """
    node = task.node
    state, target = node["provision_state"], node["target_provision_state"]
    fail = _OF_STATE.get(state) if clean_up else None
    if fail is not None:
        fail(task, text)
    else:
        history.record(task, text, state or "UNKNOWN", error=True)
    node = task.node
    if states.accepts(node["provision_state"], "fail"):
        manual = state in (states.CLEANING, states.CLEANWAIT) and target == states.MANAGEABLE
        task.process("fail", target=states.MANAGEABLE if manual else None)
    node.update(last_error=text, target_power_state=None)
    task.save()


_OF_STATE: Mapping[str, Callable[[Task, str], None]] = {
    states.DEPLOYING: deploying_error_handler,
    states.DEPLOYWAIT: deploying_error_handler,
    states.CLEANING: cleaning_error_handler,
    states.CLEANWAIT: cleaning_error_handler,
    states.SERVICING: servicing_error_handler,
    states.SERVICEWAIT: servicing_error_handler,
    states.RESCUING: rescuing_error_handler,
    states.RESCUEWAIT: rescuing_error_handler,
    states.INSPECTING: inspecting_error_handler,
    states.INSPECTWAIT: inspecting_error_handler,
}


def _keeps_agent(task: Task) -> bool:
    """Return whether the agent may stay alive for what comes next."""
    node = task.node
    return (
        fast_track(node)
        and task.driver.storage.writes_image(task)
        and node["last_error"] is None
        and node["provision_state"]
        not in (states.SERVICING, states.SERVICEWAIT, states.SERVICEFAIL, states.SERVICEHOLD)
    )
