"""What a service says otherwise than others: versions, bodies, pages, errors and headers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from fake_server.common.errors import BadRequest, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from datetime import datetime

    from fake_server.common.errors import ServiceError
    from fake_server.common.schemas import Checker
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Record


class Asked(Protocol):
    """What pages need to know of a request."""

    request: Request
    minor: int

    def one_of(self, name: str) -> str | None:
        """Return an argument of the query, which may be repeated."""

    def flag(self, name: str) -> bool:
        """Return a boolean of the query; raise BadRequest for anything else."""


class Dialect(ABC):
    """What a service says otherwise than others; subclasses are those of the services."""

    #: The minor version of requests that name none.
    minimum: ClassVar[int] = 0
    #: The method of requests that change a resource.
    changes_by: ClassVar[str] = "PUT"
    #: The methods of requests that read.
    reads_by: ClassVar[str] = "GET"
    #: The status of answers, by what was done.
    statuses: ClassVar[Mapping[str, int]] = {"create": 201, "update": 200, "delete": 204}

    def negotiate(self, request: Request) -> int:
        """Return the minor version that a request is for.

        :raises BadRequest: for what is no version.
        :raises NotAcceptable: for a version that the service doesn't offer.
        """
        return self.minimum

    @abstractmethod
    def body(self, request: Request) -> Any:
        """Return the body of a request, decoded.

        :raises BadRequest: if it can't be read.
        :raises UnsupportedMediaType: where the service looks at the media type.
        """

    def check(self, checker: Checker, value: Any) -> None:
        """Raise BadRequest, in the words of the service, unless a checker accepts a value."""
        if problem := checker.best(value):
            raise BadRequest(problem.message)

    def action(self, body: Any, known: Collection[str]) -> str:
        """Return the action that a body asks for; raise BadRequest for an unknown one."""
        raise NotFound

    def page(
        self,
        ctx: Asked,
        rows: list[Record],
        plural: str,
        missing: Callable[[Any], ServiceError],
    ) -> tuple[list[Record], dict[str, Any]]:
        """Return the rows that an answer lists, and what it says beside them.

        :param plural: what the API calls them.
        :param missing: makes the error for a marker that isn't there.
        :raises BadRequest: for an order, a limit or the like that isn't one.
        """
        return rows, {}

    def moment(self, moment: datetime) -> str:
        """Return a moment as the service shows it."""
        return f"{moment:%Y-%m-%dT%H:%M:%S.%f}"

    @abstractmethod
    def render(
        self, error: ServiceError, request: Request | None = None, minor: int = 0
    ) -> Response:
        """Return an error as the service shows it.

        :param request: the request that is refused, where there is one.
        :param minor: the version that it was for.
        """

    def headers(self, request: Request, minor: int) -> list[tuple[str, str]]:
        """Return the headers of all answers, beside the id of the request."""
        return []
