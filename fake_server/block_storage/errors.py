"""Errors of the Block Storage service, and how it shows what it refuses."""

from __future__ import annotations

from contextlib import contextmanager
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
    from collections.abc import Iterator

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
    """A project has as much as it may have.

    :param name: Cinder's name of the error, which it shows unless a handler catches that error.
    """

    status = 413

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name
        self.text = text


class ExplainedOverLimit(OverLimit):
    """The same, caught by a handler, which shows the text alone."""

    def __str__(self) -> str:
        return self.text


@contextmanager
def explaining(*names: str) -> Iterator[None]:
    """Show the text alone of the errors with these names that the block raises."""
    try:
        yield
    except OverLimit as exc:
        if exc.name not in names:
            raise
        raise ExplainedOverLimit(exc.name, exc.text) from exc


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
