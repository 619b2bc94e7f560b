"""Choose the cases of a sweep: which requests go wrong, and in which ways."""

from __future__ import annotations

import random
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked, Call
    from fake_server.sweep.kinds import Kind

#: What ends the id of a request in that of a case.
MARK = ":"


class Chosen(NamedTuple):
    """A case that is to be run.

    :param next_node: the name of the node that the program asks for or changes after the request.
    """

    call: Call
    kind: Kind
    next_node: str | None

    @property
    def id(self) -> str:
        """The ids of the request and the kind."""
        return f"{self.call.id}{MARK}{self.kind.name}"


def possible(
    answered: Sequence[Asked],
    kinds: Sequence[Kind],
    routes: Sequence[str],
    settings: Settings,
) -> list[Chosen]:
    """Return all cases that there can be, in the order of the requests.

    :param answered: what the program asked for without a fault.
    :param routes: patterns such as ``POST /v1/nodes*``; only these requests go wrong, if any.
    """
    return [
        Chosen(one.call, kind, _next_node(answered[number + 1 :]))
        for number, one in enumerate(answered)
        if not routes or any(matches(one.call, route) for route in routes)
        for kind in kinds
        if kind.applies(one, settings)
    ]


def matches(call: Call, pattern: str) -> bool:
    """Return whether a request is of a pattern: a method, if one is named, and a route."""
    method, _, route = pattern.rpartition(" ")
    return method.strip().upper() in ("", "*", call.method) and (
        fnmatchcase(call.route, route) or fnmatchcase(call.route, route.replace("{}", "_"))
    )


def limited(cases: Sequence[Chosen], limit: int | None, seed: int) -> list[Chosen]:
    """Return at most a number of cases: in turn over the kinds, in an order of the seed."""
    if limit is None or limit >= len(cases):
        return list(cases)
    shuffled = list(cases)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - no secret
    taken: set[str] = set()
    for case in _in_turn(shuffled):
        if len(taken) == limit:
            break
        taken.add(case.id)
    return [case for case in cases if case.id in taken]


def _in_turn(cases: Sequence[Chosen]) -> Iterator[Chosen]:
    names = sorted({case.kind.name for case in cases})
    queues = [[case for case in cases if case.kind.name == name] for name in names]
    while any(queues):
        for queue in queues:
            if queue:
                yield queue.pop(0)


def _next_node(later: Sequence[Asked]) -> str | None:
    for one in later:
        if one.call.resource is not None and one.call.route.startswith("/v1/nodes/"):
            return one.call.resource
    return None
