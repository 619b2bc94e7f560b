"""The database: its transactions, one after the other or side by side.

Models work on a :class:`Transaction`.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, TypeVar, cast
from weakref import finalize

import sqlalchemy as sa

from fake_server.db import engines, schema
from fake_server.db.errors import (
    ConflictError,
    DuplicateError,
    Interrupted,
    RetryError,
    UnstorableError,
    WriteNeededError,
    is_conflict,
)
from fake_server.db.retries import run_with_retries
from fake_server.db.transactions import Record, Transaction
from fake_server.db.written import EMPTY, Written
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
    from collections.abc import Callable, Iterator

    from sqlalchemy.engine.interfaces import DBAPIConnection

    from fake_server.db.migration import Upgrade

T = TypeVar("T")
MEMORY = "sqlite://"
#: Seconds that closing waits for a transaction.
_PATIENCE = 2.0


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
        self.in_memory = engines.is_memory(address)
        self._turn = RLock()
        shown = address.render_as_string(hide_password=True)
        try:
            self.engine = engines.make(address)
        except ModuleNotFoundError as exc:
            text = missing_driver(exc, address.get_backend_name())
            raise ValueError(f"The database {shown} can't be used: {text}") from exc
        except (sa.exc.ArgumentError, ImportError) as exc:
            raise ValueError(f"The database {shown} can't be used: {exc}") from exc
        # One connection holds a database in memory, so its users take turns.
        self._only = self.engine.connect() if self.in_memory else None
        self._driver = None if self._only is None else self._only.connection.dbapi_connection
        self._written = Written(EMPTY)
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
        if not engines.is_sqlite(address):
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
                    tx = Transaction(self._only, write=write, driver=driver, before=self._written)
                    yield tx
                    self._only.commit()
                    self._written.follow(tx.written)
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

    def _create_tables(self, upgrade: Upgrade) -> None:
        if self._driver is None:
            schema.prepare(self.engine, self.metadata, upgrade)
        else:
            schema.copy_tables(_sqlite(self._driver), self.metadata)


def _sqlite(driver: DBAPIConnection) -> sqlite3.Connection:
    return cast("sqlite3.Connection", driver)
