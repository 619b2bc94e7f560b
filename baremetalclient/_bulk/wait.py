"""Waiting until something holds for resources of any type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from baremetalclient import exc
from baremetalclient._bulk.poller import Poller
from baremetalclient._bulk.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from baremetalclient._bulk.fetcher import Fetcher, Found, Item, Kind
    from baremetalclient._resource.manager import Manager

_NO_REASON = "in a failure state without a reason"
_MOST_NAMED = 10
"""The maximum number of resources that a message names."""


class Condition(Protocol):
    """What has to hold for a resource, such as an :class:`.Expression`."""

    def holds(self, item: Item | None) -> bool:
        """Return whether it holds for the fields of a resource, None for one that is deleted."""

    def names_state(self, state: str) -> bool:
        """Return whether a state is expected, so that it is no failure."""


class FunctionCondition:
    """A condition that a program has written.

    :param function: called with a resource; returns whether the condition holds.
    """

    def __init__(self, manager: Manager[Any], function: Callable[[Any], object]) -> None:
        self._manager = manager
        self._function = function

    def holds(self, item: Item | None) -> bool:
        """Return whether it holds for a resource; never for one that is deleted."""
        if item is None:
            return False
        return bool(self._function(self._manager.resource_class(self._manager, item)))

    def names_state(self, state: str) -> bool:
        """Return False: a function names no state."""
        return False


def wait_for_each(
    fetcher: Fetcher,
    idents: Iterable[str],
    condition: Condition,
    *,
    timeout: float = 0,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[Found, float], object] | None = None,
    polled: Callable[[], object] | None = None,
) -> Iterator[tuple[str, Result]]:
    """Wait until a condition holds for resources, and yield each result as soon as it is known.

    Each result comes with the name of the resource.

    :param fetcher: fetches the resources.
    :param idents: what they are called; duplicates are skipped.
    :param condition: what has to hold. A resource in a failure state, or one that is deleted, has
        failed unless the condition is about that.
    :param timeout: the maximum seconds for all together, 0 for no limit.
    :param stop: the wait ends once it returns True, as it does when the time is over.
    :param progress: called after each poll with the resources and the seconds since the beginning.
    :param polled: called when all that the poll has shown was yielded.
    """
    kind = fetcher.kind
    pending: dict[str, Item | None] = dict.fromkeys(idents)
    poller = Poller(lambda limit: fetcher(tuple(pending), limit), timeout=timeout, stop=stop)

    def result(
        ident: str, outcome: Any, exception: exc.ClientException | None = None
    ) -> tuple[str, Result]:
        item = pending.pop(ident)
        known = item or {}
        return ident, Result(
            known.get("name") if item else ident,
            known.get(kind.identifier),
            outcome,
            known.get(kind.state),
            poller.seconds,
            None if exception is None else exception.message,
            exception,
        )

    for found in poller:
        if progress is not None:
            progress(found, poller.seconds)
        for ident, item in found.items():
            known = pending[ident]
            pending[ident] = item or known
            if condition.holds(item):
                yield result(ident, "done")
            elif item is None:
                yield result(ident, "failed", _gone(kind, ident, deleted=known is not None))
            elif kind.failed(item) and not condition.names_state(item[kind.state]):
                reason = kind.reason(item) or _NO_REASON
                failure = exc.StateTransitionFailed(reason, state=item[kind.state], reason=reason)
                yield result(ident, "failed", failure)
        if polled is not None:
            polled()
        if not pending:
            return
    late = f"the condition does not hold after {timeout:g} seconds"
    reason = "interrupted before the condition held" if poller.stopped else late
    for ident in list(pending):
        yield result(ident, "timeout", exc.StateTransitionTimeout(reason))


def wait_for_all(
    fetcher: Fetcher, idents: Iterable[str], condition: Condition, timeout: float
) -> list[Result]:
    """Wait until a condition holds for resources, and return the results in their order.

    The arguments are those of :func:`wait_for_each`.

    :raises StateTransitionFailed: at the first failure.
    :raises StateTransitionTimeout: if the time is over.
    """
    name, ordered = fetcher.kind.name.capitalize(), list(idents)
    found: dict[str, Result] = {}
    for ident, result in wait_for_each(fetcher, ordered, condition, timeout=timeout):
        if result.result == "failed":
            raise exc.StateTransitionFailed(
                f"{name} {ident}: {result.error}", state=result.state, reason=result.error
            )
        found[ident] = result
    late = [ident for ident, result in found.items() if not result]
    if late:
        named = ", ".join(f"{ident} (now {found[ident].state!r})" for ident in late[:_MOST_NAMED])
        if len(late) > _MOST_NAMED:
            named += f" and {len(late) - _MOST_NAMED} more"
        raise exc.StateTransitionTimeout(
            f"The condition does not hold for {name.lower()}(s) {named} after {timeout:g} seconds.",
            state=found[late[0]].state,
        )
    return [found[ident] for ident in ordered]


def _gone(kind: Kind, ident: str, *, deleted: bool) -> exc.NotFound:
    name = f"{kind.name} {ident!r}"
    told = f"The {name} was deleted." if deleted else f"There is no {name}."
    return exc.NotFound(told)
