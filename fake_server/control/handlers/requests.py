"""``/_fake/requests``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...rest import encode
from ...wsgi import Response
from ..routing import ROUTES, known

if TYPE_CHECKING:
    from ...wsgi import Request
    from ..service import Control


@ROUTES.add("GET", "/_fake/requests")
def list_requests(control: Control, request: Request) -> Response:
    """List what was asked."""
    query = known(request.query, ("method", "path", "status"))
    status = query.get("status")
    if status is not None and not str(status).isdigit():
        raise ValueError(f"status has to be a number, not {status!r}.")
    found = control.requests.find(
        method=query.get("method"),
        path=query.get("path"),
        status=None if status is None else int(status),
    )
    return encode(200, {"requests": [entry.as_json() for entry in found]})


@ROUTES.add("DELETE", "/_fake/requests")
def clear_requests(control: Control, _request: Request) -> Response:
    """Forget what was asked."""
    control.requests.clear()
    return Response(204)
