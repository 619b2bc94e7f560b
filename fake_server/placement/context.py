"""One request to the Placement API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fake_server.common import json_text
from fake_server.common.context import Context
from fake_server.common.errors import (
    BadRequest,
    Forbidden,
    MethodNotAllowed,
    NotFound,
    UnsupportedMediaType,
)
from fake_server.common.rest import BadBodyError, decode, encode
from fake_server.common.wsgi import Request, Response
from fake_server.placement import microversions
from fake_server.placement.errors import InvalidQuery

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.common.schemas import Checker
    from fake_server.db.store import Transaction


class PlacementContext(Context):
    """The context of a request, which handlers get."""

    admin_roles = ("admin", "service")

    def __init__(self, request: Request, minor: int, tx: Transaction, clock: Clock) -> None:
        super().__init__(request, minor)
        self.tx = tx
        self.clock = clock

    @property
    def base(self) -> str:
        """The path of the service."""
        return f"/{self.request.mount}"

    def permit(self, policy: str, since: int = 0, *, own_project: str | None = None) -> None:
        """Raise Forbidden for all but administrators, services and readers of ``own_project``.

        :param since: the version that added the address; raises NotFound before it.
        """
        self.since(since)
        caller = self.caller
        if caller is None or self.is_admin:
            return
        if own_project is None or own_project != caller.project_id or not caller.has("reader"):
            raise Forbidden(f"placement:{policy}")

    def since(self, minor: int, *, method: bool = False) -> None:
        """Raise NotFound, or MethodNotAllowed for a newer method, before a version."""
        if self.minor < minor:
            raise MethodNotAllowed(self.request.method) if method else NotFound()

    def json(self, checker: Checker) -> dict[str, Any]:
        """Return the body, an object; raise UnsupportedMediaType or BadRequest for another."""
        self._require_json()
        try:
            body = decode(self.request)
        except BadBodyError as exc:
            raise BadRequest(f"Malformed JSON: {exc}") from None
        check(checker, body)
        return body

    def json_list(self, checker: Checker) -> list[Any]:
        """Return the body, a list; raise UnsupportedMediaType or BadRequest for another."""
        self._require_json()
        try:
            body = json_text.parse(self.request.body)
        except ValueError as exc:
            raise BadRequest(f"Malformed JSON: {exc}") from None
        check(checker, body)
        return list(body)

    def location(self, path: str) -> tuple[str, str]:
        """Return the header that names the address of what was created."""
        return ("Location", f"{self.request.host_url}{self.base}{path}")

    def one_of(self, name: str) -> str | None:
        """Return an argument of the query; the last one where it is repeated."""
        value = self.request.query.get(name)
        return value[-1] if isinstance(value, list) else value

    def only(self, *names: str) -> None:
        """Raise BadRequest for an unknown argument of the query."""
        for name in self.request.query:
            if name not in names:
                raise InvalidQuery(
                    f"Additional properties are not allowed ({name!r} was unexpected)"
                )

    def shown(self, body: Any, status: int = 200, *headers: tuple[str, str]) -> Response:
        """Return an answer in JSON."""
        return encode(status, body, *self.fresh(), *headers)

    def empty(self, status: int, *headers: tuple[str, str]) -> Response:
        """Return an answer without a body."""
        return Response(status, headers=list(headers))

    def fresh(self) -> list[tuple[str, str]]:
        """Return the headers that keep others from keeping the answer."""
        if self.minor < microversions.LAST_MODIFIED:
            return []
        moment = f"{self.clock.now():%a, %d %b %Y %H:%M:%S GMT}"
        return [("Cache-Control", "no-cache"), ("Last-Modified", moment)]

    def _require_json(self) -> None:
        kind = self.request.content_type
        if kind != "application/json":
            raise UnsupportedMediaType(
                f"The media type {kind or None} is not supported, use application/json"
            )


def check(checker: Checker, body: Any) -> None:
    """Raise BadRequest unless the checker accepts a body."""
    error = checker.best(body)
    if error is not None:
        raise BadRequest(f"JSON does not validate: {error}")


Handler = Callable[..., Response]
