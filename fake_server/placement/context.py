"""One request to the Placement API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fake_server.common.context import ResourceContext
from fake_server.common.dialects.placement import PLACEMENT
from fake_server.common.errors import Forbidden, MethodNotAllowed, NotFound
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.placement import microversions
from fake_server.placement.errors import InvalidQuery
from fake_server.placement.policies import POLICIES


class PlacementContext(ResourceContext):
    """The context of a request, which handlers get."""

    policies = POLICIES
    dialect = PLACEMENT

    @property
    def base(self) -> str:
        """The path of the service."""
        return f"/{self.request.mount}"

    def refusal(self, policy: str) -> Forbidden:
        """Return the error for what a policy forbids."""
        return Forbidden(policy)

    def since(self, minor: int, *, method: bool = False) -> None:
        """Raise NotFound, or MethodNotAllowed for a newer method, before a version."""
        if self.minor < minor:
            raise MethodNotAllowed(self.request.method) if method else NotFound()

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


Handler = Callable[..., Response]
