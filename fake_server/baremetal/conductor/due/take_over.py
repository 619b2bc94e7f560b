"""The take-over of a node whose conductor is down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import periodic, states
from fake_server.baremetal.conductor import failures, work
from fake_server.baremetal.conductor.due.at_node import AtNode
from fake_server.baremetal.conductor.task import Task
from fake_server.baremetal.models import conductors
from fake_server.baremetal.task import history

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def take_over(session: Session, node: Record, _row: Record) -> None:
    """Unlock a node that a conductor has locked which is down, and fail what it was doing."""
    if node["reservation"] not in conductors.down(session.tx):
        return
    task = Task(session, node, shared=True)
    with work.contained(task, periodic.TAKE_OVER):
        _take_over(task)


def _take_over(task: Task) -> None:
    task.node["reservation"] = None
    task.save()
    node = task.node
    if node["maintenance"]:
        return
    if node["target_power_state"] is not None:
        node["target_power_state"] = None
        text = "Pending power operation was aborted due to conductor take over"
        history.record(task, text, "takeover", error=True)
        task.save()
    state = task.node["provision_state"]
    if state not in (states.DEPLOYING, states.CLEANING):
        return
    text = "Operation was aborted due to conductor take over"
    task.node["last_error"] = None
    task.process("fail")
    if state == states.CLEANING:
        failures.cleaning_error_handler(task, text, set_state=False)
    else:
        history.record(task, text, "takeover", error=True)
        task.save()


KIND = AtNode(periodic.TAKE_OVER, take_over, jump="never")
