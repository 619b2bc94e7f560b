"""Waiting until goals are reached for resources of any type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from baremetalclient import exc
from baremetalclient._bulk.goal import WAITING, Holds
from baremetalclient._bulk.listener import Listener, Target
from baremetalclient._bulk.poller import Poller
from baremetalclient._bulk.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from baremetalclient._bulk.fetcher import Fetcher
    from baremetalclient._bulk.goal import Condition, Goal, Verdict
    from baremetalclient._bulk.kinds import Kind
    from baremetalclient._resource.resource import Item

_ItemT = TypeVar("_ItemT", bound="Mapping[str, Any] | None")
"""The fields of a resource, None for one that is gone."""

_MOST_NAMED = 10
"""The maximum number of resources that a message names."""


class Pacing(NamedTuple):
    """How a wait polls; see :class:`.Poller`."""

    timeout: float = 0
    interval: float | None = None
    sleep: Callable[[float], object] | None = None


def wait_for_one(
    fetch: Callable[[float | None], _ItemT],
    goal: Goal,
    pacing: Pacing,
    ident: str,
    listener: Listener | None = None,
) -> tuple[_ItemT | None, Verdict]:
    """Wait for one resource, and return how it was at last, and the verdict on it.

    It is still ``waiting`` if the time is over.

    :param fetch: returns the resource; called with the seconds that its requests may take.
    :param ident: what the resource is called, unless it has a name.
    :param listener: told what each poll has seen.
    """
    listener = listener or Listener()
    poller = Poller(
        lambda limit: (fetch(limit),),
        timeout=pacing.timeout,
        interval=pacing.interval,
        sleep=pacing.sleep,
    )
    item: _ItemT | None = None
    verdict, polls = WAITING, 0
    for (found,) in poller:
        item, polls = found, polls + 1
        verdict = goal.verdict(found, polls)
        known = None if found is None else dict(found)
        name = (known or {}).get("name")
        listener.seen(Target(ident, name), known, goal.fields[0], poller.seconds)
        listener.polled()
        if verdict.outcome != "waiting":
            break
    return item, verdict


def holds(kind: Kind, condition: Condition) -> Holds:
    """Return the goal that a condition holds."""
    return Holds(kind, "", (), condition)


def wait_for_each(
    fetcher: Fetcher,
    idents: Iterable[str],
    goal: Goal,
    *,
    timeout: float = 0,
    stop: Callable[[], bool] | None = None,
    listener: Listener | None = None,
) -> Iterator[tuple[str, Result]]:
    """Wait until a goal is reached for resources, and yield each result as soon as it is known.

    Each result comes with the name of the resource.

    :param fetcher: fetches the resources.
    :param idents: what they are called; duplicates are skipped.
    :param timeout: the maximum seconds for all together, 0 for no limit.
    :param stop: the wait ends once it returns True, as it does when the time is over.
    :param listener: told what each poll has seen and which resources failed; that the poll is
        complete only when its results were yielded.
    """
    kind = fetcher.kind
    listener = listener or Listener()
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

    for polls, found in enumerate(poller, 1):
        for ident, item in found.items():
            known = pending[ident]
            pending[ident] = item or known
            target = Target(ident, (item or {}).get("name"))
            listener.seen(target, item, kind.state, poller.seconds)
            verdict = goal.verdict(item, polls)
            if verdict.outcome == "reached":
                yield result(ident, "done")
            elif verdict.outcome == "failed":
                failed = result(ident, "failed", _failure(kind, ident, item, known, verdict))
                listener.failed(failed[1])
                yield failed
        listener.polled()
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
    goal = holds(fetcher.kind, condition)
    for ident, result in wait_for_each(fetcher, ordered, goal, timeout=timeout):
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


def _failure(
    kind: Kind, ident: str, item: Item | None, known: Item | None, verdict: Verdict
) -> exc.ClientException:
    if item is not None:
        reason = verdict.reason or kind.unknown
        return exc.StateTransitionFailed(reason, state=item.get(kind.state), reason=reason)
    name = f"{kind.name} {ident!r}"
    return exc.NotFound(f"There is no {name}." if known is None else f"The {name} was deleted.")
