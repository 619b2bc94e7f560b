"""``/_fake/requests``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.control import har
from fake_server.control.routing import ROUTES, known

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control

_FILTERS = ("method", "path", "status", "node", "version", "limit")
_FORMATS = ("json", "har")
_STATUS = re.compile(r"[0-9]{1,3}|[1-5]xx")


@ROUTES.add("GET", "/_fake/requests")
def list_requests(control: Control, request: Request) -> Response:
    """List the requests."""
    query: dict[str, Any] = dict(known(request.query, (*_FILTERS, "format")))
    for name, value in query.items():
        if not isinstance(value, str):
            raise ValueError(f"{name} is there more than once.")
    form = query.pop("format", "json")
    if form not in _FORMATS:
        raise ValueError(f"format has to be one of {', '.join(_FORMATS)}, not {form!r}.")
    if "status" in query and not _STATUS.fullmatch(query["status"]):
        raise ValueError(f"status has to be a number, or one like 4xx, not {query['status']!r}.")
    if "limit" in query:
        if not query["limit"].isdecimal() or len(query["limit"]) > 9:
            raise ValueError(f"limit has to be a number, not {query['limit']!r}.")
        query["limit"] = int(query["limit"])
    found = control.requests.find(**query)
    if form == "har":
        return encode(200, har.archive(found))
    return encode(200, {"requests": [recorded.as_json() for recorded in found]})


@ROUTES.add("DELETE", "/_fake/requests")
def clear_requests(control: Control, _request: Request) -> Response:
    """Remove all recorded requests."""
    control.requests.clear()
    return Response(204)
