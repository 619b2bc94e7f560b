"""How connections and transactions begin on SQLite."""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import NullPool


@cache
def memory_engine(address: sa.URL) -> sa.Engine:
    """Return the engine of all databases in memory, of which each connection has its own.

    They share it, so that a process compiles a statement once.
    """
    engine = sa.create_engine(
        address, poolclass=NullPool, connect_args={"check_same_thread": False}
    )
    sa.event.listen(engine, "connect", prepare_memory)
    sa.event.listen(engine, "begin", begin)
    return engine


def prepare_memory(connection: Any, _record: Any) -> None:
    """Prepare a new connection of the driver to a database in memory."""
    # The driver's own transactions start too late for savepoints; begin() does it.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON").close()


def prepare_file(connection: Any, record: Any) -> None:
    """Prepare a new connection of the driver to a database in a file."""
    prepare_memory(connection, record)
    connection.execute("PRAGMA journal_mode = WAL").close()
    # In this mode a killed process loses nothing; only a power failure might cost the last.
    connection.execute("PRAGMA synchronous = NORMAL").close()


def begin(connection: sa.Connection) -> None:
    """Begin a transaction; one that may write keeps others from writing at once."""
    reading = connection.get_execution_options().get("reading")
    # Not through SQLAlchemy, which would take a third of a cheap request's time for it.
    cursor = connection.connection.cursor()
    cursor.execute("BEGIN" if reading else "BEGIN IMMEDIATE")
    cursor.close()
