"""Snapshots and backups: what is made of volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage.errors import InvalidVolume
from fake_server.block_storage.tables import backups, snapshots
from fake_server.common.errors import BadRequest
from fake_server.common.resources.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

AVAILABLE = "available"
#: By the status of a snapshot, those that who makes or removes it reports.
_REPORTED = {
    "creating": ("creating", AVAILABLE, "error"),
    "deleting": ("deleting", "error_deleting"),
}


SNAPSHOTS = Rows(snapshots, "Snapshot {} could not be found.", newest_first=True)
BACKUPS = Rows(backups, "Backup {} could not be found.", newest_first=True)


def check_snapshot(volume: Record, *, in_use: bool) -> None:
    """Raise InvalidVolume unless a snapshot of a volume can be made.

    :param in_use: whether the volume may be in use.
    """
    expected = [AVAILABLE, *(["in-use"] if in_use else [])]
    if volume["status"] == "error":
        raise InvalidVolume("The snapshot cannot be created when the volume is in error status.")
    if volume["status"] not in expected:
        raise InvalidVolume(
            f"Volume {volume['id']} status must be {' or '.join(expected)}, but current status is: "
            f"{volume['status']}."
        )


def check_backup(volume: Record, *, in_use: bool) -> None:
    """Raise InvalidVolume unless a volume can be backed up.

    :param in_use: whether the volume may be in use.
    """
    if volume["status"] not in (AVAILABLE, "in-use"):
        raise InvalidVolume(
            "Volume to be backed up must be available or in-use, but the current status is "
            f'"{volume["status"]}".'
        )
    if volume["status"] == "in-use" and not in_use:
        raise InvalidVolume("Backing up an in-use volume must use the force flag.")


def report_status(tx: Transaction, clock: Clock, row: Record, status: str) -> None:
    """Set the status of a snapshot that is made or removed; raise BadRequest for another one."""
    known = _REPORTED.get(row["status"])
    if known is None:
        raise BadRequest(f"Snapshot status {row['status']} not allowed for update_snapshot_status")
    if status not in known:
        raise BadRequest(
            f"Provided snapshot status {status} not allowed for snapshot with status "
            f"{row['status']}."
        )
    SNAPSHOTS.change(tx, clock, row, {"status": status})


def create(
    tx: Transaction, clock: Clock, rows: Rows, volume: Record, values: Mapping[str, Any]
) -> Record:
    """Make a snapshot or a backup of a volume and return it."""
    row = {
        "volume_id": volume["id"],
        "size": volume["size"],
        "status": AVAILABLE,
        "updated_at": clock.now(),
        **values,
    }
    return rows.add(tx, clock, row)
