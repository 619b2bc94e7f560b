"""Steps of plans, as reports show them and with what it takes to apply them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from baremetalclient.declare.compare import Changes
    from baremetalclient.declare.kinds import Kind
    from baremetalclient.declare.lab import Item
    from baremetalclient.declare.live import Found

Action = Literal["create", "change", "remove", "refused"]


@dataclass(frozen=True)
class Step:
    """A step of a plan: what happens to one resource.

    :param kind: the kind of the resource, such as ``volume connector``.
    :param id: its name, its MAC address, or another identity.
    :param node: the node that it is, or belongs to.
    :param action: ``create``, ``change``, ``remove``, or ``refused`` if Ironic would refuse it.
    :param fields: the values that change, each with ``old`` and ``new``; secrets are masked.
    :param reason: why it is refused.
    """

    kind: str
    id: str
    node: str | None
    action: Action
    fields: dict[str, dict[str, Any]]
    reason: str | None = None


@dataclass(frozen=True)
class StepResult(Step):
    """A step with its result.

    :param result: ``done``, ``failed``, or ``skipped`` if it was not started.
    :param error: why it failed or was skipped.
    :param uuid: the UUID of the resource, None if there is none.
    """

    result: Literal["done", "failed", "skipped"] = "done"
    error: str | None = None
    uuid: str | None = None


@dataclass(eq=False)
class Task:
    """A step with the data to apply it.

    :param item: the resource in the file; None for one that is removed.
    :param found: the resource as it is; None for a new one.
    """

    step: Step
    kind: Kind
    item: Item | None
    found: Found | None
    changes: Changes = field(default_factory=dict)


@dataclass(eq=False)
class NodeTasks:
    """The tasks for a node of a lab.

    :param own: the task for the node itself, None for none.
    :param parts: the tasks for resources that belong to it.
    :param refused: the tasks that Ironic would refuse.
    """

    item: Item
    own: Task | None = None
    parts: list[Task] = field(default_factory=list)
    refused: list[Task] = field(default_factory=list)

    def all(self) -> list[Task]:
        """Return all of it, in the order of reports."""
        return [*([self.own] if self.own else []), *self.parts, *self.refused]
