"""What the Image service refuses; each error carries its status, one place renders it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response


class ImageError(Exception):
    """A refused request; subclasses say with which status."""

    status = 500

    def render(self) -> Response:
        """Return the answer."""
        phrase = HTTPStatus(self.status).phrase
        body = {"message": str(self), "code": f"{self.status} {phrase}", "title": phrase}
        return encode(self.status, body)


class BadRequest(ImageError):
    """The request can't be understood."""

    status = 400


class Forbidden(ImageError):
    """The client may not do this."""

    status = 403


class NotFound(ImageError):
    """There is no such thing."""

    status = 404


class MethodNotAllowed(ImageError):
    """The address knows other methods."""

    status = 405


class Conflict(ImageError):
    """Something is in the way."""

    status = 409
