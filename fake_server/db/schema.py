"""The database schema of all services, and the check whether a database has it."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateIndex, CreateTable

from fake_server.db import migration

if TYPE_CHECKING:
    from typing import Any

    from fake_server.db.migration import Upgrade

metadata = sa.MetaData()


class Message(sa.types.TypeDecorator[str]):
    """Text that quotes what users sent, which may hold what PostgreSQL has no characters for."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        """Replace NUL by the replacement character where it can't be stored."""
        if value is None or dialect.name != "postgresql":
            return value
        return value.replace("\0", "\ufffd")


#: Characters of a text for which MariaDB takes a MEDIUMTEXT.
_LONG = 2**22 - 1
_MARK = "fake_server_schema"
#: Number of the lock under which PostgreSQL's tables are made.
_LOCK = 6385
#: Held while the one database is used that others are copied from.
_COPYING = Lock()


def numbered(name: str, *columns: sa.schema.SchemaItem) -> sa.Table:
    """Return a table whose rows have a ``number``, in the order in which they are added."""
    return sa.Table(name, metadata, sa.Column("number", sa.Integer, primary_key=True), *columns)


def prepare(engine: sa.Engine, tables: sa.MetaData, upgrade: Upgrade = "refuse") -> None:
    """Create the tables in an empty database.

    :param upgrade: what is done with one that has the schema of another version.
    :raises ValueError: for one with other tables, or with a schema that can't be carried over.
    """
    if engine.dialect.name != "sqlite":
        # Each statement has to see what others have made while it waited for its turn.
        engine = engine.execution_options(isolation_level="READ COMMITTED")
    try:
        _make(engine, tables, upgrade)
    finally:
        if engine.dialect.name != "sqlite":
            engine.dispose()  # MariaDB's lock ends with its connection


def copy_tables(connection: sqlite3.Connection, tables: sa.MetaData) -> None:
    """Create the tables in a new database in memory.

    They are copied from one that has them, since SQLite takes long for so many statements.
    """
    with _COPYING:
        _prepared(tables).backup(connection)


