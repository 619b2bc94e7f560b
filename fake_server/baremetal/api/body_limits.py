"""Limits of the size and the nesting of request bodies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.baremetal.api import rendering

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response

MAX_DEPTH = 25
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
#: How many times as much as elsewhere fits in, by the end of the path.
_LARGER = {"states/provision": 64, "continue_inspection": 16}


def limit(path: str, ordinary: int) -> int:
    """Return how many bytes the body of a request to a path may have.

    :param ordinary: the limit for paths without one of their own.
    """
    path = path.rstrip("/")
    for ending, factor in _LARGER.items():
        if path.endswith(ending):
            return factor * ordinary
    return ordinary


def is_too_large(request: Request, limit: int) -> bool:
    """Return whether the body of a request is longer than a number of bytes."""
    announced = request.environ.get("CONTENT_LENGTH") or "0"
    if announced == "0" and "HTTP_TRANSFER_ENCODING" not in request.environ:
        return False
    if announced.isdecimal() and int(announced[:20]) > limit:
        return True
    return len(request.body) > limit


def refusal(request: Request) -> Response | None:
    """Refuse JSON that is nested too deeply, before anything parses it."""
    if "json" not in request.environ.get("CONTENT_TYPE", ""):
        return None
    if _depth(request.body) > MAX_DEPTH:
        return rendering.bare_fault(400, "Request body JSON is nested too deeply.")
    return None


def _depth(body: bytes) -> int:
    """Return how deep a JSON text is nested, without parsing it."""
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(_STRINGS.sub(b"", body)):
        if bracket[0] in b"{[":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return deepest
