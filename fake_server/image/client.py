"""Glance for the other services of this server, within their transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.image.models.images import ACTIVE
from fake_server.image.tables import images

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction


def find(tx: Transaction, ident: str) -> Record | None:
    """Return an active image; ``None`` if there is none."""
    row = tx.get(images, id=ident)
    return row if row is not None and row["status"] == ACTIVE else None
