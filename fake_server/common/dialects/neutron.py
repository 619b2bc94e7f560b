"""What Neutron says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from fake_server.common.dialects.dialect import Dialect
from fake_server.common.errors import BadRequest, MethodNotAllowed, ServiceError
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import BadBodyError, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.dialects.dialect import Asked
    from fake_server.common.schemas import Checker
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Record

#: Neutron's names of errors that have no name of their own.
_TYPES = {400: "HTTPBadRequest", 404: "HTTPNotFound", 405: "HTTPMethodNotAllowed"}
_MALFORMED = (
    "The server could not comply with the request since it is either malformed or otherwise "
    "incorrect."
)


class Neutron(Dialect):
    """What Neutron says otherwise."""

    #: What it says of bodies that are none.
    invalid = "Body contains invalid data"

    def body(self, request: Request) -> Any:
        """Return the body, an object; an empty one if there is none."""
        try:
            return decode(request)
        except BadBodyError:
            raise BadRequest(self.invalid) from None

    def check(self, checker: Checker, value: Any) -> None:
        """Raise BadRequest unless a checker accepts a value."""
        if checker.best(value):
            raise BadRequest(self.invalid)

    def page(
        self,
        ctx: Asked,
        rows: list[Record],
        plural: str,
        missing: Callable[[Any], ServiceError],
        key: str = "id",
    ) -> tuple[list[Record], dict[str, Any]]:
        """Return a page, and links to the next and the previous, as far as there may be some.

        :param key: what markers name a row by.
        """
        limit = _limit(ctx)
        if not limit:
            return rows, {}
        marker, start, end = ctx.one_of("marker"), 0, len(rows)
        backwards = str(ctx.one_of("page_reverse")).lower() == "true"
        if marker is not None:
            at = next((at for at, one in enumerate(rows) if one[key] == marker), None)
            if at is None:
                raise missing(marker)
            start, end = (0, at) if backwards else (at + 1, end)
        page = rows[max(start, end - limit) : end] if backwards else rows[start : start + limit]
        links, full = [], len(page) == limit
        if page and (full or backwards):
            links.append(_link(ctx, "next", marker=page[-1][key]))
        if page and (full or not backwards):
            links.append(_link(ctx, "previous", marker=page[0][key], page_reverse="True"))
        return page, {f"{plural}_links": links} if links else {}

    def render(
        self, error: ServiceError, request: Request | None = None, minor: int = 0
    ) -> Response:
        """Return the answer; the error's ``code`` is Neutron's name of it."""
        kind = error.code or _TYPES.get(error.status) or "".join(error.title.split())
        message = _MALFORMED if isinstance(error, MethodNotAllowed) else str(error)
        body = {"type": kind, "message": message, "detail": ""}
        return encode(error.status, {"NeutronError": body})


NEUTRON = Neutron()


def _limit(ctx: Asked) -> int:
    text = ctx.one_of("limit")
    limit = parse_integer(text, minimum=0)
    if text is not None and limit is None:
        raise BadRequest(
            f"Bad limit request: Limit must be an integer 0 or greater and not '{text}'.",
            "BadRequest",
        )
    return limit or 0


def _link(ctx: Asked, rel: str, **place: str) -> dict[str, str]:
    """Return a link to another page of a list."""
    query = parse_qsl(ctx.request.environ.get("QUERY_STRING", ""), keep_blank_values=True)
    asked = [(key, value) for key, value in query if key not in ("marker", "page_reverse")]
    path = f"{ctx.request.base_url}{ctx.request.path}"
    return {"rel": rel, "href": f"{path}?{urlencode([*asked, *place.items()])}"}
