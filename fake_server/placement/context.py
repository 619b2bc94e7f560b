"""One request to the Placement API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fake_server.common import json_text
from fake_server.common.context import Context
from fake_server.common.errors import BadRequest, Forbidden, MethodNotAllowed, NotFound
from fake_server.common.rest import encode
from fake_server.common.wsgi import Request, Response
from fake_server.placement import microversions
from fake_server.placement.errors import InvalidQuery, UnsupportedKind
from fake_server.placement.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.common.schemas import Checker
    from fake_server.db.store import Transaction


class PlacementContext(Context):
    """The context of a request, which handlers get."""

    policies = POLICIES

    def __init__(self, request: Request, minor: int, tx: Transaction, clock: Clock) -> None:
        super().__init__(request, minor)
        self.tx = tx
        self.clock = clock

    @property
    def base(self) -> str:
        """The path of the service."""
        return f"/{self.request.mount}"

    def permit(self, policy: str, since: int = 0) -> None:
        """Raise Forbidden unless a policy allows the client something.

        :param since: the version that added the address; raises NotFound before it.
        """
        self.since(since)
        self.require(policy, {})

    def refusal(self, policy: str) -> Forbidden:
        """Return the error for what a policy forbids."""
        return Forbidden(policy)

    def since(self, minor: int, *, method: bool = False) -> None:
        """Raise NotFound, or MethodNotAllowed for a newer method, before a version."""
        if self.minor < minor:
            raise MethodNotAllowed(self.request.method) if method else NotFound()

    def json(self, checker: Checker) -> Any:
        """Return the body; raise UnsupportedKind if it is no JSON, BadRequest if it isn't valid."""
        if self.request.content_type != "application/json":
            raise UnsupportedKind(self.request.content_type)
        try:
            body = json_text.parse(self.request.body)
        except ValueError as exc:
            raise BadRequest(f"Malformed JSON: {exc}") from None
        check(checker, body)
        return body

    def location(self, path: str) -> tuple[str, str]:
        """Return the header that names the address of what was created."""
        return ("Location", f"{self.request.host_url}{self.base}{path}")

    def only(self, *names: str) -> None:
        """Raise BadRequest for an unknown argument of the query."""
        for name in self.request.query:
            if name not in names:
                raise InvalidQuery(
                    f"Additional properties are not allowed ({name!r} was unexpected)"
                )

    def shown(
        self, body: Any, status: int = 200, *headers: tuple[str, str], modified: bool = True
    ) -> Response:
        """Return an answer in JSON.

        :param modified: whether what it shows has a time of modification.
        """
        return encode(status, body, *self.fresh(modified=modified), *headers)

    def empty(self, status: int, *headers: tuple[str, str]) -> Response:
        """Return an answer without a body."""
        return Response(status, headers=list(headers))

    def fresh(self, *, modified: bool = True) -> list[tuple[str, str]]:
        """Return the headers that keep others from keeping the answer."""
        if self.minor < microversions.LAST_MODIFIED:
            return []
        headers = [("Cache-Control", "no-cache")]
        if modified:
            moment = f"{self.clock.now():%a, %d %b %Y %H:%M:%S GMT}"
            headers.append(("Last-Modified", moment))
        return headers


def check(checker: Checker, body: Any) -> None:
    """Raise BadRequest unless the checker accepts a body."""
    error = checker.best(body)
    if error is not None:
        raise BadRequest(f"JSON does not validate: {error}")


Handler = Callable[..., Response]
