"""Snapshots and backups: what is made of volumes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.block_storage.errors import BackupNotFound, InvalidVolume, SnapshotNotFound
from fake_server.block_storage.models.filters import matching
from fake_server.block_storage.tables import backups, snapshots
from fake_server.common import randomness
from fake_server.common.errors import BadRequest, NotFound

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

AVAILABLE = "available"
#: By the status of a snapshot, those that who makes or removes it reports.
_REPORTED = {
    "creating": ("creating", AVAILABLE, "error"),
    "deleting": ("deleting", "error_deleting"),
}


@dataclass(frozen=True)
class Kind:
    """What is made of volumes.

    :param table: its table.
    :param missing: what is raised where there is none.
    :param removable: the statuses in which it can be removed.
    :param listing: the policy of lists.
    :param reading: the policy of who sees one.
    """

    name: str
    table: sa.Table
    missing: type[NotFound]
    removable: Collection[str]
    listing: str
    reading: str


_REMOVABLE = (AVAILABLE, "error")
SNAPSHOTS = Kind(
    "Snapshot",
    snapshots,
    SnapshotNotFound,
    _REMOVABLE,
    "volume:get_all_snapshots",
    "volume:get_snapshot",
)
BACKUPS = Kind("Backup", backups, BackupNotFound, _REMOVABLE, "backup:get_all", "backup:get")


def find(tx: Transaction, kind: Kind, ident: str, project_id: str | None) -> Record:
    """Return one, of a project if that is given; raise NotFound if there is none."""
    row = tx.get(kind.table, id=ident)
    if row is None or project_id not in (None, row["project_id"]):
        raise kind.missing(ident)
    return row


def fetch(
    tx: Transaction, kind: Kind, project_id: str | None, query: Mapping[str, str]
) -> list[Record]:
    """Return all, of a project if that is given, with the values of a query, the newest first."""
    columns = kind.table.c
    where = [] if project_id is None else [columns.project_id == project_id]
    rows = tx.all(sa.select(kind.table).where(*where).order_by(columns.number.desc()))
    return matching(rows, query)


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
    update(tx, clock, SNAPSHOTS, row, {"status": status})


def create(
    tx: Transaction, clock: Clock, kind: Kind, volume: Record, values: Mapping[str, Any]
) -> Record:
    """Make one of a volume and return it."""
    row = {
        "id": randomness.uuid(),
        "volume_id": volume["id"],
        "size": volume["size"],
        "status": AVAILABLE,
        **dict.fromkeys(("created_at", "updated_at"), clock.now()),
        **values,
    }
    tx.insert(kind.table, row)
    return find(tx, kind, row["id"], None)


def update(
    tx: Transaction, clock: Clock, kind: Kind, row: Record, changes: Mapping[str, Any]
) -> Record:
    """Change columns of one and return it."""
    values = {**changes, "updated_at": clock.now()}
    tx.update_row(kind.table, row["id"], values)
    return {**row, **values}


def delete(tx: Transaction, kind: Kind, row: Record, *, force: bool = False) -> None:
    """Remove one; raise BadRequest unless its status allows it or ``force`` is set."""
    if not force and row["status"] not in kind.removable:
        known = " or ".join(kind.removable)
        raise BadRequest(f"Invalid {kind.name.lower()}: {kind.name} status must be {known}")
    tx.delete(kind.table, kind.table.c.id == row["id"])
