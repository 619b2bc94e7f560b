"""Transactions, and the basic queries.

Rows come back as plain dictionaries. A transaction holds what one request does: it is committed
when the request succeeded, rolled back when it failed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection

from fake_server.db.errors import (
    ConflictError,
    DuplicateError,
    UnstorableError,
    WriteNeededError,
    cause_of,
    clashing_columns,
    meaning,
    violates_foreign_key,
)
from fake_server.db.queries import Change, Query
from fake_server.db.written import Written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

T = TypeVar("T")
V = TypeVar("V")

Record = dict[str, Any]
#: What statements call the ``id`` of a row to be changed, which may change as well.
_KEY = "id_of_row"
#: How many values a query names at most.
_CHUNK = 500
#: How many changes are kept prepared, each of which sets other columns.
_KEPT = 500
#: Executes a prepared statement by the driver's connection.
_Act = Callable[[DBAPIConnection, sa.Dialect, V], T]


class Transaction:
    """One unit of work on the database.

    :param write: whether it may write.
    :param driver: the driver's connection, where prepared queries need no transaction to be begun
        because nothing can come between them.
    :param before: what was written before it, where no other process writes.
    """

    def __init__(
        self,
        connection: sa.Connection,
        *,
        write: bool = True,
        driver: DBAPIConnection | None = None,
        before: Written | None = None,
    ) -> None:
        self.connection = connection
        self._dialect = connection.dialect
        self._errors: Any = connection.dialect.dbapi
        self._before = before
        #: What it has written itself.
        self.written = Written()
        self._write = write
        self._driver = driver
        #: How many savepoints it is in.
        self._depth = 0

    def written_since(self, snapshot: int) -> set[str] | None:
        """Return the names of the tables written since a snapshot; ``None`` if that is unknown."""
        before = None if self._before is None else self._before.since(snapshot)
        return None if before is None else before | self.written.tables

    def ask(self, query: Query, **values: Any) -> list[Record]:
        """Return all rows of a prepared query."""
        return self._run(query.run, values)

    def first(self, statement: sa.Select[Any]) -> Record | None:
        """Return the first row of a query, or ``None``."""
        result = self._execute(statement)
        row = result.first()
        return None if row is None else dict(zip(result.keys(), row, strict=True))

    def all(self, statement: sa.Select[Any]) -> list[Record]:
        """Return all rows of a query."""
        result = self._execute(statement)
        names = tuple(result.keys())
        return [dict(zip(names, row, strict=True)) for row in result]

    def among(
        self, query: sa.Select[Any], column: sa.ColumnElement[Any], values: Iterable[Any]
    ) -> list[Record]:
        """Return the rows of a query whose column has one of many values, some at a time."""
        wanted = list(values)
        return [
            row
            for start in range(0, len(wanted), _CHUNK)
            for row in self.all(query.where(column.in_(wanted[start : start + _CHUNK])))
        ]

    def scalar(self, statement: sa.Select[Any]) -> Any:
        """Return the first column of the first row, or ``None``."""
        return self._execute(statement).scalar()

    def get(self, table: sa.Table, **match: Any) -> Record | None:
        """Return the row whose columns have these values, or ``None``."""
        try:
            rows = self.ask(_match(table, *match), **match)
        except UnstorableError:
            return None  # no row has what can't be stored
        return rows[0] if rows else None

    def rows(self, table: sa.Table, order: str, **match: Any) -> list[Record]:
        """Return the rows whose columns have these values, ordered by a column."""
        return self.ask(_matches(table, order, *match), **match)

    def insert(self, table: sa.Table, values: Mapping[str, Any]) -> int:
        """Add a row.

        :returns: its ``id``, if the database gave it one, else 0.
        :raises DuplicateError: when it isn't unique.
        """
        with self._checked(table):
            cursor = self._run(_insertion(table, *values).execute, values)
        column = table.autoincrement_column
        if column is None or column.name in values:
            return 0
        # PostgreSQL returns it as a row.
        return int(cursor.fetchone()[0] if cursor.description else cursor.lastrowid)

    def insert_many(self, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows with the same columns; raise DuplicateError if one isn't unique."""
        with self._checked(table, many=True):
            self._run(_insertion(table, *rows[0], many=True).execute_many, rows)
        counted = "id" in rows[0] and isinstance(table.c.id.type, sa.Integer)
        if counted and self._dialect.name == "postgresql":
            # Its counter doesn't look at what is there.
            highest = sa.select(sa.func.max(table.c.id)).scalar_subquery()
            sequence = sa.func.pg_get_serial_sequence(table.name, "id")
            self._execute(sa.select(sa.func.setval(sequence, highest)))

    def change(self, change: Change, **values: Any) -> int:
        """Do a prepared update and return the number of rows; see :meth:`update`."""
        with self._checked(change.table):
            return int(self._run(change.execute, values).rowcount)

    def update(self, table: sa.Table, where: Sequence[Any], values: Mapping[str, Any]) -> int:
        """Change rows and return their number; raise DuplicateError if one isn't unique."""
        computed = {
            name: value for name, value in values.items() if isinstance(value, sa.ColumnElement)
        }
        # The others are parameters, as SQLAlchemy would make an expression of each otherwise.
        given = {name: value for name, value in values.items() if name not in computed}
        change = sa.update(table).where(*where).values(computed)
        with self._checked(table):
            return self._execute(change, given).rowcount

    def update_row(self, table: sa.Table, ident: Any, values: Mapping[str, Any]) -> int:
        """Change the row of an ``id`` and return how many there were; see :meth:`update`."""
        with self._checked(table):
            return int(self._run(_change(table, *values).execute, {**values, _KEY: ident}).rowcount)

    def remove(self, table: sa.Table, **match: Any) -> int:
        """Remove the rows whose columns have these values; return how many there were."""
        self._check_write()
        self.written.tables.add(table.name)
        return int(self._run(_removal(table, *match).execute, match).rowcount)

    def delete(self, table: sa.Table, *where: Any) -> int:
        """Remove rows; return how many there were."""
        self._check_write()
        self.written.tables.add(table.name)
        return self._execute(sa.delete(table).where(*where)).rowcount

    def ordered(self, column: sa.Column[Any], *, descending: bool) -> Any:
        """Return what to order by; null comes before everything else, on every database."""
        order = column.desc() if descending else column.asc()
        if self._dialect.name != "postgresql" or not column.nullable:
            return order
        return order.nulls_last() if descending else order.nulls_first()

    def sql(self, text: str) -> Any:
        """Execute a statement in the database's own words; return the driver's cursor."""
        return self._run(_execute, text)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what is done in the block, and no more, if an exception leaves it."""
        self._check_write()
        name = f"savepoint_{self._depth}"
        self.sql(f"SAVEPOINT {name}")
        self._depth += 1
        try:
            yield
        except ConflictError:
            raise  # the whole transaction is undone, with its savepoints
        except BaseException:
            self.sql(f"ROLLBACK TO SAVEPOINT {name}")
            raise
        finally:
            self._depth -= 1
        self.sql(f"RELEASE SAVEPOINT {name}")

    def _check_write(self) -> None:
        if not self._write:
            raise WriteNeededError

    def _begin(self) -> DBAPIConnection:
        """Begin it unless that is done, and return the driver's connection."""
        if not self.connection.in_transaction():
            self.connection.begin()
        # The pool's wrapper would be asked for each statement, and has nothing to add.
        self._driver = driver = cast("DBAPIConnection", self.connection.connection.dbapi_connection)
        return driver

    def _run(self, act: _Act[V, T], values: V) -> T:
        """Have a statement executed by the driver, with values or as a text."""
        try:
            return act(self._driver or self._begin(), self._dialect, values)
        except Exception as exc:
            if found := meaning(exc, self._errors):
                raise found from exc
            if isinstance(exc, self._errors.Error):
                # As SQLAlchemy raises it, so that callers need to know one kind of errors.
                raise sa.exc.DBAPIError.instance(
                    None, None, exc, self._errors.Error, dialect=self._dialect
                ) from exc
            raise

    def _execute(
        self,
        statement: sa.Executable,
        parameters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
    ) -> sa.CursorResult[Any]:
        try:
            return self.connection.execute(statement, parameters)
        except Exception as exc:
            if found := meaning(exc, self._errors):
                raise found from exc
            raise

    @contextmanager
    def _checked(self, table: sa.Table, *, many: bool = False) -> Iterator[None]:
        """Write to a table; undo only a failed statement and say which columns clashed.

        :param many: whether it is executed for many rows, one after the other.
        """
        self._check_write()
        self.written.tables.add(table.name)
        # SQLite and MariaDB undo a failed statement themselves; PostgreSQL gives all up.
        needed = many or self._dialect.name == "postgresql"
        try:
            with self.savepoint() if needed else nullcontext():
                yield
        except sa.exc.IntegrityError as exc:
            cause = cause_of(exc)
            columns = clashing_columns(cause)
            if columns is None and violates_foreign_key(cause):
                # What was there a moment ago isn't any more, such as the node of a new port.
                raise ConflictError(str(cause)) from exc
            if columns is None:
                raise UnstorableError(str(cause)) from exc
            raise DuplicateError(columns) from exc


