"""The whole state of a server, taken and put back."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from ..store import Store, Transaction

#: The rows of each table, in the form in which they go back.
State = dict[str, list[Any]]


class Snapshots:
    """States of a store that were kept.

    :param store: the store; what it holds at first is what :meth:`reset` goes back to.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._first = _taken(store)
        self._kept: dict[str, State] = {}
        self._numbers = count(1)

    def take(self) -> str:
        """Keep the present state; return its id."""
        ident = str(next(self._numbers))
        self._kept[ident] = _taken(self._store)
        return ident

    def idents(self) -> list[str]:
        """Return the ids of what is kept."""
        return list(self._kept)

    def restore(self, ident: str) -> None:
        """Go back to a state.

        :raises KeyError: if there is none of this id.
        """
        _put_back(self._store, self._kept[ident])

    def reset(self) -> None:
        """Go back to the state that the server started with."""
        _put_back(self._store, self._first)


def _taken(store: Store) -> State:
    with store.transaction(write=False) as tx:
        return {table.name: _rows(tx, table) for table in store.metadata.sorted_tables}


def _put_back(store: Store, state: State) -> None:
    with store.transaction() as tx:
        for table in reversed(store.metadata.sorted_tables):
            tx.delete(table)
        for table in store.metadata.sorted_tables:
            if state[table.name]:
                _insert(tx, table, state[table.name])


def _rows(tx: Transaction, table: sa.Table) -> list[Any]:
    if _is_sqlite(tx):
        # As the driver has them: nobody looks at them before they go back.
        statement = f'SELECT * FROM "{table.name}"'  # noqa: S608 - a name of our schema
        return list(map(tuple, tx.connection.exec_driver_sql(statement)))
    return tx.all(sa.select(table))


def _insert(tx: Transaction, table: sa.Table, rows: list[Any]) -> None:
    if _is_sqlite(tx):
        marks = ", ".join("?" * len(table.columns))
        statement = f'INSERT INTO "{table.name}" VALUES ({marks})'  # noqa: S608 - as above
        tx.connection.exec_driver_sql(statement, rows)
    else:
        tx.insert_many(table, rows)


def _is_sqlite(tx: Transaction) -> bool:
    return tx.connection.dialect.name == "sqlite"
