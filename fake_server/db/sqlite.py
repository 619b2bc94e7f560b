"""How connections and transactions begin on SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlalchemy as sa


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
