"""Add entries to the history of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.tables import node_history
from fake_server.common import randomness
from fake_server.common.masking import HIDDEN, mask

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task


def record(task: Task, event: str, event_type: str, *, error: bool = False) -> None:
    """Add an entry to the history of a task's node.

    :param event: what happened.
    :param event_type: kind of event, often a state.
    :param error: whether it is the node's ``last_error`` too; that isn't saved here.
    """
    node, session = task.node, task.session
    if error:
        node["last_error"] = event
    now = session.clock.now()
    since = node["provision_updated_at"]
    session.tx.insert(
        node_history,
        {
            "uuid": randomness.uuid(),
            "node_id": node["id"],
            "created_at": now,
            "conductor": task.host,
            "severity": "ERROR" if error else "INFO",
            "event": event,
            "event_type": event_type,
            "state": node["provision_state"],
            "target_provision_state": node["target_provision_state"],
            "duration_seconds": None if since is None else int((now - since).total_seconds()),
        },
    )


def record_flow(
    task: Task, flow: str, steps: list[dict[str, Any]], *, aborted_step: str | None = None
) -> None:
    """Record that a flow of steps ended, or at which step it was aborted.

    :param flow: its name, such as ``automated_cleaning``.
    """
    name, shown = flow.replace("_", " ").title(), _masked(steps)
    if aborted_step is None:
        record(task, f"{name} completed successfully with steps={shown}", f"{flow}_end")
    else:
        text = f"{name} aborted at step '{aborted_step}' with steps={shown}"
        record(task, text, f"{flow}_end", error=True)


def record_flow_start(task: Task, flow: str, steps: list[dict[str, Any]]) -> None:
    """Record that a flow of steps was started."""
    text = f"Starting {flow.replace('_', ' ')} with steps={_masked(steps)}"
    record(task, text, f"{flow}_start")


def _masked(steps: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    return [
        {**step, "args": mask(step["args"], instead=HIDDEN)}
        if isinstance(step.get("args"), dict)
        else step
        for step in steps or []
    ]
