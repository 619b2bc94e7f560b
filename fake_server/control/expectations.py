"""What tests expect of the requests that a server received, and what differs if it isn't so."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from fake_server.common.redaction import Redactor
from fake_server.control.fault import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fake_server.control.recorded_request import RecordedRequest
    from fake_server.control.request_log import RequestLog

#: How many requests a message lists, the last ones.
_LISTED = 20
_NO_JSON = object()
#: What is said of a body that is to be looked at.
_NOT_KEPT = "json: the body wasn't kept"
#: Hides what has the name of a secret.
_BY_NAME = Redactor()


class _Any:
    """Stands for any body."""

    def __repr__(self) -> str:
        return "ANY"


ANY: Any = _Any()


@dataclass(frozen=True, slots=True)
class Expectation:
    """A request that a test expects.

    :param path: its path; ``*`` stands for any characters.
    :param json: its whole body.
    :param json_contains: a part of its body: of objects at any depth, these keys; lists are whole.
    :param headers: headers that it has, among others.
    :param query: arguments that it has, among others; a list for one that is repeated.
    :param version: the requested microversion of the Bare Metal API.
    """

    method: str
    path: str
    json: Any = ANY
    json_contains: Any = ANY
    headers: Mapping[str, str] | None = None
    query: Mapping[str, Any] | None = None
    version: str | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def differences(self, recorded: RecordedRequest) -> list[str]:
        """Return what differs in a request, a line each; nothing if it is what is expected."""
        found = [*self._of_address(recorded)]
        if self.version not in (None, recorded.version):
            found.append(_differs("version", self.version, recorded.version))
        raw = {name.lower(): value for name, value in recorded.headers}
        for name, wanted in (self.headers or {}).items():
            if raw.get(name.lower()) != wanted:
                headers = {one.lower(): text for one, text in _BY_NAME.headers(recorded.headers)}
                found.append(_differs(f"header {name}", wanted, headers.get(name.lower())))
        query = _values(recorded.query)
        for name, wanted in (self.query or {}).items():
            if query.get(name) != _texts(wanted):
                shown = _values(_BY_NAME.query(recorded.query)).get(name)
                found.append(_differs(f"query {name}", wanted, shown))
        return [*found, *self._of_body(recorded)]

    def _of_address(self, recorded: RecordedRequest) -> Iterator[str]:
        if self.method.upper() != recorded.method:
            yield _differs("method", self.method.upper(), recorded.method)
        if not fnmatchcase(plain(recorded.path), plain(self.path)):
            yield _differs("path", self.path, recorded.path)

    def _of_body(self, recorded: RecordedRequest) -> Iterator[str]:
        if self.json is ANY and self.json_contains is ANY:
            return
        if recorded.sent is None:
            yield _NOT_KEPT
            return
        try:
            found = recorded.json()
        except ValueError:
            found = _NO_JSON
        if found is _NO_JSON or (found is None and not recorded.sent):
            yield "json: the request has none"
            return
        if self.json is not ANY:
            yield from _in_json("json", self.json, found, partly=False)
        if self.json_contains is not ANY:
            yield from _in_json("json", self.json_contains, found, partly=True)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether requests were received as expected.

    :param matched: how many were.
    :param message: what is wrong; ``None`` if nothing is.
    :param nearest: the request that comes nearest to what is missing, its secrets masked.
    """

    matched: int
    message: str | None = None
    nearest: Mapping[str, Any] | None = None


def verify(log: RequestLog, expected: Expectation, times: int | None, *, absent: bool) -> Verdict:
    """Compare requests with what is expected.

    :param log: those received. Where it isn't told how often one was, as others or their bodies
        aren't kept any more, it is not as expected.
    :param times: the exact number of times; by default at least once.
    :param absent: whether there is to be none.
    """
    differing = [(expected.differences(recorded), recorded) for recorded in log.requests]
    matched = sum(not differences for differences, _ in differing)
    unclear = sum(differences == [_NOT_KEPT] for differences, _ in differing)
    times = 0 if absent else times
    if matched and times is None:
        return Verdict(matched)
    if matched == times and not (log.dropped or unclear):
        return Verdict(matched)
    wanted = "never" if absent else "at least once" if times is None else counted(times)
    lines = [f"Expected {expected} {wanted}, received it {counted(matched)}."]
    lines += _not_kept(log, unclear)
    nearest = None
    if times is None or matched < times:
        others = [(differences, recorded) for differences, recorded in differing if differences]
        nearest = min(others, key=_distance, default=None)
    if nearest is not None:
        differences, recorded = nearest
        lines.append(f"The nearest request is {_shown(recorded, log.redactor)}:")
        lines += [f"  {line}" for line in differences]
    lines += _listed(log)
    return Verdict(matched, "\n".join(lines), nearest and as_json(nearest[1], log.redactor))


