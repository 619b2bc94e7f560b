"""What Cinder says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlencode

from fake_server.common import json_text, microversions
from fake_server.common.dialects.dialect import Dialect
from fake_server.common.errors import (
    BadRequest,
    ServiceError,
    UnknownAddress,
    UnsupportedMediaType,
)
from fake_server.common.lists import after, ordered
from fake_server.common.microversions import HEADER
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import encode, named_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from fake_server.common.dialects.dialect import Asked
    from fake_server.common.schemas import Checker
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Record

_MEDIA_TYPES = ("", "application/json", "application/vnd.openstack.volume+json")
_LARGEST = 2**31 - 1
#: Columns by what any list is sorted by.
_SORT_KEYS = {
    **{name: name for name in ("id", "name", "status", "size", "created_at", "updated_at")},
    **{name: name for name in ("availability_zone", "bootable", "volume_id", "user_id")},
    "display_name": "name",
    "project_id": "project_id",
}


class InvalidInput(BadRequest):
    """A value is invalid."""

    form = "Invalid input received: {}"


class OverLimit(ServiceError):
    """A project has as much as it may have.

    :param name: Cinder's name of the error, which it shows unless a handler catches that error.
    """

    status = 413

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name
        self.text = text


class Cinder(Dialect):
    """What Cinder says otherwise."""

    major: ClassVar[int] = 3
    maximum: ClassVar[int] = 71
    statuses: ClassVar[Mapping[str, int]] = {"create": 202, "update": 200, "delete": 202}
    #: ``with_count`` of lists.
    _COUNT = 45

    def negotiate(self, request: Request) -> int:
        """Return the minor version that a request is for."""
        wanted = microversions.requested(request, "volume", "block-storage")
        return microversions.negotiate(wanted, r"[0-9]+\.[0-9]+", self.major, 0, self.maximum)

    def body(self, request: Request) -> Any:
        """Return the body, whatever JSON it is."""
        if request.content_type not in _MEDIA_TYPES:
            raise UnsupportedMediaType("Unsupported Content-Type")
        try:
            return json_text.parse(request.body)
        except ValueError:
            raise BadRequest("Malformed request body") from None

    def check(self, checker: Checker, value: Any) -> None:
        """Raise BadRequest unless a checker accepts a value."""
        if problem := checker.problem(value):
            raise BadRequest(problem)

    def action(self, body: Any, known: Collection[str]) -> str:
        """Return the action that a body asks for; raise BadRequest for an unknown one."""
        if not isinstance(body, dict) or len(body) != 1:
            raise BadRequest("Malformed request body")
        (name,) = body
        if name not in known:
            raise BadRequest(
                f"There is no such action: {name}. Verify the request body and Content-Type header "
                "and try again."
            )
        return str(name)

    def page(
        self,
        ctx: Asked,
        rows: list[Record],
        plural: str,
        missing: Callable[[Any], ServiceError],
    ) -> tuple[list[Record], dict[str, Any]]:
        """Return a page, and the link to the next where this one is full, whether there is more."""
        query, more = ctx.request.query, dict[str, Any]()
        if ctx.minor >= self._COUNT and ctx.flag("with_count"):
            more["count"] = len(rows)
        limit, offset = _count(ctx, "limit", "limit param"), _count(ctx, "offset", "offset")
        marker = query.get("marker")
        rows = after(_sorted(rows, query), marker, missing(marker or ""))
        page = rows[offset or 0 :][:limit]
        if page and len(page) == limit:
            following = urlencode({**query, "marker": page[-1]["id"]}, doseq=True)
            href = f"{ctx.request.base_url}{ctx.request.path}?{following}"
            more[f"{plural}_links"] = [{"rel": "next", "href": href}]
        return page, more

    def render(
        self, error: ServiceError, request: Request | None = None, minor: int = 0
    ) -> Response:
        """Return the answer: below the name of its status, but for unknown addresses."""
        if isinstance(error, UnknownAddress):
            message = f"{UnknownAddress.default}<br /><br />\n\n\n"
            body = {"message": message, "code": "404 Not Found", "title": "Not Found"}
            return encode(404, body)
        extra = {"retryAfter": "0"} if isinstance(error, OverLimit) else {}
        return named_fault(error.status, str(error), **extra)

    def headers(self, request: Request, minor: int) -> list[tuple[str, str]]:
        """Return the headers that tell the version, if the request was for one."""
        if minor < 0 or not request.has_route:
            return []
        return [(HEADER, f"volume {self.major}.{minor}"), ("Vary", HEADER)]


CINDER = Cinder()


def _count(ctx: Asked, name: str, what: str) -> int | None:
    text = ctx.one_of(name)
    number = parse_integer(text, maximum=_LARGEST)
    if text is not None and number is None:
        raise BadRequest(f"{what} must be an integer")
    if number is not None and number < 0:
        least = "positive" if name == "limit" else ">= 0"
        raise BadRequest(f"{what} must be {least}")
    return number


def _sorted(rows: list[Record], query: Mapping[str, Any]) -> list[Record]:
    """Return rows, which are in the usual order, in the order that a query asks for."""
    text = query.get("sort")
    old = "sort_key" in query or "sort_dir" in query
    if text is not None and old:
        raise BadRequest(
            "The 'sort_key' and 'sort_dir' parameters are deprecated and cannot be used with the "
            "'sort' parameter."
        )
    if old:
        text = f"{query.get('sort_key', 'created_at')}:{query.get('sort_dir', 'desc')}"
    order = []
    for part in str(text).split(",") if text else []:
        name, _, direction = part.strip().partition(":")
        if direction not in ("", "asc", "desc"):
            raise InvalidInput("Unknown sort direction, must be 'desc' or 'asc'.")
        if name not in _SORT_KEYS:
            raise InvalidInput("Invalid sort key")
        order.append((_SORT_KEYS[name], direction != "asc"))
    return ordered(rows, order)
