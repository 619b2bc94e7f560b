"""Glance for the other services of this server, within their transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.image.models import ACTIVE
from fake_server.image.tables import images

if TYPE_CHECKING:
    from fake_server.db.store import Transaction


def get_properties(tx: Transaction, ident: str) -> dict[str, Any] | None:
    """Return the properties of an active image; ``None`` if there is none."""
    row = tx.get(images, id=ident)
    return row["properties"] if row is not None and row["status"] == ACTIVE else None
