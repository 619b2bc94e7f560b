"""What the Placement service refuses; each error carries its status, one place renders it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fake_server.common.rest import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class PlacementError(Exception):
    """A refused request; subclasses say with which status.

    :param code: what tells errors of one status apart, shown since version 1.23.
    :param extra: what else the answer shows.
    """

    status = 500

    def __init__(self, detail: str = "", code: str = UNDEFINED, **extra: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.extra = extra

    def render(self, request_id: str, *, with_code: bool) -> Response:
        """Return the answer."""
        error = {
            "status": self.status,
            "title": HTTPStatus(self.status).phrase,
            "detail": self.detail(),
            "request_id": request_id,
            **self.extra,
        }
        if with_code:
            error["code"] = self.code
        return encode(self.status, {"errors": [error]})

    def detail(self) -> str:
        """Return what is wrong, after what stands before each error of a status."""
        return f"{_EXPLANATIONS.get(self.status, '')}\n\n {_on_one_line(str(self))}  "


class BadRequest(PlacementError):
    """The request can't be understood, or can't be done."""

    status = 400


class Forbidden(PlacementError):
    """The client may not do this."""

    status = 403

    def __init__(self, policy: str) -> None:
        super().__init__(f"{policy}")


class NotFound(PlacementError):
    """There is no such thing."""

    status = 404


class ProviderNotFound(NotFound):
    """There is no such resource provider."""

    def __init__(self, uuid: str, purpose: str = "") -> None:
        super().__init__(f"No resource provider with uuid {uuid} found{purpose}")


class MethodNotAllowed(PlacementError):
    """The address knows other methods.

    :param method: the one that it doesn't know.
    :param allowed: those that it knows, where no version of it would do.
    """

    status = 405

    def __init__(self, method: str, allowed: Sequence[str] = ()) -> None:
        super().__init__(f"The method {method} is not allowed for this resource.")
        self.allowed = allowed

    def detail(self) -> str:
        """Return what is wrong, and once more where nothing else would do."""
        again = "The method specified is not allowed for this resource." if self.allowed else ""
        return f"{self} \n\n {again}"

    def render(self, request_id: str, *, with_code: bool) -> Response:
        """Return the answer, with the methods that the address knows."""
        response = super().render(request_id, with_code=with_code)
        if self.allowed:
            response.headers.append(("Allow", ", ".join(self.allowed)))
        return response


class NotAcceptable(PlacementError):
    """The microversion isn't offered."""

    status = 406

    def detail(self) -> str:
        """Return what is wrong, in words that Placement has cut off."""
        return (
            "The resource could not be generated that was acceptable to your browser (content of "
            f"type application/json. \n\n {self}"
        )


class Conflict(PlacementError):
    """Something else is in the way, or came in between."""

    status = 409


class UnsupportedMediaType(PlacementError):
    """The body is in no form that is understood."""

    status = 415


def _on_one_line(text: str) -> str:
    """Return a text as it is left by what takes HTML out of it."""
    return text.replace("\n", " ")
