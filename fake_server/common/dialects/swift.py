"""What Swift says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.dialect import Dialect
from fake_server.common.errors import MethodNotAllowed, ServiceError
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.wsgi import Request

#: What is said of a status, where an error says nothing itself.
_REASONS: Mapping[int, str] = {
    400: "The server could not comply with the request since it is either malformed or "
    "otherwise incorrect.",
    401: "This server could not verify that you are authorized to access the document you "
    "requested.",
    403: "Access was denied to this resource.",
    404: "The resource could not be found.",
    405: "The method is not allowed for this resource.",
    409: "There was a conflict when trying to complete your request.",
    412: "A precondition for this request was not met.",
    422: "Unable to process the contained instructions",
}


class Swift(Dialect):
    """What Swift says otherwise: bodies are data, and errors are pages."""

    def body(self, request: Request) -> Any:
        """Return the body as it is."""
        return request.body

    def render(
        self, error: ServiceError, request: Request | None = None, minor: int = 0
    ) -> Response:
        """Return an error: what it says, or a page about its status."""
        reason = _REASONS.get(error.status, error.title)
        text = error.message or f"<html><h1>{error.title}</h1><p>{reason}</p></html>"
        response = Response(
            error.status, text.encode(), [("Content-Type", "text/html; charset=UTF-8")]
        )
        if isinstance(error, MethodNotAllowed):
            response.headers.append(("Allow", ", ".join(error.allowed)))
        if error.status == 401:
            response.headers.append(("WWW-Authenticate", 'Swift realm="unknown"'))
        return response

    def headers(self, request: Request, minor: int) -> list[tuple[str, str]]:
        """Return the headers of all answers."""
        return [("X-Trans-Id", f"tx{request.id.removeprefix('req-').replace('-', '')[:21]}")]


SWIFT = Swift()
