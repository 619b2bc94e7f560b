"""One request to the Compute API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fake_server.common.rest import BadBodyError, decode
from fake_server.common.wsgi import Request, Response
from fake_server.compute import microversions
from fake_server.compute.clients import Client
from fake_server.compute.errors import BadRequest, Forbidden, NotFound

if TYPE_CHECKING:
    from fake_server.common.schemas import Checker
    from fake_server.compute.session import Session
    from fake_server.db.store import Record
    from fake_server.identity.caller import Caller

#: Whose servers they are where nobody has to tell who he is.
NOBODY = "admin"
_TRUE = ("1", "true", "True", "yes", "on", "t", "y")


class Call:
    """What a handler works with.

    :param base: the address of the service, without ``/v2.1``.
    :param minor: the minor version that the request is for.
    """

    def __init__(self, request: Request, session: Session, *, base: str, minor: int) -> None:
        self.request = request
        self.session = session
        self.base = base
        self.minor = minor

    @property
    def caller(self) -> Caller | None:
        """Who sends the request; ``None`` where nobody is asked."""
        return self.request.caller

    @property
    def is_admin(self) -> bool:
        """Whether the client may look after everybody's servers."""
        return self.caller is None or self.caller.has("admin")

    @property
    def project_id(self) -> str:
        """The project that new servers belong to."""
        return (self.caller.project_id if self.caller else None) or NOBODY

    @property
    def user_id(self) -> str:
        """The user that new servers are from."""
        return self.caller.user_id if self.caller else NOBODY

    @property
    def reach(self) -> str | None:
        """The project whose servers can be named; ``None`` for all."""
        return None if self.is_admin else self.project_id

    @property
    def client(self) -> Client:
        """Who asks for servers."""
        return Client(self.caller, self.project_id, self.user_id, self.reach)

    def listed_project(self) -> str | None:
        """Return the project whose servers a list shows; ``None`` for all."""
        wants_all = self.flag("all_tenants")
        if wants_all and not self.is_admin:
            raise Forbidden.action("os_compute_api:servers:detail:get_all_tenants")
        if self.caller is None or wants_all:
            return None
        return self.project_id

    def require_admin(self, policy: str) -> None:
        """Refuse who may not do something.

        :raises Forbidden: naming the policy.
        """
        if not self.is_admin:
            raise Forbidden.action(f"os_compute_api:{policy}")

    def require_member(self, policy: str) -> None:
        """Refuse who may only read.

        :raises Forbidden: naming the policy.
        """
        if self.caller and not self.caller.has("member"):
            raise Forbidden.action(f"os_compute_api:{policy}")

    def since(self, minor: int) -> None:
        """Refuse an address that the version doesn't know.

        :raises NotFound: before that version.
        """
        if self.minor < minor:
            raise NotFound

    def json(self, checker: Checker) -> dict[str, Any]:
        """Return the body.

        :param checker: what it has to be.
        :raises BadRequest: if it is something else.
        """
        try:
            body = decode(self.request)
        except BadBodyError as exc:
            raise BadRequest(f"Malformed request body: {exc}") from None
        error = checker.best(body)
        if error is not None:
            raise BadRequest(_explained(error))
        return body

    def only(self, *names: str) -> None:
        """Refuse arguments of the query that aren't known, where the version does so.

        :raises BadRequest: naming one.
        """
        if self.minor < microversions.STRICT_QUERIES:
            return
        for name in self.request.query:
            if name not in names:
                raise BadRequest(f"Additional properties are not allowed ('{name}' was unexpected)")

    def one_of(self, name: str) -> str | None:
        """Return an argument of the query; the first one where it is repeated."""
        value = self.request.query.get(name)
        return value[0] if isinstance(value, list) else value

    def flag(self, name: str) -> bool:
        """Tell whether an argument of the query is true."""
        return self.one_of(name) in _TRUE

    def page(self, rows: list[Record], kind: str) -> tuple[list[Record], dict[str, Any]]:
        """Return the wanted page of some rows, and the link to the next one.

        :param kind: what the rows are called in answers.
        :raises BadRequest: for a marker or a limit that can't be.
        """
        marker, limit = self.one_of("marker"), self.one_of("limit")
        if marker is not None:
            positions = [position for position, row in enumerate(rows) if row["id"] == marker]
            if not positions:
                raise BadRequest(f"marker [{marker}] not found")
            rows = rows[positions[0] + 1 :]
        if limit is None:
            return rows, {}
        if not limit.isdecimal():
            raise BadRequest(
                f"Invalid input for query parameters limit. Value: {limit}. '{limit}' does not "
                "match '^[0-9]*$'"
            )
        count = int(limit)
        if not count or len(rows) <= count:
            return rows, {}
        query = {**self.request.query, "marker": rows[count - 1]["id"]}
        href = f"{self.base}{self.request.path}?{urlencode(query, doseq=True)}"
        return rows[:count], {f"{kind}_links": [{"rel": "next", "href": href}]}

    def links(self, path: str) -> list[dict[str, str]]:
        """Return the links of something."""
        return [
            {"rel": "self", "href": f"{self.base}/v2.1/{path}"},
            {"rel": "bookmark", "href": f"{self.base}/{path}"},
        ]


Handler = Callable[..., Response]


def _explained(error: Any) -> str:
    """Return what is wrong with a body, in the words of Nova's validation."""
    path = list(error.absolute_path)
    if not path:
        return str(error.message)
    return f"Invalid input for field/attribute {path[-1]}. Value: {error.instance}. {error.message}"