def verify_order(log: RequestLog, steps: Sequence[tuple[str, str]]) -> Verdict:
    """Check that requests were received in an order; others may come between.

    :param steps: method and path of each.
    """
    rest = iter(log.requests)
    for position, (method, path) in enumerate(steps):
        expected = Expectation(method, path)
        if not any(not expected.differences(recorded) for recorded in rest):
            before = f" after {' '.join(steps[position - 1])}" if position else ""
            lines = [f"Expected {expected}{before}, did not receive it."]
            lines += [*_not_kept(log, 0), *_listed(log)]
            return Verdict(position, "\n".join(lines))
    return Verdict(len(steps))


def as_json(recorded: RecordedRequest, redactor: Redactor) -> dict[str, Any]:
    """Return a request as answers show it, its secrets masked."""
    try:
        body = json.loads(redactor.body(recorded.sent or b"") or "null")
    except ValueError:
        body = None
    return {
        "method": recorded.method,
        "path": redactor.text(recorded.path),
        "query": redactor.query(recorded.query),
        "headers": dict(redactor.headers(recorded.headers)),
        "json": body,
    }


def counted(number: int) -> str:
    """Return a number of times in words."""
    return f"{number} {'time' if number == 1 else 'times'}"


def _distance(differing: tuple[list[str], RecordedRequest]) -> tuple[int, int]:
    """Return how far a request is from what is expected: first by its address."""
    differences, _ = differing
    weights = {"method": 4, "path": 5}
    address = sum(weights.get(line.partition(":")[0], 0) for line in differences)
    return address, len(differences)


def _in_json(place: str, wanted: Any, found: Any, *, partly: bool) -> Iterator[str]:
    """Yield what differs in JSON; of objects, the keys that are expected suffice if ``partly``."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name in wanted:
            if name not in found:
                yield f"{place}.{name}: expected {_text(name, wanted[name])}, it is missing"
            else:
                yield from _in_json(f"{place}.{name}", wanted[name], found[name], partly=partly)
        if not partly:
            for name in found.keys() - wanted.keys():
                yield f"{place}.{name}: not expected, got {_text(name, found[name])}"
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for position, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from _in_json(f"{place}[{position}]", one, other, partly=False)
    elif wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
        name = place.rpartition(".")[2]
        yield f"{place}: expected {_text(name, wanted)}, got {_text(name, found)}"


def _differs(what: str, wanted: Any, found: Any) -> str:
    return f"{what}: expected {wanted!r}, got {found!r}"


def _text(name: str, value: Any) -> str:
    """Return a value as JSON, masked if it is a secret by its name."""
    return _BY_NAME.body(json.dumps({name: value}).encode())[len(json.dumps(name)) + 3 : -1]


def _values(query: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        found.setdefault(name, []).append(value)
    return found


def _texts(value: Any) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list | tuple) else [value])]


def _shown(recorded: RecordedRequest, redactor: Redactor) -> str:
    query = f"?{redactor.query(recorded.query)}" if recorded.query else ""
    return f"{recorded.method} {redactor.text(recorded.path)}{query} ({recorded.status})"


def _not_kept(log: RequestLog, unclear: int) -> list[str]:
    """Return what to say if more may have been received than is kept.

    :param unclear: how many requests may be as expected, but for their bodies.
    """
    lost = [f"{log.dropped} requests before the last {len(log.requests)}"] if log.dropped else []
    lost += [f"the bodies of {unclear} that may be it"] if unclear else []
    if not lost:
        return []
    return [f"It can't be told: {' and '.join(lost)} aren't kept. Clear the record before."]


def _listed(log: RequestLog) -> list[str]:
    shown = [f"  {_shown(recorded, log.redactor)}" for recorded in log.requests[-_LISTED:]]
    left = len(log.requests) + log.dropped - len(shown)
    return [
        "Requests received:",
        *([f"  … {left} before these"] if left else []),
        *(shown or ["  none"]),
    ]
