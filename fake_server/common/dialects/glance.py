"""What Glance says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlencode

from fake_server.common import json_text
from fake_server.common.dialects.dialect import Dialect
from fake_server.common.errors import BadRequest, MethodNotAllowed, ServiceError
from fake_server.common.rest import encode, page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.common.dialects.dialect import Asked
    from fake_server.common.schemas import Checker
    from fake_server.common.wsgi import Request, Response


class Glance(Dialect):
    """What Glance says otherwise."""

    changes_by: ClassVar[str] = "PATCH"

    def body(self, request: Request) -> Any:
        """Return the body, an object."""
        try:
            body = json_text.parse(request.body)
        except ValueError:
            raise BadRequest("Malformed JSON in request body.") from None
        if not isinstance(body, dict):
            raise BadRequest("Request body must be a JSON object.")
        return body

    def check(self, checker: Checker, value: Any) -> None:
        """Raise BadRequest, with the name of the schema, unless a checker accepts a value."""
        if error := checker.best(value):
            raise BadRequest(
                f"Provided object does not match schema '{checker.name}': {error.message}"
            )

    def listed(
        self, ctx: Asked, path: str, items: Sequence[Any], following: str | None = None
    ) -> Response:
        """Return a page of a list, with the addresses of the first and the next one.

        :param path: that of the list below ``/v2``.
        :param following: the marker of the next page, if there may be one.
        """
        rest = {name: ctx.one_of(name) for name in ctx.request.query if name != "marker"}
        body = {path.rpartition("/")[-1]: items, "first": _address(path, rest)}
        if following is not None:
            body["next"] = _address(path, {**rest, "marker": following})
        return encode(200, {**body, "schema": f"/v2/schemas/{path}"})

    def render(
        self, error: ServiceError, request: Request | None = None, minor: int = 0
    ) -> Response:
        """Return the answer, in JSON if the client prefers that, as a page otherwise."""
        code, text = f"{error.status} {error.title}", str(error)
        if isinstance(error, MethodNotAllowed):
            text = f"The method {error.method} is not allowed for this resource. "
        accept = request and request.header("HTTP_ACCEPT")
        if accept and "application/json" not in accept:
            response = page(error.status, code, text)
        else:
            message = f"{text}<br /><br />\n\n\n"
            body = {"message": message, "code": code, "title": error.title}
            response = encode(error.status, body)
        if isinstance(error, MethodNotAllowed):
            response.headers.append(("Allow", ", ".join(error.allowed)))
        return response


GLANCE = Glance()


def _address(path: str, query: dict[str, Any]) -> str:
    return f"/v2/{path}" + (f"?{urlencode(query)}" if query else "")
