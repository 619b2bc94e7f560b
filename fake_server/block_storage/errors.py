"""Errors of the Block Storage service, and how it shows what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, NotAcceptable, NotFound, ServiceError
from fake_server.common.rest import named_fault

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response


def render(error: ServiceError) -> Response:
    """Return the answer."""
    name = "notAcceptable" if isinstance(error, NotAcceptable) else None
    return named_fault(error.status, str(error), name)


class InvalidVolume(BadRequest):
    """The volume is in no state for this."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Invalid volume: {reason}")


class InvalidInput(BadRequest):
    """A value can't be right."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Invalid input received: {reason}")


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
