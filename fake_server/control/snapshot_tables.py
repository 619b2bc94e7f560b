"""Tables that hold the rows of snapshots, so that the database itself copies them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa

# These services are loaded at their first request; their tables are there from the start.
import fake_server.compute.tables
import fake_server.image.tables
import fake_server.object_storage.tables
import fake_server.placement.tables  # noqa: F401
from fake_server.control.tables import OF_CONTROLS
from fake_server.db.written import EMPTY, Written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.db.store import Transaction

_PREFIX = "kept_"
_NUMBER = "kept_in"


class _Statements(NamedTuple):
    """What is executed for one table; the number of a snapshot is to be filled in.

    :param exists: tells whether it has rows, or had some in a snapshot.
    :param copy: copies its rows into a snapshot.
    :param delete: empties it.
    :param insert: fills it with the rows of a snapshot.
    :param forget: removes its rows from a snapshot.
    """

    exists: str
    copy: str
    delete: str
    insert: str
    forget: str


def provide(metadata: sa.MetaData) -> None:
    """Add a table for the snapshots of each table; call it once all tables are defined."""
    for table in _originals(metadata):
        if _PREFIX + table.name not in metadata.tables:
            columns = [sa.Column(column.name, column.type) for column in table.columns]
            # Without an index: few states are kept, and each is read as a whole.
            number = sa.Column(_NUMBER, sa.Integer, nullable=False)
            sa.Table(_PREFIX + table.name, metadata, number, *columns)


def take(tx: Transaction, metadata: sa.MetaData, number: int) -> None:
    """Copy all rows into the snapshot of a number."""
    for statements in _used(tx, metadata, since=EMPTY):
        tx.sql(statements.copy.format(number))
    tx.written = Written(number)


def put_back(tx: Transaction, metadata: sa.MetaData, number: int) -> None:
    """Replace all rows by those of a snapshot, where the tables may have others."""
    used = _used(tx, metadata, number, since=number)
    for statements in reversed(used):
        tx.sql(statements.delete)
    for statements in used:
        tx.sql(statements.insert.format(number))
    tx.written = Written(number)


def forget(tx: Transaction, metadata: sa.MetaData, number: int) -> None:
    """Remove the rows of a kept state."""
    for statements in _statements(metadata, _quotation_mark(tx)):
        tx.sql(statements.forget.format(number))


def _originals(metadata: sa.MetaData) -> list[sa.Table]:
    return [
        table
        for table in metadata.sorted_tables
        if table.name not in OF_CONTROLS and not table.name.startswith(_PREFIX)
    ]


def _quotation_mark(tx: Transaction) -> str:
    return tx.connection.dialect.identifier_preparer.initial_quote


def _used(
    tx: Transaction, metadata: sa.MetaData, number: int = 0, *, since: int
) -> Sequence[_Statements]:
    """Return the statements of the tables that have rows, or had some in a snapshot.

    Most have none, and one question for all costs less than a statement for each.

    :param since: leave out the tables that, as far as is known, weren't written since a snapshot.
    """
    written = tx.written_since(since)
    among = None if written is None else frozenset(written)
    statements = _statements(metadata, _quotation_mark(tx), among)
    if not statements:
        return statements
    question = ", ".join(each.exists.format(number) for each in statements)
    used = tx.sql(f"SELECT {question}").fetchone()
    return [each for each, is_used in zip(statements, used, strict=True) if is_used]


@lru_cache(maxsize=256)
def _statements(
    metadata: sa.MetaData, mark: str, written: frozenset[str] | None = None
) -> Sequence[_Statements]:
    """Return the statements of each table, those first that others refer to.

    :param written: leave out tables that are not among these and do not refer to one of them:
        its rows can't be deleted before theirs.

    As texts, since SQLAlchemy takes longer to compile a hundred statements than SQLite to run them.
    """

    def quote(name: str) -> str:
        return f"{mark}{name}{mark}"

    found = []
    chosen = set(metadata.tables if written is None else written)
    for table in _originals(metadata):
        referred = {key.column.table.name for key in table.foreign_keys}
        if table.name not in chosen and not referred & chosen:
            continue
        chosen.add(table.name)
        name, kept = quote(table.name), quote(_PREFIX + table.name)
        columns = ", ".join(quote(column.name) for column in table.columns)
        into = f"{kept} ({_NUMBER}, {columns})"
        of_number = f"{kept} WHERE {_NUMBER} = {{}}"
        # Names of our own schema, and numbers.
        found.append(
            _Statements(
                exists=f"EXISTS (SELECT 1 FROM {name}) OR EXISTS (SELECT 1 FROM {of_number})",  # noqa: S608
                copy=f"INSERT INTO {into} SELECT {{}}, {columns} FROM {name}",  # noqa: S608
                delete=f"DELETE FROM {name}",  # noqa: S608
                insert=f"INSERT INTO {name} ({columns}) SELECT {columns} FROM {of_number}",  # noqa: S608
                forget=f"DELETE FROM {of_number}",  # noqa: S608
            )
        )
    return found
