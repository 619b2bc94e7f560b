"""What becomes of a database with the schema of another version: it is carried over, or emptied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.schema import CreateColumn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: What is done with a database whose schema is another one.
Upgrade = Literal["refuse", "migrate", "fresh"]
#: The columns of a schema as ``table.column``, each with its type and whether it may be null.
Definition = dict[str, str]


class Difference(NamedTuple):
    """What a schema has beside an older one.

    :param added: the columns that an older database lacks, those of new tables included.
    :param obstacles: the columns for which there is no way over: they are gone, of another type, or
        need a value that an older database doesn't have.
    """

    added: Sequence[sa.Column[Any]]
    obstacles: Sequence[str]


def define(tables: sa.MetaData) -> Definition:
    """Return the definition of a schema."""
    return {
        f"{table.name}.{column.name}": f"{column.type!r} {column.nullable}"
        for table in tables.sorted_tables
        for column in table.columns
    }


def compare(before: Mapping[str, str], tables: sa.MetaData) -> Difference:
    """Return what differs from an older definition."""
    now = define(tables)
    known = {name.partition(".")[0] for name in before}
    columns = [column for table in tables.sorted_tables for column in table.columns]
    added = [column for column in columns if str(column) not in before]
    obstacles = [name for name in before if before[name] != now.get(name)]
    obstacles += [
        str(column)
        for column in added
        if column.table.name in known and not column.nullable and _default(column) is None
    ]
    return Difference(added, obstacles)


def carry_over(connection: sa.Connection, difference: Difference, before: Definition) -> None:
    """Add the tables and columns that a database lacks."""
    known = {name.partition(".")[0] for name in before}
    made = {column.table for column in difference.added if column.table.name not in known}
    for table in sorted(made, key=lambda table: table.metadata.sorted_tables.index(table)):
        table.create(connection)
    for column in difference.added:
        if column.table not in made:
            _add(connection, column)


def empty(connection: sa.Connection) -> None:
    """Remove all tables of a database."""
    present = sa.MetaData()
    present.reflect(connection)
    present.drop_all(connection)


def _add(connection: sa.Connection, column: sa.Column[Any]) -> None:
    table, dialect = column.table, connection.dialect
    text = str(CreateColumn(column).compile(dialect=dialect))
    default = _default(column)
    if default is not None:
        text += f" DEFAULT {sa.literal(default).compile(dialect=dialect, compile_kwargs=_INLINE)}"
    connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {text}")
    for index in table.indexes:
        if column.name in index.columns:
            index.create(connection)


_INLINE = {"literal_binds": True}


def _default(column: sa.Column[Any]) -> Any:
    """Return the value of rows that have none; those in snapshots have that of their tables."""
    original = column.table.metadata.tables.get(column.table.name.removeprefix("kept_"))
    found = column if original is None else original.columns.get(column.name, column)
    return found.default.arg if isinstance(found.default, sa.ColumnDefault) else None
