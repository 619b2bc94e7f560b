"""Transfers of volumes from one project to another."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.block_storage.errors import InvalidVolume, TransferNotFound
from fake_server.block_storage.models import copies, projects, volumes
from fake_server.block_storage.tables import transfers
from fake_server.common import randomness
from fake_server.common.errors import BadRequest

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

WAITING = "awaiting-transfer"
_KEY = "0123456789abcdef"


def find(tx: Transaction, ident: str, project_id: str | None) -> Record:
    """Return a transfer, of a project if one is given; raise TransferNotFound if there is none."""
    row = tx.get(transfers, id=ident)
    if row is None or project_id not in (None, row["project_id"]):
        raise TransferNotFound(ident)
    return row


def fetch(tx: Transaction, project_id: str | None) -> list[Record]:
    """Return the transfers, of a project if one is given, the newest first."""
    query = sa.select(transfers).order_by(transfers.c.number.desc())
    if project_id is not None:
        query = query.where(transfers.c.project_id == project_id)
    return tx.all(query)


def create(
    tx: Transaction, clock: Clock, volume: Record, name: str | None, *, no_snapshots: bool
) -> Record:
    """Offer a volume to whoever has the key of the transfer; raise InvalidVolume if it is used."""
    if not volumes.move(tx, clock, volume, ["available"], WAITING):
        raise InvalidVolume("status must be available")
    row = {
        "id": randomness.uuid(),
        "volume_id": volume["id"],
        "project_id": volume["project_id"],
        "name": name,
        "auth_key": "".join(randomness.choice(_KEY) for _ in range(16)),
        "no_snapshots": no_snapshots,
        "created_at": clock.now(),
    }
    tx.insert(transfers, row)
    return row


def accept(
    tx: Transaction, clock: Clock, transfer: Record, key: str, project_id: str, user_id: str
) -> None:
    """Give the volume of a transfer to a project, with its snapshots unless they were kept.

    :raises BadRequest: for a wrong key.
    :raises OverLimit: if that would pass a quota of the project.
    """
    if not secrets.compare_digest(key.encode(), transfer["auth_key"].encode()):
        raise BadRequest(
            f"Invalid auth key: Attempt to transfer {transfer['id']} with invalid auth key."
        )
    owner = {"project_id": project_id, "user_id": user_id}
    volume = volumes.find(tx, transfer["volume_id"], None)
    projects.check_room(tx, project_id, volume["size"])
    _end(tx, clock, transfer, **owner)
    if transfer["no_snapshots"]:
        return
    rows = copies.fetch(tx, copies.SNAPSHOTS, None, {"volume_id": volume["id"]})
    if rows:
        size = sum(row["size"] for row in rows)
        projects.check_room(tx, project_id, size, "snapshots", len(rows))
    for row in rows:
        copies.update(tx, clock, copies.SNAPSHOTS, row, owner)


def delete(tx: Transaction, clock: Clock, transfer: Record) -> None:
    """Take an offer back."""
    _end(tx, clock, transfer)


def _end(tx: Transaction, clock: Clock, transfer: Record, **changes: str) -> None:
    volume = volumes.find(tx, transfer["volume_id"], None)
    volumes.update(tx, clock, volume, {"status": "available", **changes})
    tx.delete(transfers, transfers.c.id == transfer["id"])
