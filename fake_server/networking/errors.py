"""How the Networking service shows what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import MethodNotAllowed
from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.common.errors import ServiceError
    from fake_server.common.wsgi import Response

#: Neutron's names of errors that have no name of their own.
_TYPES = {400: "HTTPBadRequest", 404: "HTTPNotFound", 405: "HTTPMethodNotAllowed"}


def render(error: ServiceError) -> Response:
    """Return the answer; the error's ``code`` is Neutron's name of it."""
    kind = error.code or _TYPES.get(error.status) or "".join(error.title.split())
    not_allowed = isinstance(error, MethodNotAllowed)
    message = "The method is not allowed." if not_allowed else str(error)
    body = {"type": kind, "message": message, "detail": ""}
    return encode(error.status, {"NeutronError": body})
