"""The time limit of a node that waits for its agent."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.baremetal import periodic, states
from fake_server.baremetal.conductor import cleaning, failures, servicing, work
from fake_server.baremetal.conductor.due.at_node import AtNode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.conductor.flows import Flow
    from fake_server.baremetal.conductor.task import Task


def give_up(task: Task) -> None:
    """Fail a node that has waited too long; one in maintenance is looked at again later."""
    state = task.node["provision_state"]
    if state not in states.WAITING:
        return
    if task.node["maintenance"]:
        task.look_again(periodic.CALLBACK_TIMEOUT)
        return
    keeps_target = state in (states.CLEANWAIT, states.SERVICEWAIT, states.RESCUEWAIT)
    task.node["last_error"] = None
    task.process("fail", target=task.node["target_provision_state"] if keeps_target else None)
    _FAIL[state](task)


def _fail_deploying(task: Task) -> None:
    uuid = task.node["uuid"]
    text = f"Timeout reached while waiting for callback for node {uuid}"
    failures.deploying_error_handler(task, text)


def _fail_inspecting(task: Task) -> None:
    text = _late("inspecting", "inspection")
    failures.inspecting_error_handler(task, text)
    task.node["last_error"] = text
    task.save()


def _fail_steps(flow: Flow, task: Task) -> None:
    step = flow.step(task)
    flow.error_handler(task, f"{_late(flow.names.long)} Failed on step {step}.", set_state=False)


def _fail_rescuing(task: Task) -> None:
    text = "Timeout reached while waiting for rescue ramdisk callback for node"
    failures.rescuing_error_handler(task, text, set_state=False)


def _late(doing: str, purpose: str = "") -> str:
    return (
        f"Timeout reached while {doing} the node. Please check if the ramdisk responsible for the "
        f"{purpose or doing} is running on the node."
    )


_FAIL: Mapping[str, Callable[[Task], None]] = {
    states.DEPLOYWAIT: _fail_deploying,
    states.INSPECTWAIT: _fail_inspecting,
    states.CLEANWAIT: partial(_fail_steps, cleaning.FLOW),
    states.SERVICEWAIT: partial(_fail_steps, servicing.FLOW),
    states.RESCUEWAIT: _fail_rescuing,
}

KIND = AtNode(
    periodic.CALLBACK_TIMEOUT, partial(work.look, give_up), "callback timeout", jump="never"
)
