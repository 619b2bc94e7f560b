"""Attachments: a volume reserved for a server, connected to it, and in use there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.block_storage import connections
from fake_server.block_storage.errors import InvalidVolume
from fake_server.block_storage.models import types, volumes
from fake_server.block_storage.tables import attachments
from fake_server.block_storage.tables import volumes as volumes_table
from fake_server.common.errors import BadRequest
from fake_server.common.resources.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

RESERVED, ATTACHING, ATTACHED = "reserved", "attaching", "attached"
MODES = ("rw", "ro")
#: The status of a volume, by that of its furthest attachment.
_STATUS = {ATTACHED: "in-use", ATTACHING: "attaching", RESERVED: "reserved"}


class AttachmentRows(Rows):
    """The rows of the attachments, each with the ``project_id`` of its volume, the oldest first."""

    def find(self, tx: Transaction, ident: str, project_id: str | None = None) -> Record:
        """Return an attachment, of a project if one is given; raise NotFound if there is none."""
        rows = tx.all(_joined().where(attachments.c.id == ident))
        if not rows or project_id not in (None, rows[0]["project_id"]):
            raise self.missing(ident)
        return rows[0]

    def fetch(
        self, tx: Transaction, /, project_id: str | None = None, **match: Any
    ) -> list[Record]:
        """Return attachments, of a project if one is given, with these values."""
        where = [attachments.c[name] == value for name, value in match.items()]
        if project_id is not None:
            where.append(volumes_table.c.project_id == project_id)
        return tx.all(_joined().where(*where).order_by(attachments.c.number))


ROWS = AttachmentRows(
    attachments, "Volume attachment could not be found with filter: attachment_id = {}."
)


def create(
    tx: Transaction,
    clock: Clock,
    volume: Record,
    instance_uuid: str | None,
    connector: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Record:
    """Reserve a volume, and connect it if a connector is given; raise as :func:`connect` does."""
    reserve(tx, clock, volume, instance_uuid)
    # Any flag makes it read-only; without a mode, Cinder has the word.
    wanted = (mode or "null") if volume["readonly"] is None else "ro"
    values = {"instance_uuid": instance_uuid, "attach_mode": wanted}
    row = _add(tx, clock, volume, status=RESERVED, **values)
    return connect(tx, clock, row, connector) if connector else row


def reserve(
    tx: Transaction, clock: Clock, volume: Record, instance_uuid: str | None = None
) -> None:
    """Reserve a volume for a server.

    A multiattach volume can be reserved while others have reserved or attached it, any volume once
    more by its server, which may be on its way to another host.

    :raises InvalidVolume: if it isn't available.
    """
    expected = ["available", "downloading"]
    if volume["multiattach"]:
        expected += ["in-use", "reserved", "attaching"]
    if volumes.move(tx, clock, volume, expected, "reserved"):
        return
    own = instance_uuid and ROWS.fetch(tx, volume_id=volume["id"], instance_uuid=instance_uuid)
    if not own or volume["status"] not in ("in-use", "reserved"):
        current = volumes.ROWS.find(tx, volume["id"])
        raise InvalidVolume(
            f"Volume {volume['id']} status must be {' or '.join(expected[:2])} to reserve, but the "
            f"current status is {current['status']}."
        )


def connect(
    tx: Transaction,
    clock: Clock,
    attachment: Record,
    connector: Mapping[str, Any],
) -> Record:
    """Connect a volume to its server; raise BadRequest for a bad connector or mode."""
    volume = volumes.ROWS.find(tx, attachment["volume_id"])
    wanted = checked_mode(attachment["attach_mode"]) or checked_mode(connector.get("mode"))
    wanted = wanted or usual_mode(volume)
    if volume["readonly"] and wanted != "ro":
        raise BadRequest(
            f"Invalid attaching mode '{wanted}' for volume {volume['id']}: it is read-only."
        )
    found = connection(tx, volume, connector, wanted)
    changes = {
        "status": ATTACHING if attachment["status"] == RESERVED else attachment["status"],
        "attach_mode": wanted,
        "connector": dict(connector),
        "connection_info": {
            "driver_volume_type": found["driver_volume_type"],
            **found["data"],
            "attachment_id": attachment["id"],
        },
        "mountpoint": connector.get("mountpoint"),
        "host_name": connector.get("host"),
    }
    row = ROWS.change(tx, clock, attachment, changes)
    follow(tx, clock, volume)
    return row


def note(tx: Transaction, clock: Clock, volume: Record, **values: Any) -> None:
    """Store that a server uses a volume, to which it was connected with the volume's actions.

    :param values: ``instance_uuid``, ``attach_mode``, ``mountpoint`` and ``host_name``.
    """
    _add(tx, clock, volume, status=ATTACHED, attached_at=clock.now(), **values)
    if volume["readonly"] is None:
        volumes.ROWS.change(tx, clock, volume, {"readonly": False})
    follow(tx, clock, volume)


def connection(
    tx: Transaction, volume: Record, connector: Mapping[str, Any], mode: str
) -> dict[str, Any]:
    """Return the connection of a volume, by the protocol of its type; see :mod:`.connections`."""
    protocol = types.protocol(volumes.type_of(tx, volume))
    return connections.connect(volume, connector, mode, protocol)


def complete(tx: Transaction, clock: Clock, attachment: Record) -> Record:
    """Note that a server uses a volume; raise BadRequest if it was not connected."""
    if attachment["status"] == RESERVED:
        raise BadRequest(
            f"Invalid attachment: the volume of attachment {attachment['id']} isn't connected yet; "
            "update the attachment with a connector first."
        )
    changes = {"status": ATTACHED, "attached_at": clock.now()}
    row = ROWS.change(tx, clock, attachment, changes)
    follow(tx, clock, volumes.ROWS.find(tx, attachment["volume_id"]))
    return row


def delete(tx: Transaction, clock: Clock, attachment: Record) -> list[Record]:
    """Take a volume away from a server; return the volume's other attachments."""
    ROWS.remove(tx, attachment)
    follow(tx, clock, volumes.ROWS.find(tx, attachment["volume_id"]))
    return ROWS.fetch(tx, volume_id=attachment["volume_id"])


def follow(tx: Transaction, clock: Clock, volume: Record) -> None:
    """Give a volume the status that its attachments call for."""
    # Holds the volume, so that of several transactions the last one counts what is left.
    volumes.ROWS.change(tx, clock, volume, {})
    statuses = {row["status"] for row in ROWS.fetch(tx, volume_id=volume["id"])}
    furthest = next((_STATUS[status] for status in _STATUS if status in statuses), "available")
    volumes.ROWS.change(tx, clock, volume, {"status": furthest})


def usual_mode(volume: Record) -> str:
    """Return the mode in which a volume is attached if nobody names one."""
    return "ro" if volume["readonly"] else "rw"


def checked_mode(mode: Any) -> str | None:
    """Return a mode, or ``None`` if none is given; raise BadRequest for an unknown one."""
    if mode in (None, "", "null"):
        return None
    if mode not in MODES:
        raise BadRequest(f"Invalid attaching mode '{mode}': it has to be 'rw' or 'ro'.")
    return str(mode)


def _add(tx: Transaction, clock: Clock, volume: Record, **more: Any) -> Record:
    row = {"volume_id": volume["id"], "connector": {}, "connection_info": {}, **more}
    return ROWS.add(tx, clock, row)


def _joined() -> sa.Select[Any]:
    return sa.select(attachments, volumes_table.c.project_id).join(
        volumes_table, volumes_table.c.id == attachments.c.volume_id
    )
