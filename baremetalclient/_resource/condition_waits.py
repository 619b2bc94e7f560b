"""Waiting until conditions hold for resources of any type."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from baremetalclient import exc
from baremetalclient._resource.polling import Polls
from baremetalclient._resource.results import Result
from baremetalclient._resource.waiters import has_failed, poll_deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

Item: TypeAlias = "dict[str, Any]"
Found: TypeAlias = "Mapping[str, Item | None]"
"""Resources by name, None for those that are gone."""

_NO_REASON = "it is in a failure state, for which there is no reason"

FEW = 4
"""The number of resources from which on a list is cheaper than a request for each."""


class Condition(Protocol):
    """A condition on a resource."""

    def holds(self, item: Item | None) -> bool:
        """Return whether it holds for a resource, None for one that is deleted."""

    def names_state(self, state: str) -> bool:
        """Return whether a state is expected, so that it is no failure."""


@dataclass(frozen=True)
class Kind:
    """The properties of a resource type that waiting needs.

    :param name: the name of the type, such as ``node``.
    :param state: the field with its state, empty if it has none.
    :param reason: returns why a resource is in a failure state, if that is known.
    :param identifier: the field that identifies a resource.
    """

    name: str
    state: str = ""
    reason: Callable[[Item], str | None] = lambda item: item.get("last_error")
    identifier: str = "uuid"

    def failed(self, item: Item) -> bool:
        """Return whether a resource is in a failure state."""
        return has_failed(item.get(self.state))


class ListPoller:
    """Fetch the present state of resources, with as few requests as possible.

    :param kind: their type.
    :param names: the fields by which resources are called.
    :param fetch_all: returns all of them; called with the seconds that it may take, None for no
        limit.
    :param fetch: returns one by name, or raises `NotFound`; called with the seconds,
        too. Without it, there is only the list.
    :param complete: whether a resource that is no longer in the list is certainly gone.
    """

    def __init__(
        self,
        kind: Kind,
        names: Collection[str],
        fetch_all: Callable[[float | None], Iterable[Item]],
        fetch: Callable[[str, float | None], Item] | None,
        *,
        complete: bool = True,
    ) -> None:
        self._kind = kind
        self._names = names
        self._fetch_all = fetch_all
        self._fetch = fetch
        self._complete = complete
        self._listed: set[str] = set()

    def __call__(self, pending: Collection[str], deadline: float | None) -> Found:
        """Return the resources by the given names, None for those that are gone.

        :param pending: their names; fewer than four are fetched one by one.
        :param deadline: the seconds that each request may take, None for no limit.
        """
        if len(pending) < FEW and self._fetch is not None:
            return {ident: self._one(ident, deadline) for ident in pending}
        found: dict[str, Item | None] = dict.fromkeys(pending)
        # UUIDs and addresses can be written in capitals.
        lowered = {ident.lower(): ident for ident in pending}
        for item in self._fetch_all(deadline):
            for name in self._names:
                value = str(item.get(name))
                ident = value if name == "name" else lowered.get(value.lower(), value)
                if ident not in found:
                    continue
                if found[ident] not in (None, item):
                    raise exc.NoUniqueMatch(
                        f"More than one {self._kind.name} exists with the name {ident!r}."
                    )
                found[ident] = item
        # A list may leave out what the user may see all the same, such as other projects' servers.
        for ident in [ident for ident, item in found.items() if item is None]:
            if not self._complete or ident not in self._listed:
                found[ident] = self._one(ident, deadline)
        self._listed.update(ident for ident, item in found.items() if item is not None)
        return found

    def _one(self, ident: str, deadline: float | None) -> Item | None:
        try:
            return None if self._fetch is None else self._fetch(ident, deadline)
        except exc.NotFound:
            return None


def wait_for_each(
    kind: Kind,
    idents: Iterable[str],
    poll: Callable[[Collection[str], float | None], Found],
    condition: Condition,
    *,
    timeout: float = 0,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[Found, float], object] | None = None,
    polled: Callable[[], object] | None = None,
) -> Iterator[tuple[str, Result]]:
    """Wait until a condition holds for resources, and yield each result as soon as it is known.

    Each result comes with the name of the resource.

    :param kind: their type.
    :param idents: what they are called; duplicates are skipped.
    :param poll: returns the resources that it is called with, see :class:`ListPoller`.
    :param condition: what has to hold. A resource in a failure state, or one that is deleted, has
        failed unless the condition is about that.
    :param timeout: the maximum seconds for all together, 0 for no limit.
    :param stop: the wait ends once it returns True, as it does when the time is over.
    :param progress: called after each poll with the resources and the seconds since the beginning.
    :param polled: called when all that the poll has shown was yielded.
    """
    start = time.monotonic()
    pending: dict[str, Item | None] = dict.fromkeys(idents)

    def result(ident: str, outcome: Any, error: str | None = None) -> tuple[str, Result]:
        item = pending.pop(ident)
        known = item or {}
        return ident, Result(
            known.get("name") if item else ident,
            known.get(kind.identifier),
            outcome,
            known.get(kind.state),
            time.monotonic() - start,
            error,
        )

    def fetch(passed: float) -> Found:
        return poll(tuple(pending), poll_deadline(timeout, passed))

    for found in Polls(fetch, timeout, stop):
        if progress is not None:
            progress(found, time.monotonic() - start)
        for ident, item in found.items():
            known = pending[ident]
            pending[ident] = item or known
            if condition.holds(item):
                yield result(ident, "done")
            elif item is None:
                yield result(ident, "failed", _gone(kind, ident, deleted=known is not None))
            elif kind.failed(item) and not condition.names_state(item[kind.state]):
                yield result(ident, "failed", kind.reason(item) or _NO_REASON)
        if polled is not None:
            polled()
        if not pending:
            return
    stopped = stop is not None and stop()
    late = f"the condition does not hold after {timeout:g} seconds"
    for ident in list(pending):
        yield result(ident, "timeout", "interrupted before the condition held" if stopped else late)


def _gone(kind: Kind, ident: str, *, deleted: bool) -> str:
    name = f"{kind.name} {ident!r}"
    return f"The {name} was deleted." if deleted else f"There is no {name}."
