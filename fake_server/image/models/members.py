"""Members: the projects that an image is shared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.common.errors import Conflict, NotFound
from fake_server.db.store import DuplicateError
from fake_server.image.tables import members

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

PENDING = "pending"
STATUSES = (PENDING, "accepted", "rejected")


def find(tx: Transaction, image_id: str, member_id: str) -> Record:
    """Return a member of an image; raise NotFound if there is none."""
    row = tx.get(members, image_id=image_id, member_id=member_id)
    if row is None:
        raise missing(image_id, member_id)
    return row


def missing(image_id: str, member_id: str) -> NotFound:
    """Return the error for a member that there isn't, or that the client doesn't see."""
    return NotFound(f"{member_id} not found in the member list of the image {image_id}.")


def fetch(tx: Transaction, image_id: str) -> list[Record]:
    """Return the members of an image, the oldest first."""
    query = sa.select(members).where(members.c.image_id == image_id)
    return tx.all(query.order_by(members.c.number))


def add(tx: Transaction, clock: Clock, image_id: str, member_id: str) -> Record:
    """Share an image with a project; raise Conflict if it is."""
    now = clock.now()
    row = {
        "image_id": image_id,
        "member_id": member_id,
        "status": PENDING,
        "created_at": now,
        "updated_at": now,
    }
    try:
        tx.insert(members, row)
    except DuplicateError:
        raise Conflict(f"Member {member_id} is duplicated for image {image_id}") from None
    return row


def set_status(tx: Transaction, clock: Clock, member: Record, status: str) -> Record:
    """Note what a member thinks of an image, and return it."""
    changes = {"status": status, "updated_at": clock.now()}
    tx.update(members, [members.c.number == member["number"]], changes)
    return {**member, **changes}


def remove(tx: Transaction, member: Record) -> None:
    """Stop sharing an image with a project."""
    tx.remove(members, number=member["number"])
