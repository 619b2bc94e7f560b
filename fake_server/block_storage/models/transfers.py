"""Transfers of volumes from one project to another."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from fake_server.block_storage.errors import InvalidVolume
from fake_server.block_storage.models import copies, projects, volumes
from fake_server.block_storage.tables import transfers
from fake_server.common import randomness
from fake_server.common.errors import BadRequest
from fake_server.common.resources.rows import Rows

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

WAITING = "awaiting-transfer"
_KEY = "0123456789abcdef"


ROWS = Rows(transfers, "Transfer {} could not be found.", newest_first=True)


def create(
    tx: Transaction, clock: Clock, volume: Record, name: str | None, *, no_snapshots: bool
) -> Record:
    """Offer a volume to whoever has the key of the transfer; raise InvalidVolume if it is used."""
    if not volumes.move(tx, clock, volume, ["available"], WAITING):
        raise InvalidVolume("status must be available")
    row = {
        "volume_id": volume["id"],
        "project_id": volume["project_id"],
        "name": name,
        "auth_key": "".join(randomness.choice(_KEY) for _ in range(16)),
        "no_snapshots": no_snapshots,
    }
    return ROWS.add(tx, clock, row)


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
    volume = volumes.ROWS.find(tx, transfer["volume_id"])
    projects.check_room(tx, project_id, volume["size"])
    _end(tx, clock, transfer, **owner)
    if transfer["no_snapshots"]:
        return
    rows = copies.SNAPSHOTS.fetch(tx, volume_id=volume["id"])
    if rows:
        size = sum(row["size"] for row in rows)
        projects.check_room(tx, project_id, size, "snapshots", len(rows))
    for row in rows:
        copies.SNAPSHOTS.change(tx, clock, row, owner)


def delete(tx: Transaction, clock: Clock, transfer: Record) -> None:
    """Take an offer back."""
    _end(tx, clock, transfer)


def _end(tx: Transaction, clock: Clock, transfer: Record, **changes: str) -> None:
    volume = volumes.ROWS.find(tx, transfer["volume_id"])
    volumes.ROWS.change(tx, clock, volume, {"status": "available", **changes})
    ROWS.remove(tx, transfer)
