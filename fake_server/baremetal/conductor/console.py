"""The console of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors
from fake_server.baremetal.conductor.task import Plan

if TYPE_CHECKING:
    from fake_server.baremetal.conductor.task import Task


def request(task: Task, enabled: bool | None) -> None:
    """Plan to start or stop the console, unless it is as wanted.

    :param task: one that shares the node; it is locked only if there is something to do.
    """
    task.driver.console.validate(task)
    if enabled == task.node["console_enabled"]:
        return
    task.lock()
    task.node["last_error"] = None
    task.save()
    task.plan = Plan("_set_console_mode", {"enabled": enabled})


def switch(task: Task, enabled: bool | None) -> None:
    """Start or stop the console."""
    if enabled:
        task.driver.console.start(task)
    else:
        task.driver.console.stop(task)
    if enabled is None:
        raise errors.Invalid("Field `console_enabled' cannot be None")
    task.node["console_enabled"] = enabled
    task.node["last_error"] = None
    task.save()


def restore(task: Task) -> str | None:
    """Start the console again where it was enabled.

    :returns: why that failed, if it did; the console is disabled then.
    """
    if not task.node["console_enabled"]:
        return None
    try:
        task.driver.console.start(task)
    except errors.ApiError as exc:
        task.node["console_enabled"] = False
        return str(exc)
    return None
