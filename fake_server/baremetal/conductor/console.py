"""The console of a node."""

from __future__ import annotations

from .. import errors
from . import history
from .task import Plan, Task


def request(task: Task, enabled: bool | None) -> None:
    """Plan to start or stop the console, unless it is as wanted.

    :param task: one that shares the node; it is locked only if there is something to do.
    """
    task.hardware.console.validate(task)
    if enabled == task.node["console_enabled"]:
        return
    task.lock()
    task.node["last_error"] = None
    task.save()
    task.plan = Plan("_set_console_mode", {"enabled": enabled})


def switch(task: Task, enabled: bool | None) -> None:
    """Start or stop the console."""
    try:
        if enabled:
            task.hardware.console.start(task)
        else:
            task.hardware.console.stop(task)
    except errors.ApiError as exc:
        doing = "enabling" if enabled else "disabling"
        uuid = task.node["uuid"]
        text = f"Error {doing} the console on node {uuid}. Reason: {exc}"
        history.record(task, text, "console", error=True)
        task.save()
        raise
    task.node["console_enabled"] = bool(enabled)
    task.node["last_error"] = None
    task.save()
