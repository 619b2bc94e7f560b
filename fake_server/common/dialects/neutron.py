"""What Neutron says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.dialect import Dialect
from fake_server.common.errors import BadRequest, MethodNotAllowed, ServiceError
from fake_server.common.rest import BadBodyError, decode, encode

if TYPE_CHECKING:
    from fake_server.common.schemas import Checker
    from fake_server.common.wsgi import Request, Response

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

    def render(
        self, error: ServiceError, request: Request | None = None, minor: int = 0
    ) -> Response:
        """Return the answer; the error's ``code`` is Neutron's name of it."""
        kind = error.code or _TYPES.get(error.status) or "".join(error.title.split())
        message = _MALFORMED if isinstance(error, MethodNotAllowed) else str(error)
        body = {"type": kind, "message": message, "detail": ""}
        return encode(error.status, {"NeutronError": body})


NEUTRON = Neutron()
