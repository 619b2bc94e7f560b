"""The whole state of a server, taken and put back."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from ..store import Store

State = dict[str, list[dict[str, Any]]]


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
        return {table.name: tx.all(sa.select(table)) for table in store.metadata.sorted_tables}


def _put_back(store: Store, state: State) -> None:
    with store.transaction() as tx:
        for table in reversed(store.metadata.sorted_tables):
            tx.delete(table)
        for table in store.metadata.sorted_tables:
            if state[table.name]:
                tx.insert_many(table, state[table.name])
