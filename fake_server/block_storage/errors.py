"""Errors of the Block Storage service."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from fake_server.common.dialects.cinder import OverLimit
from fake_server.common.errors import BadRequest, Conflict, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator


class InvalidVolume(BadRequest):
    """The state of the volume does not allow this."""

    form = "Invalid volume: {}"


class EncryptionNotFound(NotFound):
    """The volumes of a type aren't encrypted."""

    form = "Volume type encryption for type {} does not exist."


class GroupNotFound(NotFound):
    """There is no such group."""

    form = "Group {} could not be found."


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


class InUseByServer(Conflict):
    """A server uses the volume."""

    form = "ConflictNovaUsingAttachment: Detach volume from instance {} using the Compute API"
