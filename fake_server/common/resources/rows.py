"""The rows of a kind of resources: find, list, add, change and remove them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common import randomness
from fake_server.common.errors import Conflict, NotFound
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction


class Rows:
    """The rows of a table of resources that have an ``id``.

    :param table: columns named ``project_id``, ``created_at`` and ``updated_at`` are what these
        names say, if there are any.
    :param absent: what is said of an id that none has.
    :param taken: what is said of one that can't be stored as another one has its name or the like,
        with columns as placeholders.
    :param newest_first: whether lists begin with the one that was added last.
    """

    def __init__(
        self, table: sa.Table, absent: str, taken: str = "", *, newest_first: bool = False
    ) -> None:
        self.table = table
        self._absent = absent
        self._taken = taken
        column = next(table.c[name] for name in ("number", "name", "id") if name in table.c)
        order = column.desc() if newest_first else column
        self._all = sa.select(table).order_by(order)

    def missing(self, ident: Any) -> NotFound:
        """Return the error for what isn't there, or isn't seen."""
        return NotFound(self._absent.format(ident))

    def find(self, tx: Transaction, /, ident: str, project_id: str | None = None) -> Record:
        """Return one, of a project if that is given; raise NotFound if there is none."""
        row = tx.get(self.table, id=ident)
        if row is None or (project_id is not None and row["project_id"] != project_id):
            raise self.missing(ident)
        return row

    def fetch(
        self, tx: Transaction, /, project_id: str | None = None, **match: Any
    ) -> list[Record]:
        """Return all, of a project if that is given, whose columns have these values."""
        where = {} if project_id is None else {"project_id": project_id}
        columns = self.table.c
        same = (columns[name] == value for name, value in {**where, **match}.items())
        return tx.all(self._all.where(*same))

    def add(self, tx: Transaction, clock: Clock, values: Mapping[str, Any]) -> Record:
        """Add one and return it; raise Conflict if there is one that it can't be beside."""
        row = {"id": randomness.uuid(), **values}
        if "created_at" in self.table.c:
            row["created_at"] = clock.now()
        try:
            tx.insert(self.table, row)
        except DuplicateError as exc:
            raise self.conflict(exc, row) from None
        return self.find(tx, row["id"])

    def change(
        self, tx: Transaction, clock: Clock, row: Record, changes: Mapping[str, Any]
    ) -> Record:
        """Change columns of one and return it; raise Conflict as :meth:`add` does."""
        values = dict(changes)
        if "updated_at" in self.table.c:
            values["updated_at"] = clock.now()
        try:
            tx.update_row(self.table, row["id"], values)
        except DuplicateError as exc:
            raise self.conflict(exc, {**row, **values}) from None
        return self.find(tx, str(values.get("id") or row["id"]))

    def remove(self, tx: Transaction, row: Record) -> None:
        """Remove one."""
        tx.remove(self.table, id=row["id"])

    def conflict(self, problem: DuplicateError, row: Record) -> Exception:
        """Return the error for one that can't be stored beside what is there."""
        return Conflict(self._taken.format(**row)) if self._taken else problem
