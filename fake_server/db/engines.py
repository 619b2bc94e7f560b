"""The engines of databases: how connections are prepared, and how transactions begin."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

#: Seconds that a statement waits for others to unlock a file of SQLite.
_BUSY = 5.0
#: How many statements a connection to SQLite keeps prepared: preparing one takes longer than it.
_PREPARED = 1024


def is_sqlite(address: sa.URL) -> bool:
    """Return whether an address is that of a database of SQLite."""
    return address.get_backend_name() == "sqlite"


def is_memory(address: sa.URL) -> bool:
    """Return whether a database is one in memory."""
    return is_sqlite(address) and address.database in (None, "", ":memory:")


def names_memory(url: str) -> bool:
    """Return whether a text is the address of a database in memory."""
    address = _address(url)
    return address is not None and is_memory(address)


def names_new_file(url: str) -> bool:
    """Return whether a text is the address of a database in a file that isn't there yet."""
    address = _address(url)
    if address is None or is_memory(address) or not is_sqlite(address):
        return False
    return not Path(str(address.database)).exists()


def _address(url: str) -> sa.URL | None:
    try:
        return sa.make_url(url)
    except sa.exc.ArgumentError:
        return None


def make(address: sa.URL) -> sa.Engine:
    """Return the engine of a database.

    :raises sqlalchemy.exc.ArgumentError, ImportError: if there is none for such addresses.
    """
    if is_memory(address):
        return _of_memory(address)
    if is_sqlite(address):
        engine = _created(address, connect_args={"timeout": _BUSY, "cached_statements": _PREPARED})
        sa.event.listen(engine, "connect", _prepare_file)
        sa.event.listen(engine, "begin", _begin)
        return engine
    # A transaction that would overwrite another one's change conflicts and is repeated.
    is_postgresql = address.get_backend_name() == "postgresql"
    level = "REPEATABLE READ" if is_postgresql else "SERIALIZABLE"
    return _created(address, isolation_level=level, pool_size=8, pool_pre_ping=not is_postgresql)


def _created(address: sa.URL, **options: Any) -> sa.Engine:
    # Errors are logged, and what they would quote may be a password.
    return sa.create_engine(address, hide_parameters=True, **options)


@cache
def _of_memory(address: sa.URL) -> sa.Engine:
    """Return the engine of all databases in memory, of which each connection has its own.

    They share it, so that a process compiles a statement once.
    """
    options = {"check_same_thread": False, "cached_statements": _PREPARED}
    engine = _created(address, poolclass=NullPool, connect_args=options)
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
