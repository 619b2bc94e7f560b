"""What a deploy interface does, and the one that deploys nothing."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from .base import Interface, Step

if TYPE_CHECKING:
    from ..conductor.task import Task


def deploy_step(name: str, priority: int) -> Step:
    """Return a step of deploying; it may be aborted."""
    return Step(name, priority=priority, abortable=True, ramdisk=None)


class FakeDeploy(Interface):
    """Deploys nothing, and says that it did."""

    kind = "deploy"
    steps = MappingProxyType({"deploy": (deploy_step("deploy", 100),)})

    def prepare(self, task: Task) -> None:
        """Prepare the node for its deploy steps."""

    def clean_up(self, task: Task) -> None:
        """Remove what was prepared."""

    def tear_down(self, task: Task) -> None:
        """Take the instance off the node."""

    def prepare_cleaning(self, task: Task) -> bool:
        """Prepare the node for its clean steps; tell whether it has to wait for its agent."""
        return False

    def tear_down_cleaning(self, task: Task) -> None:
        """Undo :meth:`prepare_cleaning`."""

    def prepare_service(self, task: Task) -> bool:
        """Prepare the node for its service steps; tell whether it has to wait for its agent."""
        return False

    def tear_down_service(self, task: Task) -> None:
        """Undo :meth:`prepare_service`."""
