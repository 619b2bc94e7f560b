"""The handlers of the recorded requests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.common.parsing import parse_integer
from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response
from fake_server.control import expectations, har
from fake_server.control.operations import Operations, query, typed_body

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control

OPERATIONS = Operations()
#: The greatest limit.
_LARGEST = 10**9 - 1
_FORMATS = ("json", "har")
_FILTERS = {
    "method": "only requests with this method",
    "path": "only those for these paths; * stands for any characters",
    "status": "only those with this status, or one of a class such as 4xx",
    "node": "only those with this UUID or name in the path",
    "version": "only those with this microversion",
    "id": "only this one",
    "limit": "only the last ones, this many",
    "format": "json, or har for an HTTP Archive",
}
_STATUS = re.compile(r"[0-9]{1,3}|[1-5]xx")


@OPERATIONS.add("GET", "/_fake/requests", query=_FILTERS, answers="RequestsOrArchive")
def list_requests(control: Control, request: Request) -> Response:
    """List the requests."""
    filters: dict[str, Any] = dict(query(request, _FILTERS))
    form = filters.pop("format", "json")
    if form not in _FORMATS:
        raise ValueError(f"format has to be one of {', '.join(_FORMATS)}, not {form!r}.")
    if "status" in filters and not _STATUS.fullmatch(filters["status"]):
        raise ValueError(f"status has to be a number, or one like 4xx, not {filters['status']!r}.")
    if "limit" in filters:
        limit = parse_integer(filters["limit"], maximum=_LARGEST, strict=True)
        if limit is None:
            raise ValueError(f"limit has to be a number, not {filters['limit']!r}.")
        filters["limit"] = limit
    found, log = control.requests.find(**filters), control.requests.log()
    if form == "har":
        return encode(200, har.archive(found, log.redactor))
    requests = [recorded.as_json(log.redactor) for recorded in found]
    seed = {"seed": control.delays.seed} if control.delays.are_drawn else {}
    return encode(200, {"requests": requests, "dropped": log.dropped, **seed})


@OPERATIONS.add(
    *("POST", "/_fake/requests/verify"),
    takes="ExpectationOrOrder",
    answers="Matched",
    otherwise={409: "Mismatch"},
)
def verify_requests(control: Control, request: Request) -> Response:
    """Check that a request was received as expected, or several in an order."""
    log = control.requests.log()
    if "order" in decode(request):
        steps = typed_body(request, "Order")["order"]
        if not all(_is_step(step) for step in steps):
            raise ValueError("order has to be a list of pairs of method and path.")
        verdict = expectations.verify_order(log, steps)
    else:
        wanted = typed_body(request, "Expectation")
        times, absent = wanted.pop("times", None), wanted.pop("absent", False)
        if times is not None and (times < 0 or absent):
            raise ValueError("times has to be a number from 0 on, and not together with absent.")
        expected = expectations.Expectation(**wanted)
        verdict = expectations.verify(log, expected, times, absent=absent)
    if verdict.message is None:
        return encode(200, {"matched": verdict.matched})
    return encode(409, {"message": verdict.message, "nearest": verdict.nearest})


@OPERATIONS.add("DELETE", "/_fake/requests")
def clear_requests(control: Control, _request: Request) -> Response:
    """Remove all recorded requests."""
    control.requests.clear()
    return Response(204)


def _is_step(step: Any) -> bool:
    return isinstance(step, list) and len(step) == 2 and all(isinstance(text, str) for text in step)
