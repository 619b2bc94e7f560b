"""The end of the session of a graphical console."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.baremetal import periodic
from fake_server.baremetal.conductor import work
from fake_server.baremetal.conductor.due.at_node import AtNode

if TYPE_CHECKING:
    from fake_server.baremetal.conductor.task import Task


def expire(task: Task) -> None:
    """End the session."""
    if task.node["console_enabled"]:
        task.driver.console.stop(task)


KIND = AtNode(periodic.CONSOLE_EXPIRY, partial(work.look, expire), "console timeout", jump="never")
