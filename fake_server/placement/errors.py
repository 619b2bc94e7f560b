"""The errors of the Placement service, and their responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import (
    BadRequest,
    MethodNotAllowed,
    NotAcceptable,
    NotFound,
    ServiceError,
    UnknownAddress,
    UnsupportedMediaType,
)
from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response

UNDEFINED = "placement.undefined_code"
CONCURRENT_UPDATE = "placement.concurrent_update"
DUPLICATE_NAME = "placement.duplicate_name"
INVENTORY_IN_USE = "placement.inventory.inuse"
PROVIDER_NOT_FOUND = "placement.resource_provider.not_found"
PROVIDER_IN_USE = "placement.resource_provider.inuse"
PROVIDER_IS_PARENT = "placement.resource_provider.cannot_delete_parent"
MISSING_VALUE = "placement.query.missing_value"
BAD_VALUE = "placement.query.bad_value"

#: What stands before the detail of an error; WebOb's words, which Placement is built on.
_EXPLANATIONS = {
    400: "The server could not comply with the request since it is either malformed or otherwise "
    "incorrect.",
    403: "Access was denied to this resource.",
    404: "The resource could not be found.",
    409: "There was a conflict when trying to complete your request.",
}


class InvalidQuery(BadRequest):
    """An argument of the query that the address doesn't have, or not with this value."""

    form = "Invalid query string parameters: {}"


class UnsupportedKind(UnsupportedMediaType):
    """The body is no JSON."""

    def __init__(self, kind: str) -> None:
        self.kind = kind or None
        super().__init__(f"The media type {self.kind} is not supported, use application/json")


class ProviderNotFound(NotFound):
    """There is no such resource provider."""

    form = "No resource provider with uuid {} found"


class ClassNotFound(NotFound):
    """There is no such resource class."""

    form = "No such resource class {}."


#: What an address is refused with that has nothing to answer.
UNKNOWN = (UnknownAddress, ProviderNotFound, ClassNotFound)


def render(error: ServiceError, request_id: str, *, with_code: bool) -> Response:
    """Return the response, with the code of the error if the version has one."""
    body = {
        "status": error.status,
        "title": error.title,
        "detail": _detail(error),
        "request_id": request_id,
        **error.extra,
    }
    if with_code:
        body["code"] = error.code or UNDEFINED
    response = encode(error.status, {"errors": [body]})
    if isinstance(error, MethodNotAllowed) and error.allowed:
        response.headers.append(("Allow", ", ".join(error.allowed)))
    return response


def _detail(error: ServiceError) -> str:
    if isinstance(error, MethodNotAllowed):
        # Placement says it once more where no version of the address has the method.
        again = "The method specified is not allowed for this resource." if error.allowed else ""
        return f"The method {error.method} is not allowed for this resource. \n\n {again}"
    if isinstance(error, NotAcceptable):
        # Placement has cut this text off.
        return (
            "The resource could not be generated that was acceptable to your browser (content of "
            f"type application/json. \n\n {error.message}"
        )
    if isinstance(error, UnsupportedKind):
        unsupported = f"The request media type {error.kind} is not supported by this server."
        return f"{unsupported} \n\n {error.message}"
    # Placement takes HTML out of it, and line breaks with that.
    text = error.message.replace("\n", " ")
    return f"{_EXPLANATIONS.get(error.status, '')}\n\n {text}  "
