"""The console of a node."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fake_server.baremetal import errors
from fake_server.baremetal.task.task import Plan

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task

#: Name of the work of :func:`expire`.
WORK = "expire_console_session"
#: Seconds that the token of a graphical console is good.
_TOKEN_TIMEOUT = 600


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


def watch(task: Task) -> None:
    """Have the session of a graphical console end in time, unless something else is due first."""
    if task.node["due_at"] is not None or not _in_session(task):
        return
    began = datetime.fromisoformat(task.internal["novnc_secret_token_created"]).replace(tzinfo=UTC)
    task.node["due_at"] = began.timestamp() + _TOKEN_TIMEOUT
    task.node["due_event"] = {"work": WORK, "arguments": {}}
    task.save()


def expire(task: Task) -> None:
    """End the session of a graphical console."""
    if _in_session(task):
        task.driver.console.stop(task)


def _in_session(task: Task) -> bool:
    return (
        task.node["console_enabled"]
        and "novnc_secret_token" in task.internal
        and task.interface_name("console").endswith("-graphical")
    )
