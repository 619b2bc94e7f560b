"""The error responses of the Image service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.common.errors import ServiceError
    from fake_server.common.wsgi import Response


def render(error: ServiceError) -> Response:
    """Return the answer."""
    code = f"{error.status} {error.title}"
    return encode(error.status, {"message": str(error), "code": code, "title": error.title})
