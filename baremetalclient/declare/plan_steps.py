"""Steps of plans, as reports show them and with what it takes to apply them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from baremetalclient._bulk.step import PlannedStep

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._bulk.goal import Goal
    from baremetalclient.declare.compare import Changes
    from baremetalclient.declare.lab import LabItem
    from baremetalclient.declare.lab_kinds import LabKind
    from baremetalclient.declare.live import Found


@dataclass(frozen=True)
class StepResult(PlannedStep):
    """A step with its result.

    :param result: ``done``, ``failed``, or ``skipped`` if it was not started.
    :param error: why it failed or was skipped.
    """

    result: Literal["done", "failed", "skipped"] = "done"
    error: str | None = None


@dataclass(eq=False)
class Task:
    """A step with the data to apply it.

    :param item: the resource in the file; None for one that is removed.
    :param found: the resource as it is; None for a new one.
    """

    step: PlannedStep
    kind: LabKind
    item: LabItem | None
    found: Found | None
    changes: Changes = field(default_factory=dict)


@dataclass(eq=False, frozen=True)
class Operation:
    """A request for a node, or for something that belongs to it.

    :param action: a name in :data:`.ACTIONS`; empty if it is a part, or there is only a wait.
    :param arguments: the arguments of the action.
    :param changes: what ``set`` changes.
    :param reset: whether ``set`` resets interfaces.
    :param part: the task for what belongs to the node.
    :param goal: what is waited for afterwards.
    :param expected: fields of the node as they have to be before it.
    :param tolerated: whether what belongs to the node is done although it was refused.
    :param for_parts: whether it is done for what belongs to the node.
    :param assumed_done: whether what is done before leads to it, as far as is known.
    """

    action: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    changes: Changes = field(default_factory=dict)
    reset: bool = False
    part: Task | None = None
    goal: Goal | None = None
    expected: Mapping[str, Any] = field(default_factory=dict)
    tolerated: bool = False
    for_parts: bool = False
    assumed_done: bool = False


@dataclass(eq=False)
class NodeTasks:
    """The tasks for a node of a lab.

    :param own: the task for the node itself, None for none.
    :param parts: the tasks for resources that belong to it.
    :param refused: the tasks that Ironic would refuse.
    :param operations: the requests that own and parts take, in order; without the creation of the
        node.
    """

    item: LabItem
    own: Task | None = None
    parts: list[Task] = field(default_factory=list)
    refused: list[Task] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)

    def all(self) -> list[Task]:
        """Return all of it, in the order of reports."""
        return [*([self.own] if self.own else []), *self.parts, *self.refused]
