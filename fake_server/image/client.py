"""Glance for the other services of this server, within their transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import NotFound
from fake_server.image.models import images as models
from fake_server.image.models.images import ACTIVE
from fake_server.image.tables import images

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction


def find(tx: Transaction, ident: str) -> Record | None:
    """Return an active image; ``None`` if there is none."""
    row = tx.get(images, id=ident)
    return row if row is not None and row["status"] == ACTIVE else None


def hides(tx: Transaction, ident: str, project_id: str | None) -> bool:
    """Return whether there is an image that a project (any, without one) doesn't see."""
    try:
        models.find(tx, ident, project_id)
    except NotFound:
        return tx.get(images, id=ident) is not None
    return False
