"""Names of traits, resource classes and aggregates: which there are, and which a provider has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fake_server.db.store import Transaction


@dataclass(frozen=True)
class Names:
    """The standard names of something, and those that users made.

    :param custom: the table of those that users made.
    :param standard: returns the others in the order in which they are listed.
    """

    custom: sa.Table
    standard: Callable[[], Sequence[str]]

    def fetch(self, tx: Transaction) -> list[str]:
        """Return all names there are."""
        rows = tx.all(sa.select(self.custom.c.name).order_by(self.custom.c.name))
        return [*self.standard(), *(row["name"] for row in rows)]

    def exists(self, tx: Transaction, name: str) -> bool:
        """Return whether there is such a name."""
        return tx.get(self.custom, name=name) is not None or name in self.standard()

    def create(self, tx: Transaction, name: str) -> bool:
        """Make a name; return whether it is new."""
        if self.exists(tx, name):
            return False
        try:
            tx.insert(self.custom, {"name": name})
        except DuplicateError:
            return False
        return True


def by_provider(
    tx: Transaction, column: sa.Column[str], uuids: Iterable[str] | None, *where: Any
) -> dict[str, set[str]]:
    """Return the values of a column by the UUIDs of providers.

    :param uuids: the providers; ``None`` for all.
    """
    provider = column.table.c.provider_uuid
    query = sa.select(provider, column.label("name")).where(*where)
    found: dict[str, set[str]] = {}
    for row in tx.all(query) if uuids is None else tx.among(query, provider, uuids):
        found.setdefault(row["provider_uuid"], set()).add(row["name"])
    return found
