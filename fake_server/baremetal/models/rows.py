"""Insert and update rows with unique columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.errors import AlreadyExists
from fake_server.common import randomness
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sqlalchemy as sa

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

_LABELS = {"uuid": "UUID", "address": "MAC address"}
#: The unique columns beside the UUID, in the order in which errors name them.
_UNIQUE = ("name", "address")


def insert(
    session: Session,
    table: sa.Table,
    values: Mapping[str, Any],
    noun: str,
    unique: Sequence[str] = _UNIQUE,
) -> str:
    """Insert a row with the current time and a UUID, a new one if it has none; return the UUID.

    :param noun: what the row is, with an article, for the error where it isn't unique.
    :param unique: the columns that this error names; it names the UUID for any other.
    :raises AlreadyExists: if the row isn't unique.
    """
    row = {
        **values,
        "uuid": values.get("uuid") or randomness.uuid(),
        "created_at": session.clock.now(),
    }
    try:
        session.tx.insert(table, row)
    except DuplicateError as exc:
        raise not_unique(noun, _column(exc, unique), row) from exc
    return str(row["uuid"])


def update(
    session: Session, table: sa.Table, row: Record, changes: Mapping[str, Any], noun: str
) -> Record:
    """Change a row, set when it was updated, and return it; see :func:`insert`."""
    if not changes:
        return row
    changed = {**row, "updated_at": session.clock.now(), **changes}
    values = {name: changed[name] for name in {"updated_at", *changes}}
    try:
        session.tx.update_row(table, row["id"], values)
    except DuplicateError as exc:
        raise not_unique(noun, _column(exc, _UNIQUE), changed) from exc
    return changed


def not_unique(noun: str, column: str, row: Mapping[str, Any]) -> AlreadyExists:
    """Return the error for a row that has the value of another one in a unique column."""
    return AlreadyExists(noun=noun, field=_LABELS.get(column, column), value=row[column])


def _column(exc: DuplicateError, unique: Sequence[str]) -> str:
    return next((column for column in unique if column in exc.columns), "uuid")
