"""One fault: which requests it is about, and what goes wrong with them."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Self

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
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[ -~]*")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault as it was when it was read: of requests, or of steps of nodes.

    :param match: which requests: ``method``, ``path`` (with ``*``), ``node`` (its UUID or name,
        in the path, the query or the body), ``headers``, and of those the ``nth``, ``every`` so
        many, or some of them by ``probability`` and ``seed``. Or which steps: ``node``, ``flow``
        (one of :data:`FLOWS`), ``step`` (``interface.step``, with ``*``), and likewise which of
        those.
    :param do: what goes wrong: ``status`` with ``message`` and ``headers``, ``delay`` in seconds,
        ``drop`` of the connection ``before`` or ``after`` the request was answered, ``locked`` (for
        changes only: reading takes no lock), ``truncate`` to so many bytes, another
        ``content_type``. Or the ``last_error`` that a step fails with.
    :param times: how often at most.
    :param until: the moment at which it ends, by the server's clock, in seconds since the epoch.
    :param seen: how many requests it fitted.
    :param done: how many of them went wrong.
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
        """Return the fault that a row of the database holds."""
        return cls(**row)

    def as_json(self) -> dict[str, Any]:
        """Return the fault for an answer."""
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
        """Tell whether it has ended at a moment of the server's clock."""
        late = self.until is not None and now >= self.until
        return late or (self.times is not None and self.done >= self.times)

    def fits_step(self, flow: str, step: str) -> bool:
        """Tell whether it is about a step, as far as the node isn't concerned."""
        match = self.match
        return (
            "last_error" in self.do
            and match.get("flow", flow) == flow
            and fnmatchcase(step, match.get("step", "*"))
        )

    def fits(self, request: Request) -> bool:
        """Tell whether it is about a request, as far as the node isn't concerned."""
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
        """Whether every request that it fits by itself goes wrong, for ever."""
        return self.times is None and not self.is_choosy and "node" not in self.match

    def acted(self, times: int) -> Self:
        """Return the fault after it has acted so many times more."""
        return replace(self, seen=self.seen + times, done=self.done + times)

    @property
    def is_choosy(self) -> bool:
        """Whether not all requests that it fits go wrong."""
        return not self.match.keys().isdisjoint(("nth", "every", "probability"))

    def chooses(self) -> bool:
        """Tell whether the request that was counted last is one that goes wrong."""
        match = self.match
        if "nth" in match and self.seen != match["nth"]:
            return False
        if "every" in match and self.seen % match["every"]:
            return False
        if "probability" not in match:
            return True
        # By its number, so that it doesn't matter which process has it.
        chance = random.Random(f"{match['seed']}-{self.seen}")  # noqa: S311 - no secret
        return chance.random() < float(match["probability"])


def plain(path: str) -> str:
    """Return a path, or a pattern of paths, without the prefix that Ironic has in a catalog."""
    return path.removeprefix("/baremetal") if path.startswith("/baremetal/") else path


def check(match: Any, do: Any, times: Any, seconds: Any) -> None:
    """Check what a fault is to be; see :class:`Fault`.

    :param seconds: for how long at most.
    :raises ValueError: for what is none; says what is wrong with it.
    """
    of_step = isinstance(do, dict) and "last_error" in do
    _check_types("match", match, OF_STEPS if of_step else OF_REQUESTS)
    _check_types("do", do, DONE_TO_STEPS if of_step else DONE_TO_REQUESTS)
    if not do:
        raise ValueError(
            f"A fault has to do something: {', '.join([*DONE_TO_REQUESTS, *DONE_TO_STEPS])}."
        )
    if match.get("flow", FLOWS[0]) not in FLOWS:
        raise ValueError(f"The flow of a step is one of {', '.join(FLOWS)}, not {match['flow']!r}.")
    if do.get("drop", "before") not in ("before", "after"):
        raise ValueError("A connection is dropped 'before' or 'after' the answer.")
    if not 400 <= do.get("status", 400) <= 599:
        raise ValueError(f"The status of a fault is from 400 to 599, not {do['status']}.")
    for name, number in {**match, "times": times}.items():
        if name in ("times", "nth", "every") and not (number is None or _is_count(number)):
            raise ValueError(f"{name} has to be a number from 1 on, not {number!r}.")
    if not 0 <= match.get("probability", 0) <= 1:
        raise ValueError(f"A probability is from 0 to 1, not {match['probability']}.")
    if not 0 <= do.get("delay", 0) <= LONGEST:
        raise ValueError(f"A delay is from 0 to {LONGEST} seconds, not {do['delay']}.")
    if seconds is not None and not (_is_number(seconds) and 0 < seconds <= 1e9):
        raise ValueError(f"A fault lasts for more than 0 and at most 1e9 seconds, not {seconds!r}.")
    if do.get("truncate", 0) < 0:
        raise ValueError(f"An answer is cut to 0 bytes or more, not {do['truncate']}.")
    if not do.get("locked", True):
        raise ValueError("locked is true; a fault that locks nothing has no locked at all.")
    _check_headers(match.get("headers", {}))
    _check_headers({**do.get("headers", {}), "Content-Type": do.get("content_type", "")})


def _check_types(part: str, values: Any, known: Mapping[str, Any]) -> None:
    if not isinstance(values, dict):
        raise ValueError(f"{part} has to be an object with some of {', '.join(known)}.")
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"Unknown name {name!r} in {part}. Known names: {', '.join(known)}.")
        wrong_bool = isinstance(value, bool) and known[name] is not bool
        if not isinstance(value, known[name]) or wrong_bool:
            raise ValueError(f"{name!r} of {part} can't be {value!r}.")


def _check_headers(headers: Mapping[str, Any]) -> None:
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"No header can be called {name!r}.")
        if not isinstance(value, str) or not _HEADER_VALUE.fullmatch(value):
            raise ValueError(f"The header {name} is a text of printable ASCII, not {value!r}.")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value < 2**31


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _variable(name: str) -> str:
    variable = name.upper().replace("-", "_")
    return variable if variable in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{variable}"
