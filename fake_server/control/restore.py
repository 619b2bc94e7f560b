"""Restore only the rows that differ: on PostgreSQL, rows and statements are expensive.

Rows that weren't there are removed, changed ones changed back, missing ones added, in one trip to
the database. What refers to each other in a way that this order can't undo is refused by it;
then all rows have to be replaced.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import sqlalchemy as sa

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fake_server.db.store import Transaction

    #: Returns the name of the table of a table's copies.
    Naming = Callable[[sa.Table], str]


def put_back(
    tx: Transaction, tables: Sequence[sa.Table], naming: Naming, number: str, kept: int
) -> bool:
    """Change rows to what was kept; return whether that was possible.

    :param tables: each after those that it refers to.
    :param number: the column of the copies that tells which state they are of.
    :param kept: which state.
    """
    statements = [_statements(table, naming(table), number) for table in tables]
    wanted = [delete for delete, _, _ in reversed(statements)]
    wanted += [update for _, update, _ in statements if update]
    wanted += [insert for _, _, insert in statements]
    if not wanted:
        return True
    savepoint = tx.connection.begin_nested()
    try:
        tx.connection.exec_driver_sql("; ".join(wanted).format(kept))
    except sa.exc.IntegrityError:
        savepoint.rollback()
        return False
    savepoint.commit()
    return True


@cache
def _statements(table: sa.Table, copy: str, number: str) -> tuple[str, str, str]:
    """Return what removes, changes and adds rows of a table."""
    name, copy = _quoted(table.name), _quoted(copy)
    keys = list(table.primary_key)
    rest = [column for column in table.columns if column not in keys]
    same = " AND ".join(f"t.{_quoted(key.name)} = k.{_quoted(key.name)}" for key in keys)
    key = ", ".join(_quoted(key.name) for key in keys)
    of_state = f"k.{number} = {{0}}"
    columns = ", ".join(_quoted(column.name) for column in table.columns)
    values = ", ".join(f"k.{_quoted(column.name)}" for column in table.columns)
    # Names of our own schema, and a number. What isn't in a list is found by hashing, whatever the
    # database thinks of the size of tables that it has never looked at.
    delete = (
        f"DELETE FROM {name} AS t WHERE ({key}) NOT IN "  # noqa: S608
        f"(SELECT {key} FROM {copy} AS k WHERE {of_state})"
    )
    update = ""
    if rest:
        changes = ", ".join(f"{_quoted(column.name)} = k.{_quoted(column.name)}" for column in rest)
        differs = " OR ".join(
            f"{_compared(column, 't')} IS DISTINCT FROM {_compared(column, 'k')}" for column in rest
        )
        update = (
            f"UPDATE {name} AS t SET {changes} FROM {copy} AS k "  # noqa: S608
            f"WHERE {of_state} AND {same} AND ({differs})"
        )
    insert = (
        f"INSERT INTO {name} ({columns}) SELECT {values} FROM {copy} AS k WHERE {of_state} "  # noqa: S608
        f"AND ({key}) NOT IN (SELECT {key} FROM {name})"
    )
    return delete, update, insert


def _compared(column: sa.Column[object], alias: str) -> str:
    """Return a column in a form that can be compared; JSON can't, but as text."""
    name = f"{alias}.{_quoted(column.name)}"
    return f"CAST({name} AS TEXT)" if isinstance(column.type, sa.JSON) else name


def _quoted(name: str) -> str:
    return f'"{name}"'
