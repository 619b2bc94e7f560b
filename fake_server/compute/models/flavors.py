"""Flavors: what a server is to be like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import Conflict, NotFound
from fake_server.compute.session import reader, writer
from fake_server.compute.tables import flavors
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction


@reader
def get(tx: Transaction, ident: str, project_id: str | None = None) -> Record:
    """Return a flavor that a project may use (any, without one); raise NotFound without one."""
    row = tx.get(flavors, id=ident)
    if row is None or not _usable(row, project_id):
        raise NotFound(f"Flavor {ident} could not be found.")
    return row


@reader
def get_all(tx: Transaction, project_id: str | None, *, public: bool | None) -> list[Record]:
    """Return flavors that a project may use, only the public (or private) ones if asked."""
    rows = tx.all(sa.select(flavors).order_by(flavors.c.id))
    return [row for row in rows if _usable(row, project_id) and public in (None, row["is_public"])]


@writer
def create(tx: Transaction, values: Mapping[str, Any]) -> Record:
    """Create a flavor from all its columns; raise Conflict if its id or name is taken."""
    try:
        tx.insert(flavors, values)
    except DuplicateError as exc:
        if "name" in exc.columns:
            raise Conflict(f"Flavor with name {values['name']} already exists.") from exc
        raise Conflict(f"Flavor with ID {values['id']} already exists.") from exc
    return get(tx, values["id"])


@writer
def update(tx: Transaction, flavor: Record, changes: Mapping[str, Any]) -> Record:
    """Change columns of a flavor and return it."""
    tx.update_row(flavors, flavor["id"], changes)
    return {**flavor, **changes}


@writer
def destroy(tx: Transaction, flavor: Record) -> None:
    """Remove a flavor; servers keep theirs."""
    tx.delete(flavors, flavors.c.id == flavor["id"])


def _usable(row: Record, project_id: str | None) -> bool:
    return project_id is None or row["is_public"] or project_id in row["projects"]
