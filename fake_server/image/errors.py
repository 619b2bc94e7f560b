"""The error responses of the Image service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import (
    Conflict,
    Forbidden,
    MethodNotAllowed,
    UnsupportedMediaType,
)
from fake_server.common.rest import encode, page

if TYPE_CHECKING:
    from fake_server.common.errors import ServiceError
    from fake_server.common.wsgi import Response


class NotPermitted(Forbidden):
    """The client may not do this at all."""

    form = "Access was denied to this resource.<br /><br />\n{}"


class NoSuchProperty(Conflict):
    """An image has no such property."""

    form = (
        "There was a conflict when trying to complete your request.<br /><br />\n"
        "Property {} does not exist."
    )


class UnsupportedKind(UnsupportedMediaType):
    """The media type of the body is not supported."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(
            f"The request media type {kind or None} is not supported by this server."
            f"<br /><br />\n{detail}"
        )


def render(error: ServiceError, accept: str = "application/json") -> Response:
    """Return the answer, in JSON if the client prefers that, as a page otherwise."""
    code = f"{error.status} {error.title}"
    text = str(error)
    if isinstance(error, MethodNotAllowed):
        text = f"The method {error.method} is not allowed for this resource. "
    if accept and "application/json" not in accept:
        response = page(error.status, code, text)
    else:
        message = f"{text}<br /><br />\n\n\n"
        response = encode(error.status, {"message": message, "code": code, "title": error.title})
    if isinstance(error, MethodNotAllowed):
        response.headers.append(("Allow", ", ".join(error.allowed)))
    return response