def _execute(driver: DBAPIConnection, _dialect: sa.Dialect, text: str) -> Any:
    cursor: Any = driver.cursor()
    cursor.execute(text)
    return cursor


@cache
def _match(table: sa.Table, *names: str) -> Query:
    return Query(_select(table, names))


@cache
def _matches(table: sa.Table, order: str, *names: str) -> Query:
    return Query(_select(table, names).order_by(table.c[order]))


def _select(table: sa.Table, names: Sequence[str]) -> sa.Select[Any]:
    return sa.select(table).where(*_same(table, names))


def _same(table: sa.Table, names: Sequence[str]) -> list[sa.ColumnElement[bool]]:
    return [table.c[name] == sa.bindparam(name) for name in names]


@lru_cache(maxsize=_KEPT)
def _insertion(table: sa.Table, *names: str, many: bool = False) -> Change:
    insertion = sa.insert(table)
    # Of many rows, none is asked for its id.
    return Change(insertion.inline() if many else insertion, names)


@lru_cache(maxsize=_KEPT)
def _change(table: sa.Table, *names: str) -> Change:
    return Change(sa.update(table).where(table.c.id == sa.bindparam(_KEY)), names)


@cache
def _removal(table: sa.Table, *names: str) -> Change:
    return Change(sa.delete(table).where(*_same(table, names)))
