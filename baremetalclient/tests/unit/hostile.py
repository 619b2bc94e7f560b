"""A server in whose answers everything is hostile: texts, types, statuses, headers and links."""

from __future__ import annotations

import json
import random
import unicodedata
from copy import deepcopy
from typing import Any

from baremetalclient.tests.unit.osc.everything import EVERYTHING
from baremetalclient.tests.unit.scripted import Reply, Request, ScriptedServer, fault

TEXTS = (
    *("\x1b[2J\x1b]0;title\x07", "\x9b31m", "\r\nHTTP/1.1 200 OK", "a\rb", "\x00", "\x7f\x08"),
    *("\u202eevil\u2066", "\u200b\u2060\ufeff", "\U000e0041", "\u2028\u2029\x85", "\ud800"),
    *("$(touch x)", "`id`", "'\"\\", "--all", "%s%n", "{0.__class__}", "../../etc/passwd", ""),
    *("é" * 5000, "x" * 100_000, "1e999", "NaN", "9999-99-99T99:99:99"),
)
VALUES: tuple[Any, ...] = (
    *TEXTS,
    *(None, True, -1, 2**64, 1e308, float("nan"), float("inf"), [], {}, [[]], [None], {"": {}}),
    *([{}], {"uuid": ["x"]}, [[[[[[]]]]]], {"a": {"\x1b": "\x1b"}}),
)
BODIES = (
    *(b"", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000, b"<html><title>\x1b[1mx</title>"),
    *(b"null", b"[]", b"0", b'"\\u001b"', b'{"uuid": "u", "uuid": "v"}'),
)
HEADERS: tuple[dict[str, str], ...] = (
    {"Content-Type": "text/\x1b[2J"},
    {"Content-Encoding": "gzip"},
    {"Retry-After": "-1"},
    {"Retry-After": "\xff"},
    {"X-OpenStack-Ironic-API-Minimum-Version": "9.9"},
    {"X-OpenStack-Ironic-API-Maximum-Version": "1.\x1b"},
    {"X-OpenStack-Ironic-API-Version": "latest"},
    {"OpenStack-Request-Id": "\x1b[2J\xff"},
    {"WWW-Authenticate": "Basic realm=\x1b[2J"},
)
STATUSES = (200, 200, 200, 200, 201, 204, 301, 302, 307, 400, 401, 403, 404, 409, 413, 500, 503)


class HostileServer(ScriptedServer):
    """Answers every request with something hostile, the same for the same seed.

    :param elsewhere: the URL of another server, which links and redirects lead to.
    """

    def __init__(self, seed: object, elsewhere: str) -> None:
        super().__init__()
        self._random = random.Random(str(seed))
        self._elsewhere = elsewhere
        # Clients hang up on it, which is no news.
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]

    def reply_to(self, request: Request) -> Reply:
        """Return what becomes of a request."""
        choose = self._random.choice
        kind = self._random.random()
        status = choose(STATUSES)
        headers = dict(choose(HEADERS)) if kind < 0.3 else {}
        if 300 <= status < 400:
            headers["Location"] = choose([self._elsewhere, "http://[", "\x1b", request.target, ""])
        if status >= 400:
            answer = fault(choose(TEXTS), status, **headers)
            return Reply(choose(BODIES), status, headers) if kind < 0.2 else answer
        if kind < 0.05:
            return Reply(EVERYTHING, status, headers, cut=kind < 0.02, truncated=True)
        if kind < 0.15:
            return Reply(choose(BODIES), status, headers)
        body = json.loads(json.dumps(EVERYTHING))
        for _ in range(choose([1, 2, 5, 20])):
            self._spoil(body)
        if choose([False, False, True]):
            body["next"] = deepcopy(choose([self._elsewhere, "x", request.target, *VALUES]))
        # What can't be sent as UTF-8 is sent as an escape.
        return Reply(json.dumps(body).encode(), status, headers)

    def _spoil(self, value: Any) -> None:
        """Replace something within a value."""
        while True:
            places = list(value) if isinstance(value, dict) else list(range(len(value)))
            place = self._random.choice(places)
            inner = value[place]
            if not isinstance(inner, dict | list) or not inner or self._random.random() < 0.1:
                value[place] = deepcopy(self._random.choice(VALUES))
                return
            value = inner


def unprintable(text: str) -> set[str]:
    """Return the characters of a text that a terminal may act on or that can't be seen."""
    found = {one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    return found - {"\n", "\t"}
