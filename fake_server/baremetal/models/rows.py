"""Insert and update rows with unique columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa

    from fake_server.baremetal.errors import ApiError
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def insert(
    session: Session, table: sa.Table, values: Mapping[str, Any], **taken: type[ApiError]
) -> str:
    """Insert a row with the current time and a UUID, a new one if it has none; return the UUID.

    :param taken: the error for a value that isn't unique, by column.
    """
    row = {**values, "uuid": values.get("uuid") or str(uuid4()), "created_at": session.clock.now()}
    try:
        session.tx.insert(table, row)
    except DuplicateError as exc:
        raise _error(exc, row, taken) from exc
    return str(row["uuid"])


def update(
    session: Session,
    table: sa.Table,
    row: Record,
    changes: Mapping[str, Any],
    **taken: type[ApiError],
) -> Record:
    """Change a row, set when it was updated, and return it.

    :param taken: the error for a value that isn't unique, by column.
    """
    if not changes:
        return row
    changed = {**row, "updated_at": session.clock.now(), **changes}
    values = {name: changed[name] for name in {"updated_at", *changes}}
    try:
        session.tx.update(table, [table.c.id == row["id"]], values)
    except DuplicateError as exc:
        raise _error(exc, changed, taken) from exc
    return changed


def _error(
    exc: DuplicateError, row: Mapping[str, Any], taken: Mapping[str, type[ApiError]]
) -> Exception:
    column = next((column for column in taken if column in exc.columns), None)
    if column is None:
        return exc
    return taken[column](**{"mac" if column == "address" else column: row[column]})
