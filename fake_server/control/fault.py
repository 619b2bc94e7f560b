"""A fault: which requests or steps it matches, and what it does to them."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Self

from fake_server.common.suggestion import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.wsgi import Request
    from fake_server.db.store import Record

#: The longest that a fault can hold up a request, in seconds.
LONGEST = 3600
_READING = ("GET", "HEAD", "OPTIONS")
FLOWS = ("clean", "deploy", "service")
#: What says which of the requests or steps that fit go wrong.
_CHOICE = {"nth": int, "every": int, "probability": (int, float), "seed": int}
#: What a fault can ask for, and what it can do: one of requests, and one of steps.
OF_REQUESTS = {"method": str, "path": str, "node": str, "headers": dict, **_CHOICE}
OF_STEPS = {"node": str, "flow": str, "step": str, **_CHOICE}
DONE_TO_STEPS = {"last_error": str}
DONE_TO_REQUESTS = {
    "status": int,
    "message": str,
    "headers": dict,
    "delay": (int, float),
    "drop": str,
    "locked": bool,
    "truncate": int,
    "content_type": str,
}
_WITHOUT = {
    "drop": ("status", "message", "headers", "locked", "truncate", "content_type"),
    "locked": ("status", "message", "headers", "truncate", "content_type"),
}
"""What would have no effect beside something else."""
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[ -~]*")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of requests, or of steps of nodes; its counts are those when it was read.

    :param match: which requests: ``method``, ``path`` (``*`` stands for any characters), ``node``
        (its UUID or name, in the path, the query or the body), ``headers``; of these only the
        ``nth``, ``every`` nth, or a random choice by ``probability`` and ``seed``. Or which steps:
        ``node``, ``flow`` (one of :data:`FLOWS`), ``step`` (``interface.step``, with ``*``), and
        the same choices.
    :param do: what happens: an error with ``status`` and ``message``, a ``delay`` in seconds, a
        ``drop`` of the connection ``before`` or ``after`` the request is handled, ``locked`` (an
        error for changes only: reading takes no lock); or a response with further ``headers``, with
        another ``content_type`` (the message is the body of an error that is not JSON), or of
        which ``truncate`` bytes are sent. Or the ``last_error`` with which a step fails.
    :param times: maximum number of times that it applies.
    :param until: time at which it ends, by the server's clock, in seconds since the epoch.
    :param seen: number of requests or steps that it matched.
    :param done: number of those that it was applied to.
    """

    id: int
    match: Mapping[str, Any]
    do: Mapping[str, Any]
    times: int | None
    until: float | None
    seen: int
    done: int

    @classmethod
    def stored(cls, row: Record) -> Fault:
        """Return the fault in a row of the database."""
        return cls(**row)

    def as_json(self) -> dict[str, Any]:
        """Return the fault as JSON."""
        return {
            "id": self.id,
            "match": dict(self.match),
            "do": dict(self.do),
            "times": self.times,
            "until": self.until,
            "seen": self.seen,
            "done": self.done,
        }

    def is_over(self, now: float) -> bool:
        """Return whether it has ended at a time of the server's clock."""
        late = self.until is not None and now >= self.until
        return late or (self.times is not None and self.done >= self.times)

    def matches_step(self, flow: str, step: str) -> bool:
        """Return whether it matches a step, apart from the node."""
        match = self.match
        return (
            "last_error" in self.do
            and match.get("flow", flow) == flow
            and fnmatchcase(step, match.get("step", "*"))
        )

    def matches(self, request: Request) -> bool:
        """Return whether it matches a request, apart from the node."""
        match = self.match
        if "last_error" in self.do:
            return False
        if "locked" in self.do and request.method in _READING:
            return False
        if match.get("method", request.method).upper() != request.method:
            return False
        if not fnmatchcase(plain(request.path), plain(match.get("path", "*"))):
            return False
        return all(
            request.header(_variable(name)) == value
            for name, value in match.get("headers", {}).items()
        )

    @property
    def is_unconditional(self) -> bool:
        """Whether it applies to every request that it matches, without an end."""
        return self.times is None and not self.is_conditional and "node" not in self.match

    def counted(self, times: int) -> Self:
        """Return the fault with its number of applications increased."""
        return replace(self, seen=self.seen + times, done=self.done + times)

    @property
    def is_conditional(self) -> bool:
        """Whether it applies to only some of the matching requests."""
        return not self.match.keys().isdisjoint(("nth", "every", "probability"))

    def is_chosen(self) -> bool:
        """Return whether it applies to the request that was counted last."""
        match = self.match
        if "nth" in match and self.seen != match["nth"]:
            return False
        if "every" in match and self.seen % match["every"]:
            return False
        if "probability" not in match:
            return True
        # Seeded with the number, so that all processes decide alike.
        chance = random.Random(f"{match['seed']}-{self.seen}")  # noqa: S311 - no secret
        return chance.random() < float(match["probability"])


