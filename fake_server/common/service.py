"""The base of the services beside Ironic: how each of them answers a request."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

from fake_server.common.errors import MethodNotAllowed, ServiceError, UnknownAddress

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from fake_server.common.context import Context
    from fake_server.common.dialects.dialect import Dialect
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction


class Service(ABC):
    """Answers requests to one service.

    :param lab: what it shares with the other services.
    """

    #: What it says otherwise than others.
    dialect: Dialect
    #: The handlers of its addresses, each with the policies that it enforces.
    routes: ClassVar[GuardedRoutes[Callable[..., Response]]]
    #: Pattern of its addresses, where ``routes`` have the group ``rest`` alone.
    address: ClassVar[re.Pattern[str] | None] = None
    #: Whether an address with a slash at its end is another one, which there isn't.
    exact_addresses: ClassVar[bool] = False
    #: Whether an address is unknown to methods that it hasn't, instead of not allowing them.
    hides_addresses: ClassVar[bool] = False
    #: The minor version of requests that name none, or none that is offered.
    minimum: ClassVar[int] = 0

    def __init__(self, lab: Lab) -> None:
        self.lab = lab

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        document = self.document(request)
        if document is not None:
            return document
        minor = self.minimum
        try:
            minor = self.negotiate(request)
            response = self.serve(request, minor)
        except ServiceError as exc:
            request.has_route = not isinstance(exc, UnknownAddress)
            response = self.render(exc, request, minor)
        response.headers += self.headers(request, minor)
        response.headers.append(("x-openstack-request-id", request.id))
        return response

    def document(self, request: Request) -> Response | None:
        """Return a document about the versions of the service, which needs no version itself."""
        return None

    def negotiate(self, request: Request) -> int:
        """Return the minor version that a request is for.

        :raises ServiceError: if the service doesn't offer it.
        """
        return self.dialect.negotiate(request)

    @abstractmethod
    def serve(self, request: Request, minor: int) -> Response:
        """Have a handler answer a request.

        :raises ServiceError: if there is no handler, or it refuses the request.
        """

    def find(self, request: Request) -> tuple[Callable[..., Response], dict[str, str]]:
        """Return the handler of a request, and the values of the placeholders of its address.

        :raises UnknownAddress: if there is no such address.
        :raises MethodNotAllowed: if the address has other methods only, unless that hides it.
        """
        path = request.path
        if self.exact_addresses and path.endswith("/") and path != "/":
            raise UnknownAddress
        if self.address is not None:
            match = self.address.fullmatch(path)
            if match is None:
                raise UnknownAddress
            path = match["rest"]
        try:
            return self.routes.resolve(request.method, path)
        except MethodNotAllowed as exc:
            if self.hides_addresses:
                raise UnknownAddress from exc
            raise

    def render(self, error: ServiceError, request: Request, minor: int) -> Response:
        """Return an error as the service shows it."""
        return self.dialect.render(error, request, minor)

    def headers(self, request: Request, minor: int) -> list[tuple[str, str]]:
        """Return the headers of all answers, beside the id of the request."""
        return self.dialect.headers(request, minor)

    @contextmanager
    def transaction(self, request: Request) -> Iterator[Transaction]:
        """Open the transaction in which a request reads, decides and writes."""
        with self.lab.store.transaction(write=request.writes, serializable=True) as tx:
            yield tx


class TransactionalService(Service):
    """A service whose handlers have one transaction for a request."""

    def serve(self, request: Request, minor: int) -> Response:
        """Have a handler answer a request, in a transaction of its own."""
        handler, arguments = self.find(request)
        with self.transaction(request) as tx:
            return handler(self.context(request, minor, tx), **arguments)

    @abstractmethod
    def context(self, request: Request, minor: int, tx: Transaction) -> Context:
        """Return what the handler of a request gets."""
