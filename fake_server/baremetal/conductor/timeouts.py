"""Fail nodes whose agents didn't call back in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import states
from fake_server.baremetal.conductor import failures
from fake_server.baremetal.task import deadlines

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task

#: Seconds between looks at a node that is in maintenance.
_INTERVAL = 60


def touch(task: Task) -> None:
    """Restart the callback timeout, because the agent is alive."""
    task.node["provision_updated_at"] = task.session.clock.now().replace(tzinfo=None)
    task.save()


def give_up(task: Task) -> None:
    """Fail a node whose agent didn't call back in time.

    A node in maintenance is checked again later.
    """
    node = task.node
    state = node["provision_state"]
    if state not in states.WAITING:
        return
    if node["maintenance"]:
        node["due_at"] = task.session.clock.seconds() + _INTERVAL
        node["due_event"] = deadlines.CALLBACK_EVENT
        task.save()
        return
    if state == states.DEPLOYWAIT:
        _give_up_deploying(task)
    elif state == states.INSPECTWAIT:
        _give_up_inspecting(task)
    else:
        _fail(task, keep_target=True)
        if state == states.CLEANWAIT:
            failures.cleaning_error_handler(
                task, _late("cleaning", node["clean_step"]), set_state=False
            )
        elif state == states.SERVICEWAIT:
            failures.servicing_error_handler(
                task, _late("servicing", node["service_step"]), set_state=False
            )
        else:
            text = "Timeout reached while waiting for rescue ramdisk callback for node"
            failures.rescuing_error_handler(task, text, set_state=False)


def _give_up_deploying(task: Task) -> None:
    uuid = task.node["uuid"]
    _fail(task)
    failures.deploying_error_handler(
        task, f"Timeout reached while waiting for callback for node {uuid}"
    )


def _give_up_inspecting(task: Task) -> None:
    text = (
        "Timeout reached while inspecting the node. Please check if the ramdisk responsible for "
        "the inspection is running on the node."
    )
    _fail(task)
    failures.inspecting_error_handler(task, text)
    task.node["last_error"] = text
    task.save()


def _fail(task: Task, *, keep_target: bool = False) -> None:
    task.node["last_error"] = None
    task.process("fail", target=task.node["target_provision_state"] if keep_target else None)


def _late(doing: str, step: dict[str, Any]) -> str:
    return (
        f"Timeout reached while {doing} the node. Please check if the ramdisk responsible for the "
        f"{doing} is running on the node. Failed on step {step}."
    )
