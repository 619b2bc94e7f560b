"""What Keystone says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.common.dialects.dialect import Dialect
from fake_server.common.errors import (
    MethodNotAllowed,
    ServiceError,
    Unauthorized,
    UnknownAddress,
)
from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request

_NO_PAGE = (
    "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"
    "<p>The requested URL was not found on the server. If you entered the URL manually please "
    "check your spelling and try again.</p>\n"
)


class Keystone(Dialect):
    """What Keystone says otherwise."""

    changes_by: ClassVar[str] = "PATCH"
    reads_by: ClassVar[str] = "GET HEAD"

    def body(self, request: Request) -> Any:
        """Return the body, an object; an empty one if there is none."""
        return decode(request)

    def render(
        self, error: ServiceError, request: Request | None = None, minor: int = 0
    ) -> Response:
        """Return the answer, which tells where there are tokens if one is needed."""
        if isinstance(error, UnknownAddress):
            headers = [("Content-Type", "text/html; charset=utf-8")]
            return Response(error.status, _NO_PAGE.encode(), headers)
        if isinstance(error, MethodNotAllowed):
            text = "The method is not allowed for the requested URL."
            return encode(error.status, {"message": text})
        body = {"code": error.status, "message": str(error), "title": error.title, **error.extra}
        response = encode(error.status, {"error": body})
        if isinstance(error, Unauthorized) and request is not None:
            where = f'Keystone uri="{request.base_url}"'
            response.headers.append(("WWW-Authenticate", where))
        return response

    def headers(self, request: Request, minor: int) -> list[tuple[str, str]]:
        """Return the headers of all answers."""
        return [("Vary", "X-Auth-Token")]


KEYSTONE = Keystone()
