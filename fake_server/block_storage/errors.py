"""What the Block Storage service refuses; each error carries its status, one place renders it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.rest import named_fault

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response


class StorageError(Exception):
    """A refused request; subclasses say with which status."""

    status = 500
    #: What it is called, unless that goes by its status.
    fault: str | None = None

    def render(self) -> Response:
        """Return the answer."""
        return named_fault(self.status, str(self), self.fault)


class BadRequest(StorageError):
    """The request can't be understood, or can't be done."""

    status = 400


class InvalidVolume(BadRequest):
    """The volume is in no state for this."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Invalid volume: {reason}")


class InvalidInput(BadRequest):
    """A value can't be right."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Invalid input received: {reason}")


class Forbidden(StorageError):
    """The client may not do this."""

    status = 403

    def __init__(self, action: str) -> None:
        super().__init__(f"Policy doesn't allow {action} to be performed.")


class NotFound(StorageError):
    """There is no such thing."""

    status = 404


class VolumeNotFound(NotFound):
    """There is no such volume."""

    def __init__(self, ident: str) -> None:
        super().__init__(f"Volume {ident} could not be found.")


class AttachmentNotFound(NotFound):
    """There is no such attachment."""

    def __init__(self, ident: str) -> None:
        super().__init__(
            f"Volume attachment could not be found with filter: attachment_id = {ident}."
        )


class TypeNotFound(NotFound):
    """There is no such volume type."""

    def __init__(self, ident: str) -> None:
        super().__init__(f"Volume type {ident} could not be found.")


class MethodNotAllowed(StorageError):
    """The address knows other methods."""

    status = 405


class NotAcceptable(StorageError):
    """The microversion isn't offered."""

    status = 406
    fault = "notAcceptable"


class Conflict(StorageError):
    """Something else is in the way."""

    status = 409
