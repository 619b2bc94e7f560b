"""Flavors: what a server is to be like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict
from fake_server.common.resources.rows import Rows
from fake_server.compute.session import reader
from fake_server.compute.tables import flavors

if TYPE_CHECKING:
    from fake_server.db.store import DuplicateError, Record, Transaction


class FlavorRows(Rows):
    """The rows of the flavors, of which projects use the public ones and their own."""

    def find(self, tx: Transaction, ident: str, project_id: str | None = None) -> Record:
        """Return a flavor that a project may use (any, without one); raise NotFound without one."""
        row = super().find(tx, ident)
        if not _usable(row, project_id):
            raise self.missing(ident)
        return row

    def fetch(
        self, tx: Transaction, /, project_id: str | None = None, **match: Any
    ) -> list[Record]:
        """Return flavors that a project may use, or all."""
        return [row for row in super().fetch(tx, **match) if _usable(row, project_id)]

    def conflict(self, problem: DuplicateError, row: Record) -> Exception:
        """Return the error for a flavor whose id or name is taken."""
        if "name" in problem.columns:
            return Conflict(f"Flavor with name {row['name']} already exists.")
        return Conflict(f"Flavor with ID {row['id']} already exists.")


ROWS = FlavorRows(flavors, "Flavor {} could not be found.")
#: Returns a flavor by its id, if a project may use it.
get = reader(ROWS.find)


def _usable(row: Record, project_id: str | None) -> bool:
    return project_id is None or row["is_public"] or project_id in row["projects"]
