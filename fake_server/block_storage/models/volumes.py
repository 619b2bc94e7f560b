"""Volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.block_storage.errors import InvalidVolume, VolumeNotFound
from fake_server.block_storage.models import types
from fake_server.block_storage.models.filters import matching
from fake_server.block_storage.tables import attachments, snapshots, volumes
from fake_server.common import randomness

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

ZONE = "nova"
#: States in which a volume can be removed.
_REMOVABLE = ("available", "error", "error_restoring", "error_extending", "error_managing")
_NOT_REMOVABLE = (
    "Volume status must be available or error or error_restoring or error_extending or "
    "error_managing and must not be migrating, attached, belong to a group, have snapshots, "
    "awaiting a transfer, or be disassociated from snapshots after volume transfer."
)


def find(tx: Transaction, clock: Clock, ident: str, project_id: str | None) -> Record:
    """Return a volume, of a project if one is given; raise VolumeNotFound if there is none."""
    row = tx.get(volumes, id=ident)
    if row is None or project_id not in (None, row["project_id"]):
        raise VolumeNotFound(ident)
    return settled(clock, row)


def next_ready(tx: Transaction, now: float) -> float | None:
    """Return when the next volume will be ready, in seconds since the epoch, if one will be."""
    first = sa.select(sa.func.min(volumes.c.ready_at)).where(volumes.c.ready_at > now)
    ready: float | None = tx.scalar(first)
    return ready


def fetch(
    tx: Transaction, clock: Clock, project_id: str | None, match: Mapping[str, str]
) -> list[Record]:
    """Return the volumes, of a project if one is given, with these values, the newest first."""
    where = [] if project_id is None else [volumes.c.project_id == project_id]
    rows = tx.all(sa.select(volumes).where(*where).order_by(volumes.c.number.desc()))
    return matching([settled(clock, row) for row in rows], match)


def create(tx: Transaction, clock: Clock, delay: float, values: Mapping[str, Any]) -> Record:
    """Create a volume from its columns, which is available after ``delay`` seconds."""
    ident = randomness.uuid()
    row = {
        "name": None,
        "description": None,
        "volume_type_id": None,
        "availability_zone": ZONE,
        "multiattach": False,
        "bootable": False,
        "readonly": None,
        "metadata": {},
        "image_metadata": {},
        "source_volid": None,
        "snapshot_id": None,
        "encryption_key_id": None,
        **values,
        "id": ident,
        "status": "available",
        "busy_status": "creating",
        "ready_at": clock.seconds() + delay,
        **dict.fromkeys(("created_at", "updated_at"), clock.now()),
    }
    tx.insert(volumes, row)
    return find(tx, clock, ident, None)


def update(tx: Transaction, clock: Clock, volume: Record, changes: Mapping[str, Any]) -> Record:
    """Change columns of a volume and return it."""
    values = {**changes, "updated_at": clock.now()}
    tx.update_row(volumes, volume["id"], values)
    return find(tx, clock, volume["id"], None)


def move(
    tx: Transaction, clock: Clock, volume: Record, before: Collection[str], after: str
) -> bool:
    """Change the status of a volume; return whether it was one of the expected ones.

    Of several that ask at once, exactly one gets what only one can have.
    """
    where = [
        volumes.c.id == volume["id"],
        volumes.c.status.in_(list(before)),
        volumes.c.ready_at <= clock.seconds(),
    ]
    return bool(tx.update(volumes, where, {"status": after, "updated_at": clock.now()}))


def extend(
    tx: Transaction, clock: Clock, delay: float, volume: Record, size: int, *, in_use: bool
) -> None:
    """Make a volume larger, in GiB; raise InvalidVolume unless its status allows it.

    :param in_use: whether it may be in use.
    """
    if volume["status"] not in ("available", *(["in-use"] if in_use else [])):
        expected = {"status": "available"}
        raise InvalidVolume(
            f"Volume {volume['id']} status must be '{expected}' to extend, currently "
            f"{volume['status']}."
        )
    changes = {"size": size, "busy_status": "extending", "ready_at": clock.seconds() + delay}
    update(tx, clock, volume, changes)


def delete(tx: Transaction, volume: Record, *, force: bool = False, cascade: bool = False) -> None:
    """Remove a volume; raise InvalidVolume unless its status allows it or ``force`` is set.

    :param cascade: whether its snapshots are removed with it, instead of keeping it.
    """
    used = tx.get(attachments, volume_id=volume["id"]) is not None
    if not cascade:
        used = used or tx.get(snapshots, volume_id=volume["id"]) is not None
    if not force and (volume["status"] not in _REMOVABLE or used):
        raise InvalidVolume(_NOT_REMOVABLE)
    tx.delete(volumes, volumes.c.id == volume["id"])


def settled(clock: Clock, row: Record) -> Record:
    """Return a volume as it is now: busy until it is ready."""
    busy = row["ready_at"] > clock.seconds()
    return {**row, "status": row["busy_status"]} if busy else row


def type_of(tx: Transaction, volume: Record) -> Record | None:
    """Return the type of a volume, if it has one."""
    ident = volume["volume_type_id"]
    return types.find(tx, ident) if ident else None
