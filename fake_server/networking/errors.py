"""The errors of the Networking service, and their responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, MethodNotAllowed, NotFound, ServiceError
from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response

#: Neutron's names of errors that have no name of their own.
_TYPES = {400: "HTTPBadRequest", 404: "HTTPNotFound", 405: "HTTPMethodNotAllowed"}


class InvalidInput(BadRequest):
    """A value that can't be used."""

    form = "Invalid input for operation: {}."

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "InvalidInput")


class InvalidAttribute(BadRequest):
    """An invalid value of an attribute."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"Invalid input for {name}. Reason: {reason}.")
        self.reason = reason


class Missing(NotFound):
    """There is no resource of a kind with an id.

    :param kind: such as ``Network``.
    """

    def __init__(self, kind: str, ident: Any) -> None:
        super().__init__(f"{kind} {ident} could not be found.", f"{kind}NotFound")


class RevisionMismatch(ServiceError):
    """The client names another revision than there is."""

    status = 412

    def __init__(self, wanted: int, current: int) -> None:
        super().__init__(
            f"Constrained to {wanted}, but current revision is {current}",
            "RevisionNumberConstraintFailed",
        )


def render(error: ServiceError) -> Response:
    """Return the answer; the error's ``code`` is Neutron's name of it."""
    kind = error.code or _TYPES.get(error.status) or "".join(error.title.split())
    message = str(error)
    if isinstance(error, MethodNotAllowed):
        message = (
            "The server could not comply with the request since it is either malformed or "
            "otherwise incorrect."
        )
    body = {"type": kind, "message": message, "detail": ""}
    return encode(error.status, {"NeutronError": body})
