"""Errors of the Block Storage service, and how it shows what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import (
    BadRequest,
    Conflict,
    NotFound,
    ServiceError,
    UnknownAddress,
)
from fake_server.common.rest import encode, named_fault

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response


def render(error: ServiceError) -> Response:
    """Return the answer."""
    if isinstance(error, UnknownAddress):
        message = f"{UnknownAddress.default}<br /><br />\n\n\n"
        body = {"message": message, "code": "404 Not Found", "title": "Not Found"}
        return encode(404, body)
    extra = {"retryAfter": "0"} if isinstance(error, OverLimit) else {}
    return named_fault(error.status, str(error), **extra)


class InvalidVolume(BadRequest):
    """The state of the volume does not allow this."""

    form = "Invalid volume: {}"


class InvalidInput(BadRequest):
    """A value is invalid."""

    form = "Invalid input received: {}"


class VolumeNotFound(NotFound):
    """There is no such volume."""

    form = "Volume {} could not be found."


class SnapshotNotFound(NotFound):
    """There is no such snapshot."""

    form = "Snapshot {} could not be found."


class BackupNotFound(NotFound):
    """There is no such backup."""

    form = "Backup {} could not be found."


class TransferNotFound(NotFound):
    """There is no such transfer."""

    form = "Transfer {} could not be found."


class EncryptionNotFound(NotFound):
    """The volumes of a type aren't encrypted."""

    form = "Volume type encryption for type {} does not exist."


class QosSpecsNotFound(NotFound):
    """There are no such QoS specs."""

    form = "No such QoS spec {}."


class OverLimit(ServiceError):
    """A project has as much as it may have."""

    status = 413


class AttachmentNotFound(NotFound):
    """There is no such attachment."""

    form = "Volume attachment could not be found with filter: attachment_id = {}."


class GroupNotFound(NotFound):
    """There is no such group."""

    form = "Group {} could not be found."


class InUseByServer(Conflict):
    """A server uses the volume."""

    form = "ConflictNovaUsingAttachment: Detach volume from instance {} using the Compute API"


class TypeNotFound(NotFound):
    """There is no such volume type."""

    form = "Volume type {} could not be found."