def plain(path: str) -> str:
    """Return a path, or a pattern of paths, without the prefix of Ironic in the catalog."""
    return path.removeprefix("/baremetal") if path.startswith("/baremetal/") else path


def check(match: Any, do: Any, times: Any, seconds: Any) -> None:
    """Check the values of a new fault; see :class:`Fault`.

    :param seconds: maximum duration of the fault.
    :raises ValueError: for the first invalid value.
    """
    of_step = isinstance(do, dict) and "last_error" in do
    _check_types("match", match, OF_STEPS if of_step else OF_REQUESTS)
    _check_types("do", do, DONE_TO_STEPS if of_step else DONE_TO_REQUESTS)
    if not do:
        raise ValueError(
            f"do needs at least one of {', '.join([*DONE_TO_REQUESTS, *DONE_TO_STEPS])}."
        )
    if match.get("flow", FLOWS[0]) not in FLOWS:
        raise ValueError(f"flow has to be one of {', '.join(FLOWS)}, not {match['flow']!r}.")
    if do.get("drop", "before") not in ("before", "after"):
        raise ValueError(f"drop has to be 'before' or 'after', not {do['drop']!r}.")
    if not 400 <= do.get("status", 400) <= 599:
        raise ValueError(f"status has to be from 400 to 599, not {do['status']}.")
    for name, number in {**match, "times": times}.items():
        if name in ("times", "nth", "every") and not (number is None or _is_count(number)):
            raise ValueError(f"{name} has to be an integer above 0, not {number!r}.")
    if not 0 <= match.get("probability", 0) <= 1:
        raise ValueError(f"probability has to be from 0 to 1, not {match['probability']}.")
    if not 0 <= do.get("delay", 0) <= LONGEST:
        raise ValueError(f"delay has to be from 0 to {LONGEST} seconds, not {do['delay']}.")
    if seconds is not None and not (_is_number(seconds) and 0 < seconds <= 1e9):
        raise ValueError(f"seconds has to be above 0 and at most 1e9, not {seconds!r}.")
    if do.get("truncate", 0) < 0:
        raise ValueError(f"truncate has to be 0 or more bytes, not {do['truncate']}.")
    if not do.get("locked", True):
        raise ValueError("locked has to be true; leave it out for a fault that locks nothing.")
    for name, others in _WITHOUT.items():
        refused = [other for other in others if name in do and other in do]
        if refused:
            raise ValueError(f"{name} and {refused[0]} cannot be used together.")
    if "message" in do and "status" not in do:
        raise ValueError("message needs status.")
    _check_headers(match.get("headers", {}))
    _check_headers({**do.get("headers", {}), "Content-Type": do.get("content_type", "")})


def _check_types(part: str, values: Any, known: Mapping[str, Any]) -> None:
    if not isinstance(values, dict):
        raise ValueError(f"{part} has to be an object with one or more of {', '.join(known)}.")
    for name, value in values.items():
        if name not in known:
            hint = suggestion(name, known, "Known names:")
            raise ValueError(f"Unknown name {name!r} in {part}.{hint}")
        wrong_bool = isinstance(value, bool) and known[name] is not bool
        if not isinstance(value, known[name]) or wrong_bool:
            raise ValueError(f"{part}.{name} has the wrong type: {value!r}.")


def _check_headers(headers: Mapping[str, Any]) -> None:
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"Invalid header name {name!r}.")
        if not isinstance(value, str) or not _HEADER_VALUE.fullmatch(value):
            raise ValueError(f"The header {name} has to be printable ASCII text, not {value!r}.")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value < 2**31


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _variable(name: str) -> str:
    variable = name.upper().replace("-", "_")
    return variable if variable in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{variable}"
