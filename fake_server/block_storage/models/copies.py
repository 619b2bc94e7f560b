"""Snapshots and backups: what is made of volumes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.block_storage.errors import BackupNotFound, InvalidVolume, SnapshotNotFound
from fake_server.block_storage.tables import backups, snapshots
from fake_server.common import randomness
from fake_server.common.errors import BadRequest, NotFound

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

AVAILABLE = "available"


@dataclass(frozen=True)
class Kind:
    """What is made of volumes.

    :param table: its table.
    :param missing: what is raised where there is none.
    :param removable: the statuses in which it can be removed.
    """

    name: str
    table: sa.Table
    missing: type[NotFound]
    removable: Collection[str]


SNAPSHOTS = Kind("Snapshot", snapshots, SnapshotNotFound, (AVAILABLE, "error"))
BACKUPS = Kind("Backup", backups, BackupNotFound, (AVAILABLE, "error"))
#: Columns that lists are narrowed by.
_FILTERS = ("name", "status", "volume_id", "id")


def find(tx: Transaction, kind: Kind, ident: str, project_id: str | None) -> Record:
    """Return one, of a project if that is given; raise NotFound if there is none."""
    row = tx.get(kind.table, id=ident)
    if row is None or project_id not in (None, row["project_id"]):
        raise kind.missing(ident)
    return row


def fetch(
    tx: Transaction, kind: Kind, project_id: str | None, query: Mapping[str, Any]
) -> list[Record]:
    """Return all, of a project if that is given, with the values of a query, the newest first."""
    columns = kind.table.c
    where = [columns[name] == query[name] for name in _FILTERS if isinstance(query.get(name), str)]
    if project_id is not None:
        where.append(columns.project_id == project_id)
    return tx.all(sa.select(kind.table).where(*where).order_by(columns.number.desc()))


def create(
    tx: Transaction,
    clock: Clock,
    kind: Kind,
    volume: Record,
    values: Mapping[str, Any],
    *,
    in_use: bool,
) -> Record:
    """Make one of a volume and return it; raise InvalidVolume unless its status allows it.

    :param in_use: whether the volume may be in use.
    """
    expected = [AVAILABLE, *(["in-use"] if in_use else [])]
    if volume["status"] not in expected:
        raise InvalidVolume(
            f"Volume {volume['id']} status must be {' or '.join(expected)}, but current status is: "
            f"{volume['status']}."
        )
    row = {
        "id": randomness.uuid(),
        "volume_id": volume["id"],
        "size": volume["size"],
        "status": AVAILABLE,
        "created_at": clock.now(),
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
