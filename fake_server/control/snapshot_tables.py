"""Tables that hold the rows of snapshots, so that the database itself copies them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import sqlalchemy as sa

# These services are loaded at their first request; their tables are there from the start.
import fake_server.compute.tables
import fake_server.image.tables
import fake_server.placement.tables  # noqa: F401
from fake_server.control import restore
from fake_server.control.tables import OF_CONTROLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.db.store import Transaction

_PREFIX = "kept_"
_NUMBER = "kept_in"


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
    for copy, _, _ in _statements(metadata, _quotation_mark(tx)):
        tx.connection.exec_driver_sql(copy.format(number))


def put_back(tx: Transaction, metadata: sa.MetaData, number: int) -> None:
    """Replace all rows by those of a snapshot."""
    if tx.connection.dialect.name == "postgresql":
        tables = _originals(metadata)
        if restore.put_back(tx, tables, lambda table: _PREFIX + table.name, _NUMBER, number):
            return
    statements = _statements(metadata, _quotation_mark(tx))
    for _, delete, _ in reversed(statements):
        tx.connection.exec_driver_sql(delete)
    for _, _, insert in statements:
        tx.connection.exec_driver_sql(insert.format(number))


def forget(tx: Transaction, metadata: sa.MetaData, number: int) -> None:
    """Remove the rows of a kept state."""
    for table in _originals(metadata):
        copy = metadata.tables[_PREFIX + table.name]
        tx.delete(copy, copy.c[_NUMBER] == number)


def _originals(metadata: sa.MetaData) -> list[sa.Table]:
    return [
        table
        for table in metadata.sorted_tables
        if table.name not in OF_CONTROLS and not table.name.startswith(_PREFIX)
    ]


def _quotation_mark(tx: Transaction) -> str:
    return tx.connection.dialect.identifier_preparer.initial_quote


@cache
def _statements(metadata: sa.MetaData, mark: str) -> Sequence[tuple[str, str, str]]:
    """Return for each table what copies it, empties it and fills it again.

    As texts, since SQLAlchemy takes longer to compile a hundred statements than SQLite to run them.
    """

    def quote(name: str) -> str:
        return f"{mark}{name}{mark}"

    found = []
    for table in _originals(metadata):
        name, kept = quote(table.name), quote(_PREFIX + table.name)
        columns = ", ".join(quote(column.name) for column in table.columns)
        # Names of our own schema, and numbers.
        found.append(
            (
                f"INSERT INTO {kept} ({_NUMBER}, {columns}) SELECT {{}}, {columns} FROM {name}",  # noqa: S608
                f"DELETE FROM {name}",  # noqa: S608
                f"INSERT INTO {name} ({columns}) SELECT {columns} FROM {kept} "  # noqa: S608
                f"WHERE {_NUMBER} = {{}}",
            )
        )
    return found
