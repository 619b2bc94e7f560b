"""The names of what a server has, which are the same in each run whatever its identifiers are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.db.queries import Query
from fake_server.sweep import tables
from fake_server.sweep.state import is_identifier

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Store, Transaction


class Names:
    """Finds the names of resources; remembers those that are gone since.

    :param store: the database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, str] = {}

    def forget(self) -> None:
        """Begin a new run."""
        self._known.clear()

    def noted(self, ident: str) -> str | None:
        """Return the name of what was asked for before, without asking the database."""
        return self._known.get(ident)

    def of(self, ident: str) -> str:
        """Return the name of a resource.

        :param ident: its name or its identifier.
        :returns: its name; ``unnamed-2`` for the second of its kind that has none; what was given,
            if it is no identifier of anything that is there or was.
        """
        if not is_identifier(ident):
            return ident
        if ident not in self._known:
            found = self._store.run(lambda tx: _find(tx, ident), write=False)
            if found is None:
                return ident
            self._known[ident] = found
        return self._known[ident]


def _find(tx: Transaction, ident: str) -> str | None:
    for table, query in _identified():
        rows = tx.ask(query, ident=ident)
        if rows:
            name = rows[0].get("name")
            return str(name) if name else f"unnamed-{_place(tx, table, rows[0])}"
    return None


def _place(tx: Transaction, table: sa.Table, row: Mapping[str, object]) -> int:
    """Return the how many-th a row is of those that have no name."""
    (key,) = table.primary_key.columns
    query = sa.select(sa.func.count()).select_from(table).where(key <= row[key.name])
    if "name" in table.c:
        query = query.where(sa.or_(table.c.name.is_(None), table.c.name == ""))
    return int(tx.scalar(query) or 1)


@cache
def _identified() -> Sequence[tuple[sa.Table, Query]]:
    """Return the tables whose rows have an identifier, and one key, with queries by identifier."""
    found = []
    for table in tables.of_resources():
        column = table.c.get("uuid", table.c.get("id"))
        has_identifier = column is not None and isinstance(column.type, sa.String)
        if column is not None and has_identifier and len(table.primary_key.columns) == 1:
            query = sa.select(table).where(column == sa.bindparam("ident"))
            found.append((table, Query(query)))
    return found
