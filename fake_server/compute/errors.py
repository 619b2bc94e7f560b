"""Errors of the Compute service, and how it shows what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, Conflict, NotFound, ServiceError
from fake_server.common.rest import named_fault

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response


def render(error: ServiceError) -> Response:
    """Return the answer."""
    return named_fault(error.status, str(error))


class InvalidBlockDevice(BadRequest):
    """A block device mapping isn't valid."""

    form = "Block Device Mapping is Invalid: {}"


class InvalidVolume(BadRequest):
    """A volume can't be used."""

    form = "Invalid volume: {}"


class ServerNotFound(NotFound):
    """There is no such server."""

    form = "Instance {} could not be found."


class WrongState(Conflict):
    """The state of the server doesn't allow this."""

    def __init__(self, action: str, ident: str, attribute: str, state: str | None) -> None:
        super().__init__(f"Cannot '{action}' instance {ident} while it is in {attribute} {state}")


class BuildError(Exception):
    """A server can't be built; the message is that of its fault.

    :param elsewhere: whether another node might work.
    """

    def __init__(self, message: str, *, elsewhere: bool = False) -> None:
        super().__init__(message)
        self.elsewhere = elsewhere
