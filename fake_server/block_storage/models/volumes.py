"""Volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.block_storage.errors import InvalidVolume, VolumeNotFound
from fake_server.block_storage.models import types
from fake_server.block_storage.models.filters import matching
from fake_server.block_storage.tables import attachments, snapshots, volumes
from fake_server.common import due_work, randomness

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

ZONE = "nova"
#: The kind of due work that ends making or extending one.
READY = "volume_ready"
#: States in which a volume can be removed.
_REMOVABLE = ("available", "error", "error_restoring", "error_extending", "error_managing")
_NOT_REMOVABLE = (
    "Volume status must be available or error or error_restoring or error_extending or "
    "error_managing and must not be migrating, attached, belong to a group, have snapshots, "
    "awaiting a transfer, or be disassociated from snapshots after volume transfer."
)


def find(tx: Transaction, ident: str, project_id: str | None) -> Record:
    """Return a volume, of a project if one is given; raise VolumeNotFound if there is none."""
    row = tx.get(volumes, id=ident)
    if row is None or project_id not in (None, row["project_id"]):
        raise VolumeNotFound(ident)
    return row


def fetch(tx: Transaction, project_id: str | None, match: Mapping[str, str]) -> list[Record]:
    """Return the volumes, of a project if one is given, with these values, the newest first."""
    where = [] if project_id is None else [volumes.c.project_id == project_id]
    rows = tx.all(sa.select(volumes).where(*where).order_by(volumes.c.number.desc()))
    return matching(rows, match)


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
        "status": "creating" if delay else "available",
        **dict.fromkeys(("created_at", "updated_at"), clock.now()),
    }
    tx.insert(volumes, row)
    if delay:
        _be_ready(tx, clock, delay, ident, "creating", "available")
    return find(tx, ident, None)


def update(tx: Transaction, clock: Clock, volume: Record, changes: Mapping[str, Any]) -> Record:
    """Change columns of a volume and return it."""
    values = {**changes, "updated_at": clock.now()}
    tx.update_row(volumes, volume["id"], values)
    return find(tx, volume["id"], None)


def move(
    tx: Transaction, clock: Clock, volume: Record, before: Collection[str], after: str
) -> bool:
    """Change the status of a volume; return whether it was one of the expected ones.

    Of several that ask at once, exactly one gets what only one can have.
    """
    where = [volumes.c.id == volume["id"], volumes.c.status.in_(list(before))]
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
    busy = {"status": "extending"} if delay else {}
    update(tx, clock, volume, {"size": size, **busy})
    if delay:
        _be_ready(tx, clock, delay, volume["id"], "extending", volume["status"])


def end_work(tx: Transaction, volume_id: str, before: str, after: str) -> None:
    """Give a volume that was busy the status that it has then."""
    where = [volumes.c.id == volume_id, volumes.c.status == before]
    tx.update(volumes, where, {"status": after})


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
    due_work.cancel(tx, due_work.thing("volumes", volume["id"]))


def type_of(tx: Transaction, volume: Record) -> Record | None:
    """Return the type of a volume, if it has one."""
    ident = volume["volume_type_id"]
    return types.find(tx, ident) if ident else None


def _be_ready(
    tx: Transaction, clock: Clock, delay: float, ident: str, before: str, after: str
) -> None:
    """Have a volume leave the status in which it is busy."""
    at, arguments = clock.seconds() + delay, {"before": before, "after": after}
    due_work.add(tx, READY, due_work.thing("volumes", ident), at, arguments)
