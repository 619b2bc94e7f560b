"""What the services beside Ironic refuse; each error carries its status, its service renders it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


class ServiceError(Exception):
    """A refused request; subclasses say with which status.

    :param message: what the client is told; by default what the status stands for.
    :param code: distinguishes errors of the same status, where a service shows it.
    :param extra: what else the answer shows.
    """

    status = 500
    default = ""
    #: What stands around the message.
    form = "{}"

    def __init__(self, message: str = "", code: str = "", **extra: Any) -> None:
        super().__init__(message)
        self.message = self.form.format(message)
        self.code = code
        self.extra = extra

    def __str__(self) -> str:
        return self.message or self.default

    @property
    def title(self) -> str:
        """What HTTP calls the status."""
        return title(self.status)


class BadRequest(ServiceError):
    """The request isn't valid."""

    status = 400


class Unauthorized(ServiceError):
    """The request is not authenticated."""

    status = 401
    default = "The request you have made requires authentication."


class Forbidden(ServiceError):
    """The client may not do this."""

    status = 403

    @classmethod
    def by_policy(cls, policy: str) -> Forbidden:
        """Return the error for an action of a policy of Nova or Cinder."""
        return cls(f"Policy doesn't allow {policy} to be performed.")


class NotFound(ServiceError):
    """The resource does not exist."""

    status = 404
    default = "The resource could not be found."


class UnknownAddress(NotFound):
    """The service has no such address, at any version."""


class MethodNotAllowed(ServiceError):
    """The path does not support this HTTP method.

    :param method: the method of the request.
    :param allowed: those that the address has, whatever the version.
    """

    status = 405
    default = "The method is not allowed for this resource."

    def __init__(self, method: str, allowed: Sequence[str] = ()) -> None:
        super().__init__()
        self.method = method
        self.allowed = allowed


class NotAcceptable(ServiceError):
    """The microversion is not supported."""

    status = 406


class Conflict(ServiceError):
    """The state of another resource does not allow this."""

    status = 409


class UnsupportedMediaType(ServiceError):
    """The media type of the body is not supported."""

    status = 415


def with_status(status: int, message: str) -> ServiceError:
    """Return an error of any status."""
    error = ServiceError(message)
    error.status = status
    return error


def title(status: int) -> str:
    """Return what HTTP calls a status."""
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown Error"
