"""Faults on demand: rules that say which requests go wrong, and how."""

from __future__ import annotations

import fnmatch
import random
import time
from dataclasses import dataclass, field
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..baremetal import rendering
from ..wsgi import ConnectionDropped, Request, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..wsgi import Environ, StartResponse

_MATCH = {
    "method": str,
    "path": str,
    "node": str,
    "headers": dict,
    "nth": int,
    "every": int,
    "probability": (int, float),
    "seed": int,
}
_DO = {
    "status": int,
    "message": str,
    "headers": dict,
    "delay": (int, float),
    "drop": str,
    "locked": bool,
    "truncate": int,
    "content_type": str,
}
_LOCKED = "Node {} is locked by host {}, please retry after the current operation is completed."


@dataclass
class Rule:
    """One fault.

    :param match: which requests: ``method``, ``path`` (with ``*``), ``node`` (a part of the path),
        ``headers``, and of those the ``nth``, ``every`` so many, or some of them by
        ``probability`` and ``seed``.
    :param do: what goes wrong: ``status`` with ``message`` and ``headers``, ``delay`` in seconds,
        ``drop`` of the connection ``before`` or ``after`` the request was answered, ``locked``,
        ``truncate`` to so many bytes, another ``content_type``.
    :param times: how often at most.
    """

    id: int
    match: Mapping[str, Any]
    do: Mapping[str, Any]
    times: int | None = None
    seen: int = 0
    done: int = 0
    chance: random.Random = field(default_factory=random.Random)

    def as_json(self) -> dict[str, Any]:
        """Return the rule, and how often it matched and acted."""
        return {
            "id": self.id,
            "match": dict(self.match),
            "do": dict(self.do),
            "times": self.times,
            "seen": self.seen,
            "done": self.done,
        }

    def strikes(self, request: Request) -> bool:
        """Tell whether a request goes wrong; count it."""
        if (self.times is not None and self.done >= self.times) or not self._fits(request):
            return False
        self.seen += 1
        match = self.match
        if "nth" in match and self.seen != match["nth"]:
            return False
        if "every" in match and self.seen % match["every"]:
            return False
        if "probability" in match and self.chance.random() >= match["probability"]:
            return False
        self.done += 1
        return True

    def _fits(self, request: Request) -> bool:
        match = self.match
        if match.get("method", request.method).upper() != request.method:
            return False
        if not fnmatch.fnmatchcase(request.path, match.get("path", "*")):
            return False
        if "node" in match and match["node"] not in request.path.split("/"):
            return False
        return all(
            request.header(_variable(name)) == value
            for name, value in match.get("headers", {}).items()
        )


class Faults:
    """The rules in force, in the order in which they were made; the first that fits acts.

    :param host: the conductor that locked nodes are locked by.
    """

    def __init__(self, host: str) -> None:
        self._host = host
        self._rules: list[Rule] = []
        self._numbers = count(1)
        self._lock = Lock()

    def __bool__(self) -> bool:
        """Whether any rule is in force."""
        return bool(self._rules)

    def rules(self) -> list[Rule]:
        """Return the rules."""
        return list(self._rules)

    def add(
        self, match: Mapping[str, Any], do: Mapping[str, Any], times: int | None = None
    ) -> Rule:
        """Make a rule; see :class:`Rule`.

        :raises ValueError: for what is none; says what is wrong with it.
        """
        _check("match", match, _MATCH)
        _check("do", do, _DO)
        if not do:
            raise ValueError(f"A fault has to do something: {', '.join(_DO)}.")
        if do.get("drop", "before") not in ("before", "after"):
            raise ValueError("A connection is dropped 'before' or 'after' the answer.")
        if "status" in do and not 400 <= do["status"] <= 599:
            raise ValueError(f"The status of a fault is from 400 to 599, not {do['status']}.")
        for name, number in (("times", times), ("nth", match.get("nth")), *_numbers_of(match, do)):
            if number is not None and (not isinstance(number, int) or number < 1):
                raise ValueError(f"{name} has to be a number from 1 on, not {number!r}.")
        if do.get("delay", 0) < 0 or not 0 <= match.get("probability", 0) <= 1:
            raise ValueError("A delay is not negative, and a probability is from 0 to 1.")
        chance = random.Random(match.get("seed"))  # noqa: S311 - no secret
        rule = Rule(next(self._numbers), dict(match), dict(do), times, chance=chance)
        with self._lock:
            self._rules.append(rule)
        return rule

    def remove(self, ident: int | None = None) -> int:
        """Remove a rule, or all; return how many there were."""
        with self._lock:
            kept = [rule for rule in self._rules if ident not in (None, rule.id)]
            removed = len(self._rules) - len(kept)
            self._rules = kept
        return removed

    def through(self, request: Request, answer: Callable[[Request], Response]) -> Response:
        """Answer a request as the rules have it.

        :param answer: what answers otherwise.
        :raises ConnectionDropped: where the client is to hear nothing.
        """
        with self._lock:
            rule = next((rule for rule in self._rules if rule.strikes(request)), None)
        if rule is None:
            return answer(request)
        do = rule.do
        if "delay" in do:
            time.sleep(do["delay"])
        if do.get("drop") == "before":
            raise ConnectionDropped
        if do.get("locked"):
            node = rule.match.get("node") or _node_of(request.path)
            return rendering.fault(409, _LOCKED.format(node, self._host), [])
        if "status" in do:
            headers = [(str(name), str(value)) for name, value in do.get("headers", {}).items()]
            return rendering.fault(
                do["status"], do.get("message", "A fault was asked for."), headers
            )
        response = answer(request)
        if do.get("drop") == "after":
            raise ConnectionDropped
        if "content_type" in do:
            kept = [pair for pair in response.headers if pair[0].lower() != "content-type"]
            response.headers = [*kept, ("Content-Type", do["content_type"])]
        return _Truncated(response, do["truncate"]) if "truncate" in do else response


class _Truncated(Response):
    """An answer that announces all of its body and sends a part."""

    def __init__(self, whole: Response, length: int) -> None:
        super().__init__(whole.status, whole.body, whole.headers)
        self._length = length

    def start(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Send it the WSGI way."""
        return [b"".join(super().start(environ, start_response))[: self._length]]


def _check(part: str, values: Any, known: Mapping[str, Any]) -> None:
    if not isinstance(values, dict):
        raise ValueError(f"{part} has to be an object with some of {', '.join(known)}.")
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"{part} knows no {name!r}, but {', '.join(known)}.")
        wrong_bool = isinstance(value, bool) and known[name] is not bool
        if not isinstance(value, known[name]) or wrong_bool:
            raise ValueError(f"{name!r} of {part} can't be {value!r}.")


def _numbers_of(*parts: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, part[name]) for part in parts for name in ("every",) if name in part]


def _variable(name: str) -> str:
    return "HTTP_" + name.upper().replace("-", "_")


def _node_of(path: str) -> str:
    parts = path.split("/")
    return parts[parts.index("nodes") + 1] if "nodes" in parts[:-1] else "of the request"
