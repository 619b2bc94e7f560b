"""Images; nothing here depends on HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import Conflict, NotFound
from fake_server.db.store import DuplicateError
from fake_server.image.tables import images

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

QUEUED, ACTIVE = "queued", "active"
PUBLIC, COMMUNITY = "public", "community"


def find(tx: Transaction, ident: str, project_id: str | None) -> Record:
    """Return an image that a project (any, without one) sees; raise NotFound if there is none."""
    row = tx.get(images, id=ident)
    if row is None or not _visible(row, project_id, (PUBLIC, COMMUNITY)):
        raise NotFound(f"No image found with ID {ident}")
    return row


def fetch(
    tx: Transaction, project_id: str | None, match: Mapping[str, Sequence[str]]
) -> list[Record]:
    """Return the images that a project sees (all, without one) with these values, newest first."""
    where = [images.c[name].in_(wanted) for name, wanted in match.items()]
    rows = tx.all(sa.select(images).where(*where).order_by(images.c.number.desc()))
    return [row for row in rows if _visible(row, project_id, (PUBLIC,))]


def create(tx: Transaction, clock: Clock, values: Mapping[str, Any]) -> Record:
    """Create a queued image; raise Conflict if its id is taken."""
    now = clock.now()
    row = {**values, "status": QUEUED, "created_at": now, "updated_at": now}
    try:
        tx.insert(images, row)
    except DuplicateError:
        raise Conflict(f"Image ID {values['id']} already exists!") from None
    return find(tx, values["id"], None)


def update(tx: Transaction, clock: Clock, image: Record, changes: Mapping[str, Any]) -> Record:
    """Change columns of an image and return it."""
    values = {**changes, "updated_at": clock.now()}
    tx.update_row(images, image["id"], values)
    return {**image, **values}


def delete(tx: Transaction, image: Record) -> None:
    """Remove an image."""
    tx.delete(images, images.c.id == image["id"])


def _visible(row: Record, project_id: str | None, shared: tuple[str, ...]) -> bool:
    return project_id in (None, row["owner"]) or row["visibility"] in shared
