"""What the Identity service refuses; each error carries its status, and one place renders it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response


class IdentityError(Exception):
    """A refused request.

    :param message: what the client is told.
    """

    status = 500
    message = ""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self.message)

    def render(self) -> Response:
        """Return the answer."""
        title = HTTPStatus(self.status).phrase
        return encode(
            self.status, {"error": {"code": self.status, "message": str(self), "title": title}}
        )


class BadRequest(IdentityError):
    """The request can't be understood."""

    status = 400


class Unauthorized(IdentityError):
    """Nothing proves who the client is."""

    status = 401
    message = "The request you have made requires authentication."


class Forbidden(IdentityError):
    """The client may not do this."""

    status = 403

    @classmethod
    def action(cls, name: str) -> Forbidden:
        """Return the error for an action of Keystone's policy."""
        return cls(f"You are not authorized to perform the requested action: identity:{name}.")


class NotFound(IdentityError):
    """There is no such thing."""

    status = 404
    message = "The resource could not be found."

    @classmethod
    def thing(cls, kind: str, ident: str) -> NotFound:
        """Return the error for something that isn't there."""
        return cls(f"Could not find {kind}: {ident}.")


class MethodNotAllowed(IdentityError):
    """The address knows other methods."""

    status = 405
    message = "The method is not allowed for the requested URL."


class Conflict(IdentityError):
    """There is one already."""

    status = 409
