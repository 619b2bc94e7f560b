"""What Nova says otherwise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlencode

from fake_server.common import json_text, microversions
from fake_server.common.dialects.dialect import Dialect
from fake_server.common.errors import BadRequest, ServiceError, UnknownAddress
from fake_server.common.lists import after
from fake_server.common.microversions import HEADER
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import named_fault, page

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from fake_server.common.dialects.dialect import Asked
    from fake_server.common.schemas import Checker
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Record

_FORM = re.compile(r"[1-9][0-9]*\.(0|[1-9][0-9]*)")
_OLD_HEADER = "X-OpenStack-Nova-API-Version"


def bad_number(name: str, text: str) -> BadRequest:
    """Return the error for an argument of a query that is no number."""
    return bad_query(name, text, f"'{text}' does not match '^[0-9]*$'")


def bad_query(name: str, text: str, problem: str) -> BadRequest:
    """Return the error for an argument of a query that isn't valid."""
    return BadRequest(f"Invalid input for query parameters {name}. Value: {text}. {problem}")


def _no_marker(marker: Any) -> BadRequest:
    return BadRequest(f"marker [{marker}] not found")


class Nova(Dialect):
    """What Nova says otherwise.

    :param maximum: the newest minor version that is offered.
    """

    #: One past what Nova 34 offers, for the specification "Volume multiattach enhancements".
    newest: ClassVar[int] = 105

    major: ClassVar[int] = 2
    minimum: ClassVar[int] = 1
    statuses: ClassVar[Mapping[str, int]] = {"create": 200, "update": 200, "delete": 202}

    def __init__(self, maximum: int = newest) -> None:
        self.maximum = maximum

    def negotiate(self, request: Request) -> int:
        """Return the minor version that a request is for."""
        return microversions.negotiate(
            _wanted(request), _FORM.pattern, self.major, self.minimum, self.maximum
        )

    def body(self, request: Request) -> Any:
        """Return the body, an object; an empty one if there is none."""
        try:
            body = json_text.parse(request.body or b"{}")
        except ValueError:
            raise BadRequest("Malformed request body") from None
        if not isinstance(body, dict):
            raise BadRequest(f"{body!r} is not of type 'object'")
        return body

    def check(self, checker: Checker, value: Any) -> None:
        """Raise BadRequest unless a checker accepts a value."""
        if problem := checker.problem(value):
            raise BadRequest(problem)

    def action(self, body: Any, known: Collection[str]) -> str:
        """Return the action that a body asks for; raise BadRequest for an unknown one."""
        if len(body) != 1:
            raise BadRequest("Malformed request body")
        (name,) = body
        if name not in known:
            raise BadRequest(f"There is no such action: {name}")
        return str(name)

    def page(
        self,
        ctx: Asked,
        rows: list[Record],
        plural: str,
        missing: Callable[[Any], ServiceError] = _no_marker,
        key: str = "id",
    ) -> tuple[list[Record], dict[str, Any]]:
        """Return a page, and the link to the next where this one is full.

        :param key: the column that markers are of.
        """
        marker, limit = ctx.one_of("marker"), ctx.one_of("limit")
        rows = after(rows, marker, missing(marker), key)
        if limit is None:
            return rows, {}
        count = parse_integer(limit, strict=True)
        if count is None:
            raise bad_number("limit", limit)
        if not count or len(rows) < count:
            return rows[:count], {}
        query = {name: one for name, one in sorted(ctx.request.query.items()) if name != "marker"}
        following = urlencode({**query, "marker": rows[count - 1][key]}, doseq=True)
        href = f"{ctx.request.base_url}{ctx.request.path}?{following}"
        return rows[:count], {f"{plural}_links": [{"rel": "next", "href": href}]}

    def render(
        self, error: ServiceError, request: Request | None = None, minor: int = 0
    ) -> Response:
        """Return the answer: below the name of its status, but a page for unknown addresses."""
        if isinstance(error, UnknownAddress):
            return page(error.status, f"{error.status} {error.title}", str(error))
        answer = named_fault(error.status, str(error))
        answer.headers[:] = [("Content-Type", "application/json; charset=UTF-8")]
        return answer

    def headers(self, request: Request, minor: int) -> list[tuple[str, str]]:
        """Return the headers that tell the version, unless the request asks for what is none."""
        ident = ("x-compute-request-id", request.id)
        version = _shown(request, f"{self.major}.{minor}")
        if version is None or not request.has_route:
            return [ident]
        return [
            (HEADER, f"compute {version}"),
            (_OLD_HEADER, version),
            ("Vary", f"{HEADER}, {_OLD_HEADER}"),
            ident,
        ]


NOVA = Nova()


def _wanted(request: Request) -> str | None:
    old = request.header("HTTP_X_OPENSTACK_NOVA_API_VERSION")
    return microversions.requested(request, "compute") or old


def _shown(request: Request, answered: str) -> str | None:
    wanted = _wanted(request)
    if wanted is None or wanted.lower() == "latest":
        return answered
    return wanted if _FORM.fullmatch(wanted) else None
