"""The database: an engine, transactions, and the basic queries.

Models work on a :class:`Transaction`; rows come back as plain dictionaries. A transaction holds
what one request does: it is committed when the request succeeded, rolled back when it failed.
"""

from __future__ import annotations

import random
import time
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import count
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import finalize

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from fake_server.db import schema
from fake_server.db.errors import (
    ConflictError,
    DuplicateError,
    Interrupted,
    RetryError,
    UnstorableError,
    WriteNeededError,
    clashing_columns,
    is_conflict,
    meaning,
    violates_foreign_key,
)
from fake_server.db.queries import Query
from fake_server.extra import missing_driver

__all__ = [
    "MEMORY",
    "ConflictError",
    "DuplicateError",
    "Interrupted",
    "Record",
    "RetryError",
    "Store",
    "Transaction",
    "UnstorableError",
    "WriteNeededError",
    "run_with_retries",
]

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from fake_server.db.migration import Upgrade

T = TypeVar("T")
Record = dict[str, Any]
MEMORY = "sqlite://"
#: What statements call the ``id`` of a row to be changed, which may change as well.
_KEY = "id_of_row"
#: Seconds that a statement waits for others to unlock a file of SQLite.
_BUSY = 5.0
#: Seconds that closing waits for a transaction.
_PATIENCE = 2.0
#: How many values a query names at most.
_CHUNK = 500


