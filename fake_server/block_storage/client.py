"""Cinder for the other services of this server, within their transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage.models import attachments, volumes
from fake_server.common.errors import ServiceError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction


class BlockStorageClient:
    """Cinder's volumes and their attachments."""

    def __init__(self, tx: Transaction, clock: Clock) -> None:
        self._tx = tx
        self._clock = clock

    def get_volume(self, ident: str) -> Record:
        """Return a volume; raise ServiceError if there is none."""
        return volumes.ROWS.find(self._tx, ident)

    def set_metadata(self, volume: Record, metadata: Mapping[str, Any]) -> None:
        """Give a volume other metadata."""
        volumes.ROWS.change(self._tx, self._clock, volume, {"metadata": metadata})

    def list_attachments(self, volume_id: str) -> list[Record]:
        """Return the attachments of a volume, the oldest first."""
        return attachments.ROWS.fetch(self._tx, volume_id=volume_id)

    def begin_attaching(self, volume: Record) -> bool:
        """Set a volume aside for an attachment; return whether that was possible."""
        expected = ["available", "in-use"] if volume["multiattach"] else ["available"]
        return volumes.move(self._tx, self._clock, volume, expected, "attaching")

    def connect(self, volume: Record, connector: Mapping[str, Any], mode: str) -> dict[str, Any]:
        """Return the connection of a reserved volume; free it if a ServiceError is raised."""
        try:
            found = attachments.connection(self._tx, volume, connector, mode)
        except ServiceError:
            attachments.follow(self._tx, self._clock, volume)
            raise
        return dict(found["data"])

    def attach(self, volume: Record, instance_uuid: str, mode: str, mountpoint: str) -> None:
        """Note that an instance uses a volume that it was connected to."""
        values = {"instance_uuid": instance_uuid, "attach_mode": mode, "mountpoint": mountpoint}
        attachments.note(self._tx, self._clock, volume, **values)

    def detach(self, attachment: Record) -> None:
        """Remove an attachment."""
        attachments.delete(self._tx, self._clock, attachment)
