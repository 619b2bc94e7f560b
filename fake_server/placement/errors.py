"""The errors of the Placement service, and their responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import (
    BadRequest,
    MethodNotAllowed,
    NotAcceptable,
    NotFound,
    ServiceError,
)
from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response

UNDEFINED = "placement.undefined_code"
CONCURRENT_UPDATE = "placement.concurrent_update"
DUPLICATE_NAME = "placement.duplicate_name"
INVENTORY_IN_USE = "placement.inventory.inuse"
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
    415: "The request media type is not supported by this server.",
}


class InvalidQuery(BadRequest):
    """An argument of the query that the address doesn't have, or not with this value."""

    form = "Invalid query string parameters: {}"


class ProviderNotFound(NotFound):
    """There is no such resource provider."""

    def __init__(self, uuid: str, purpose: str = "") -> None:
        super().__init__(f"No resource provider with uuid {uuid} found{purpose}")


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
    # Placement takes HTML out of it, and line breaks with that.
    text = error.message.replace("\n", " ")
    return f"{_EXPLANATIONS.get(error.status, '')}\n\n {text}  "
