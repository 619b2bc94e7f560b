"""Volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage.errors import InvalidVolume
from fake_server.block_storage.models import types
from fake_server.block_storage.tables import attachments, snapshots, volumes
from fake_server.common import due_work
from fake_server.common.resources.rows import Rows

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


ROWS = Rows(volumes, "Volume {} could not be found.", newest_first=True)


def create(tx: Transaction, clock: Clock, delay: float, values: Mapping[str, Any]) -> Record:
    """Create a volume from its columns, which is available after ``delay`` seconds."""
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
        "status": "creating" if delay else "available",
        "updated_at": clock.now(),
    }
    row = ROWS.add(tx, clock, row)
    if delay:
        _be_ready(tx, clock, delay, row["id"], "creating", "available")
    return row


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
    ROWS.change(tx, clock, volume, {"size": size, **busy})
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
    ROWS.remove(tx, volume)
    due_work.cancel(tx, due_work.thing("volumes", volume["id"]))


def type_of(tx: Transaction, volume: Record) -> Record | None:
    """Return the type of a volume, if it has one."""
    ident = volume["volume_type_id"]
    return types.ROWS.find(tx, ident) if ident else None


def _be_ready(
    tx: Transaction, clock: Clock, delay: float, ident: str, before: str, after: str
) -> None:
    """Have a volume leave the status in which it is busy."""
    at, arguments = clock.seconds() + delay, {"before": before, "after": after}
    due_work.add(tx, READY, due_work.thing("volumes", ident), at, arguments)