@cache
def _prepared(tables: sa.MetaData) -> sqlite3.Connection:
    """Return a database of SQLite that has the tables and no rows."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.executescript(";".join(_definitions(tables, "sqlite")))
    return connection


def _make(engine: sa.Engine, tables: sa.MetaData, upgrade: Upgrade) -> None:
    with engine.begin() as connection:
        _take_turns(connection)
        present = set(sa.inspect(connection).get_table_names())
        if _MARK in present:
            if not _is_to_be_made(connection, tables, upgrade):
                return
            present = set()
        if present:
            names = ", ".join(sorted(present)[:5])
            raise ValueError(f"it has tables of another program ({names}). Use an empty database")
        if connection.dialect.name == "sqlite":
            for statement in _definitions(tables, connection.dialect.name):
                connection.exec_driver_sql(statement)
        elif connection.dialect.name == "postgresql":
            # All in one trip, which is what takes the time there.
            connection.exec_driver_sql("; ".join(_definitions(tables, connection.dialect.name)))
        else:
            tables.create_all(connection, checkfirst=False)
        if connection.dialect.name == "postgresql":
            _reverse_unique(connection, tables)
        _mark().create(connection)
        _note(connection, tables)


def _is_to_be_made(connection: sa.Connection, tables: sa.MetaData, upgrade: Upgrade) -> bool:
    """Return whether a database that has a schema is empty now.

    :raises ValueError: if it has another one, which is neither to be carried over nor removed.
    """
    mark = sa.Table(_MARK, sa.MetaData(), autoload_with=connection)
    found, wanted = connection.execute(sa.select(mark.c.fingerprint)).scalar(), fingerprint(tables)
    if found == wanted:
        return False
    if upgrade == "fresh":
        migration.empty(connection)
        return True
    text = None
    if "definition" in mark.c:
        text = connection.execute(sa.select(mark.c.definition)).scalar()
    before: migration.Definition = json.loads(text or "{}")
    difference = migration.compare(before, tables)
    # Before there were definitions, nothing told what a schema has.
    obstacles = ["what nothing tells of"] if text is None else difference.obstacles
    remedy = "--migrate, which carries it over"
    if obstacles:
        others = f" and {len(obstacles) - 1} others" if obstacles[1:] else ""
        remedy = (
            "--fresh, which removes all that is in it, as there is no way over for "
            f"{obstacles[0]}{others}"
        )
    if obstacles or upgrade == "refuse":
        raise ValueError(
            f"it was created by another version of the fake server, with the schema {found}, and "
            f"that of this version is {wanted}: use that version, or start with {remedy}"
        )
    migration.carry_over(connection, difference, before)
    connection.execute(sa.delete(mark))
    _note(connection, tables)
    return False


def _mark() -> sa.Table:
    """Return the table that tells which schema a database has."""
    text = sa.Text().with_variant(sa.Text(_LONG), "mysql", "mariadb")
    columns = (sa.Column("fingerprint", sa.String(64)), sa.Column("definition", text))
    return sa.Table(_MARK, sa.MetaData(), *columns)


def _note(connection: sa.Connection, tables: sa.MetaData) -> None:
    text = json.dumps(migration.define(tables))
    values = {"fingerprint": fingerprint(tables), "definition": text}
    connection.execute(sa.insert(_mark()).values(values))


@cache
def _definitions(tables: sa.MetaData, dialect_name: str) -> list[str]:
    """Return the statements that create the tables; cached, as compiling them takes long."""
    dialect = sa.dialects.registry.load(dialect_name)()
    made: list[CreateTable | CreateIndex] = []
    for table in tables.sorted_tables:
        made.append(CreateTable(table))
        made += map(CreateIndex, sorted(table.indexes, key=lambda index: str(index.name)))
    definitions = [str(one.compile(dialect=dialect)) for one in made]
    for table in tables.sorted_tables:
        # SQLAlchemy leaves a kilobyte at each column, which only definitions look at.
        for column in table.columns:
            vars(column).pop("dialect_options", None)
    return definitions


@cache
def fingerprint(tables: sa.MetaData) -> str:
    """Return a fingerprint of a schema: a digest of its tables and columns."""
    digest = hashlib.sha256()
    for table in tables.sorted_tables:
        for column in table.columns:
            line = f"{table.name}.{column.name} {column.type!r} {column.nullable}\n"
            digest.update(line.encode())
    return digest.hexdigest()[:12]


def _reverse_unique(connection: sa.Connection, tables: sa.MetaData) -> None:
    """Let PostgreSQL check what has to be unique from the last to the first, as SQLite does.

    It names the first violated constraint, in the order in which they were made. MariaDB has an
    order of its own.
    """
    for table in tables.sorted_tables:
        named = [item for item in table.constraints if isinstance(item, sa.UniqueConstraint)]
        for item in sorted(named, key=lambda item: item._creation_order, reverse=True):
            if item.name is None:
                continue
            columns = ", ".join(column.name for column in item.columns)
            connection.exec_driver_sql(
                f"ALTER TABLE {table.name} DROP CONSTRAINT {item.name}, "
                f"ADD CONSTRAINT {item.name} UNIQUE ({columns})"
            )


def _take_turns(connection: sa.Connection) -> None:
    """Lock the database, so that one process at a time creates the tables."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    elif connection.dialect.name in ("mysql", "mariadb"):
        connection.execute(sa.select(sa.func.get_lock(_MARK, 30)))


@compiles(sa.String, "postgresql")
def _as_text(_type: sa.String, _compiler: Any, **_options: Any) -> str:
    """Hold texts of any length and sort them by their characters, as SQLite does."""
    return 'TEXT COLLATE "C"'


@compiles(sa.String, "mysql", "mariadb")
def _as_exact_text(type_: sa.String, compiler: Any, **options: Any) -> str:
    """Tell upper from lower case, and a space at the end from none, as SQLite does."""
    return f"{compiler.visit_string(type_, **options)} COLLATE utf8mb4_nopad_bin"