class Transaction:
    """One unit of work on the database.

    :param write: whether it may write.
    :param driver: the driver's connection, where prepared queries need no transaction to be begun
        because nothing can come between them.
    """

    def __init__(
        self,
        connection: sa.Connection,
        *,
        write: bool = True,
        driver: sa.PoolProxiedConnection | None = None,
    ) -> None:
        self.connection = connection
        self._write = write
        self._driver = driver

    def ask(self, query: Query, **values: Any) -> list[Record]:
        """Return all rows of a prepared query."""
        driver = self._driver
        try:
            if driver is None:
                if not self.connection.in_transaction():
                    self.connection.begin()
                driver = self.connection.connection
            return query.run(driver, self.connection.dialect, values)
        except Exception as exc:
            if found := meaning(exc, self.connection.dialect.dbapi):
                raise found from exc
            raise

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

        :returns: its ``id`` (0 for a table without one).
        :raises DuplicateError: when it isn't unique.
        """
        with self._checked():
            # As parameters: SQLAlchemy would make an expression of each value otherwise.
            result = self._execute(sa.insert(table), dict(values))
        key = result.inserted_primary_key
        return key[0] if key and isinstance(key[0], int) else 0

    def insert_many(self, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows with the same columns; raise DuplicateError if one isn't unique."""
        with self._checked(many=True):
            self._execute(sa.insert(table), list(rows))
        counted = "id" in rows[0] and isinstance(table.c.id.type, sa.Integer)
        if counted and self.connection.dialect.name == "postgresql":
            # Its counter doesn't look at what is there.
            highest = sa.select(sa.func.max(table.c.id)).scalar_subquery()
            sequence = sa.func.pg_get_serial_sequence(table.name, "id")
            self._execute(sa.select(sa.func.setval(sequence, highest)))

    def update(self, table: sa.Table, where: Sequence[Any], values: Mapping[str, Any]) -> int:
        """Change rows and return their number; raise DuplicateError if one isn't unique."""
        computed = {
            name: value for name, value in values.items() if isinstance(value, sa.ColumnElement)
        }
        # The others are parameters, as SQLAlchemy would make an expression of each otherwise.
        given = {name: value for name, value in values.items() if name not in computed}
        change = sa.update(table).where(*where).values(computed)
        with self._checked():
            return self._execute(change, given).rowcount

    def update_row(self, table: sa.Table, ident: Any, values: Mapping[str, Any]) -> int:
        """Change the row of an ``id`` and return how many there were; see :meth:`update`."""
        with self._checked():
            return self._execute(_change(table), {**values, _KEY: ident}).rowcount

    def delete(self, table: sa.Table, *where: Any) -> int:
        """Remove rows; return how many there were."""
        self._check_write()
        return self._execute(sa.delete(table).where(*where)).rowcount

    def ordered(self, column: sa.Column[Any], *, descending: bool) -> Any:
        """Return what to order by; null comes before everything else, on every database."""
        order = column.desc() if descending else column.asc()
        if self.connection.dialect.name != "postgresql" or not column.nullable:
            return order
        return order.nulls_last() if descending else order.nulls_first()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what is done in the block, and no more, if an exception leaves it."""
        self._check_write()
        savepoint = self.connection.begin_nested()
        try:
            yield
        except ConflictError:
            raise  # the whole transaction is undone, with its savepoints
        except BaseException:
            savepoint.rollback()
            raise
        savepoint.commit()

    def _check_write(self) -> None:
        if not self._write:
            raise WriteNeededError

    def _execute(
        self,
        statement: sa.Executable,
        parameters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
    ) -> sa.CursorResult[Any]:
        try:
            return self.connection.execute(statement, parameters)
        except Exception as exc:
            if found := meaning(exc, self.connection.dialect.dbapi):
                raise found from exc
            raise

    @contextmanager
    def _checked(self, *, many: bool = False) -> Iterator[None]:
        """Undo only the failed statement and say which columns clashed.

        :param many: whether it is executed for many rows, one after the other.
        """
        self._check_write()
        # SQLite and MariaDB undo a failed statement themselves; PostgreSQL gives all up.
        needed = many or self.connection.dialect.name == "postgresql"
        try:
            with self.savepoint() if needed else nullcontext():
                yield
        except sa.exc.IntegrityError as exc:
            columns = clashing_columns(exc)
            if columns is None and violates_foreign_key(exc):
                # What was there a moment ago isn't any more, such as the node of a new port.
                raise ConflictError(str(exc.orig)) from exc
            if columns is None:
                raise UnstorableError(str(exc.orig)) from exc
            raise DuplicateError(columns) from exc


class Store:
    """A database with the schema of the services.

    :param metadata: the tables.
    :param url: SQLAlchemy URL; without one, SQLite in memory.
    :param upgrade: what is done with a database that has the schema of another version: it is
        refused, carried over, or emptied.
    :raises ValueError: for a database that can't be used.
    """

    def __init__(
        self, metadata: sa.MetaData, url: str = MEMORY, *, upgrade: Upgrade = "refuse"
    ) -> None:
        self.metadata = metadata
        try:
            address = sa.make_url(url)
        except sa.exc.ArgumentError:
            raise ValueError(
                "Invalid database URL. It has to be one of SQLAlchemy's, such as postgresql://…"
            ) from None
        self._sqlite = address.get_backend_name() == "sqlite"
        self.in_memory = self._sqlite and address.database in (None, "", ":memory:")
        self._turn = RLock()
        shown = address.render_as_string(hide_password=True)
        try:
            self.engine = self._engine(address)
        except ModuleNotFoundError as exc:
            text = missing_driver(exc, address.get_backend_name())
            raise ValueError(f"The database {shown} can't be used: {text}") from exc
        except (sa.exc.ArgumentError, ImportError) as exc:
            raise ValueError(f"The database {shown} can't be used: {exc}") from exc
        # One connection holds a database in memory, so its users take turns.
        self._only = self.engine.connect() if self.in_memory else None
        self._driver = None if self._only is None else self._only.connection
        if self._only is not None:
            # The engine outlives a store that is dropped without being closed.
            finalize(self, self._only.close).atexit = False
        try:
            self._create_tables(upgrade)
        except sa.exc.DBAPIError as exc:
            text = str(exc.orig).partition("\n")[0]
            raise ValueError(f"The database {shown} can't be used: {text}") from exc
        except ValueError as exc:
            raise ValueError(f"The database {shown} can't be used: {exc}") from exc
        #: Where what a transaction has read still holds when it is committed.
        self._serializable = self.engine
        if address.get_backend_name() == "postgresql":
            self._serializable = self.engine.execution_options(isolation_level="SERIALIZABLE")
        self._readers = self.engine.execution_options(reading=True)
        if not self._sqlite:
            self._readers = self._readers.execution_options(isolation_level="REPEATABLE READ")

    @contextmanager
    def transaction(
        self, *, write: bool = True, serializable: bool = False
    ) -> Iterator[Transaction]:
        """Open a transaction: committed at the end, rolled back on an exception.

        :param write: whether it may write; one that may not keeps no other from writing.
        :param serializable: whether what it decides may depend on all that it reads, as quotas do:
            one that writes then conflicts if that has changed when it is committed. Otherwise it
            conflicts if a row that it changes has changed.
        :raises ConflictError: if it conflicts with another transaction.
        :raises WriteNeededError: if it writes and may not.
        :raises sqlalchemy.exc.ResourceClosedError: if a database in memory was closed.
        """
        try:
            if self._only is None:
                writers = self._serializable if serializable else self.engine
                engine = writers if write else self._readers
                with engine.connect() as connection:
                    yield Transaction(connection, write=write)
                    connection.commit()
                return
            with self._turn:
                if self._only.closed:
                    raise sa.exc.ResourceClosedError("The database was closed.")
                try:
                    driver = None if write else self._driver
                    yield Transaction(self._only, write=write, driver=driver)
                    self._only.commit()
                except BaseException:
                    self._only.rollback()
                    raise
        except Exception as exc:
            if is_conflict(exc, self.engine.dialect.dbapi):
                raise ConflictError(str(exc)) from exc
            raise

    def run(
        self,
        work: Callable[[Transaction], T],
        *,
        write: bool = True,
        serializable: bool = False,
        turns: int | None = None,
    ) -> T:
        """Run a function in its own transaction; see :func:`run_with_retries`."""

        def once() -> T:
            with self.transaction(write=write, serializable=serializable) as tx:
                return work(tx)

        return run_with_retries(once, turns=turns)

    def state(self) -> int | None:
        """Return a number that changes with each write; ``None`` if other processes can write."""
        if self._driver is None:
            return None
        return _sqlite(self._driver).total_changes

    def forget_connections(self) -> None:
        """Leave the connections to the process that this one was forked from, and open others."""
        self.engine.dispose(close=False)

    def close(self) -> None:
        """Give back every connection; a database in memory is gone.

        An open transaction there has a moment to end. One that takes longer keeps the connection:
        closing it during a transaction would crash the process.
        """
        if self._only is None:
            self.engine.dispose()
        elif self._turn.acquire(timeout=_PATIENCE):
            try:
                self._only.close()
            finally:
                self._turn.release()

    def _engine(self, address: sa.URL) -> sa.Engine:
        if self.in_memory:
            return _memory_engine(address)
        if self._sqlite:
            engine = sa.create_engine(address, connect_args={"timeout": _BUSY})
            sa.event.listen(engine, "connect", _prepare_file)
            sa.event.listen(engine, "begin", _begin)
            return engine
        # A transaction that would overwrite another one's change conflicts and is repeated.
        is_postgresql = address.get_backend_name() == "postgresql"
        level = "REPEATABLE READ" if is_postgresql else "SERIALIZABLE"
        return sa.create_engine(
            address, isolation_level=level, pool_size=8, pool_pre_ping=not is_postgresql
        )

    def _create_tables(self, upgrade: Upgrade) -> None:
        if self._driver is None:
            schema.prepare(self.engine, self.metadata, upgrade)
        else:
            schema.copy_tables(_sqlite(self._driver), self.metadata)


def _sqlite(driver: sa.PoolProxiedConnection) -> sqlite3.Connection:
    return cast("sqlite3.Connection", driver.dbapi_connection)


@cache
def _match(table: sa.Table, *names: str) -> Query:
    return Query(_select(table, names))


@cache
def _matches(table: sa.Table, order: str, *names: str) -> Query:
    return Query(_select(table, names).order_by(table.c[order]))


def _select(table: sa.Table, names: Sequence[str]) -> sa.Select[Any]:
    return sa.select(table).where(*[table.c[name] == sa.bindparam(name) for name in names])


@cache
def _change(table: sa.Table) -> sa.Update:
    # Made once: it takes three times as long as the change itself.
    return sa.update(table).where(table.c.id == sa.bindparam(_KEY))


def run_with_retries(
    work: Callable[[], T], *, turns: int | None = None, seconds: float | None = None
) -> T:
    """Run a function that opens its own transactions, again from its start after a conflict.

    :param turns: maximum number of attempts; by default until there is no conflict.
    :param seconds: nothing is tried again after this time, if given.
    :raises ConflictError: if there was a conflict each time.
    """
    start = time.monotonic()
    for turn in count(1):
        try:
            return work()
        except Interrupted as interrupted:
            interrupted.act()
        except ConflictError:
            late = seconds is not None and time.monotonic() - start >= seconds
            if turn == turns or late:
                raise
            time.sleep(random.random() * 0.01 * min(turn, 20))  # noqa: S311 - no secret
    raise AssertionError("unreachable")


@cache
def _memory_engine(address: sa.URL) -> sa.Engine:
    """Return the engine of all databases in memory, of which each connection has its own.

    They share it, so that a process compiles a statement once.
    """
    engine = sa.create_engine(
        address, poolclass=NullPool, connect_args={"check_same_thread": False}
    )
    sa.event.listen(engine, "connect", _prepare_memory)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _prepare_memory(connection: Any, _record: Any) -> None:
    """Prepare a new connection of the driver to a database in memory."""
    # The driver's own transactions start too late for savepoints; _begin() does it.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON").close()


def _prepare_file(connection: Any, record: Any) -> None:
    """Prepare a new connection of the driver to a database in a file."""
    _prepare_memory(connection, record)
    connection.execute("PRAGMA journal_mode = WAL").close()
    # In this mode a killed process loses nothing; only a power failure might cost the last.
    connection.execute("PRAGMA synchronous = NORMAL").close()


def _begin(connection: sa.Connection) -> None:
    """Begin a transaction; one that may write keeps others from writing at once."""
    reading = connection.get_execution_options().get("reading")
    # Not through SQLAlchemy, which would take a third of a cheap request's time for it.
    cursor = connection.connection.cursor()
    cursor.execute("BEGIN" if reading else "BEGIN IMMEDIATE")
    cursor.close()
