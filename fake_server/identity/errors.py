"""The error responses of the Identity service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import Forbidden, MethodNotAllowed, NotFound, ServiceError
from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response


def render(error: ServiceError) -> Response:
    """Return the answer."""
    message = str(error)
    if isinstance(error, MethodNotAllowed):
        message = "The method is not allowed for the requested URL."
    body = {"code": error.status, "message": message, "title": error.title}
    return encode(error.status, {"error": body})


def forbidden(action: str) -> Forbidden:
    """Return the error for an action of Keystone's policy."""
    return Forbidden(f"You are not authorized to perform the requested action: identity:{action}.")


def not_found(kind: str, ident: str) -> NotFound:
    """Return the error for something that isn't there."""
    return NotFound(f"Could not find {kind}: {ident}.")
