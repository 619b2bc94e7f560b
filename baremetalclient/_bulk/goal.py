"""The verdict on what a poll has seen: a goal is still waited for, is reached, or has failed.

Everything that waits asks a goal, and nothing else judges a state.
"""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from baremetalclient._bulk.kinds import Kind
    from baremetalclient._resource.manager import Manager

_PATIENCE = 5
"""The polls after which a machine that is in no transition won't change its power any more, since
Ironic answers before it notes the target."""


class Verdict(NamedTuple):
    """What the present state of a resource means for a wait.

    :param outcome: ``waiting``, ``reached`` or ``failed``.
    :param reason: why it has failed, None if the service doesn't say that.
    """

    outcome: Literal["waiting", "reached", "failed"]
    reason: str | None = None


WAITING = Verdict("waiting")
REACHED = Verdict("reached")


@dataclass(frozen=True)
class Goal(abc.ABC):
    """What a wait waits for.

    :param kind: the type of the resources.
    :param description: what it is, such as ``'manageable'``.
    :param fields: the fields that the verdict depends on, the state first; those that the version
        in use lacks don't matter.
    """

    kind: Kind
    description: str
    fields: tuple[str, ...]

    @abc.abstractmethod
    def verdict(self, item: Mapping[str, Any] | None, polls: int = 1) -> Verdict:
        """Return what the fields of a resource mean, None for one that is gone.

        :param polls: how many polls have seen the resource, this one included.
        """


@dataclass(frozen=True)
class StateGoal(Goal):
    """A state.

    :param states: the states that will do.
    :param instead: states that will do for a resource with a field that is true.
    :param stable_fails: whether a resource that is in no transition, and in another state, has
        failed.
    """

    states: tuple[str, ...] = ()
    instead: Mapping[str, str] = field(default_factory=dict)
    stable_fails: bool = True

    @property
    def state_field(self) -> str:
        """The field with the state."""
        return self.fields[0]

    def verdict(self, item: Mapping[str, Any] | None, polls: int = 1) -> Verdict:
        if item is None:
            return Verdict("failed")
        state = item.get(self.state_field)
        if state in self.states or any(
            item.get(flag) and state == other for flag, other in self.instead.items()
        ):
            return REACHED
        if self.kind.failed(item):
            return Verdict("failed", self.kind.reason(item))
        if self.stable_fails and not item.get(f"target_{self.state_field}"):
            return Verdict("failed", self.kind.reason(item))
        return WAITING


@dataclass(frozen=True)
class PowerGoal(StateGoal):
    """A power state, and no transition to another one; the provision state doesn't matter."""

    def verdict(self, item: Mapping[str, Any] | None, polls: int = 1) -> Verdict:
        if item is None:
            return Verdict("failed")
        if item.get(f"target_{self.state_field}"):
            return WAITING
        if item.get(self.state_field) in self.states:
            return REACHED
        return WAITING if polls < _PATIENCE else Verdict("failed", self.kind.reason(item))


@dataclass(frozen=True)
class Deleted(Goal):
    """The resource is gone; its state doesn't matter until then."""

    def verdict(self, item: Mapping[str, Any] | None, polls: int = 1) -> Verdict:
        return REACHED if item is None else WAITING


class Condition(Protocol):
    """What has to hold for a resource, such as an :class:`.Expression`."""

    def holds(self, item: Mapping[str, Any] | None) -> bool:
        """Return whether it holds for the fields of a resource, None for one that is deleted."""

    def names_state(self, field: str, state: str) -> bool:
        """Return whether a state of a field is expected, so that it is no failure."""


class FunctionCondition:
    """A condition that a program has written.

    :param function: called with a resource; returns whether the condition holds.
    """

    def __init__(self, manager: Manager[Any], function: Callable[[Any], object]) -> None:
        self._manager = manager
        self._function = function

    def holds(self, item: Mapping[str, Any] | None) -> bool:
        """Return whether it holds for a resource; never for one that is deleted."""
        if item is None:
            return False
        return bool(self._function(self._manager.resource_class(self._manager, dict(item))))

    def names_state(self, field: str, state: str) -> bool:
        """Return False: a function names no state."""
        return False


@dataclass(frozen=True)
class Holds(Goal):
    """A condition. A resource in a failure state has failed, unless the condition is about that."""

    condition: Condition

    def verdict(self, item: Mapping[str, Any] | None, polls: int = 1) -> Verdict:
        if self.condition.holds(item):
            return REACHED
        if item is None:
            return Verdict("failed")
        field = self.kind.state
        if self.kind.failed(item) and not self.condition.names_state(field, item[field]):
            return Verdict("failed", self.kind.reason(item))
        return WAITING
