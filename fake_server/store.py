"""The database: an engine, transactions, and the few queries everything is made of.

Models work on a :class:`Transaction`; rows come back as plain dictionaries. A transaction holds
what one request does: it is committed when the request succeeded, rolled back when it failed.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Record = dict[str, Any]
MEMORY = "sqlite://"


class DuplicateError(Exception):
    """A uniqueness constraint refused a row; ``columns`` names what has to be unique."""

    def __init__(self, columns: frozenset[str]) -> None:
        super().__init__(", ".join(sorted(columns)))
        self.columns = columns


class UnstorableError(Exception):
    """A value is none that the database could hold or compare with."""


class Query:
    """A query that is compiled once for each database: the cheap way to ask the same often.

    :param statement: with ``bindparam`` for what changes from call to call.
    """

    def __init__(self, statement: sa.Select[Any]) -> None:
        self.statement = statement


class Transaction:
    """One unit of work on the database."""

    def __init__(self, connection: sa.Connection, compiled: dict[Query, _Compiled]) -> None:
        self.connection = connection
        self._compiled = compiled

    def ask(self, query: Query, **values: Any) -> list[Record]:
        """Return all rows of a prepared query."""
        compiled = self._compiled.get(query)
        if compiled is None:
            compiled = self._compiled[query] = _Compiled(query, self.connection.dialect)
        return compiled.run(self.connection, values)

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

    def scalar(self, statement: sa.Select[Any]) -> Any:
        """Return the first column of the first row, or ``None``."""
        return self._execute(statement).scalar()

    def get(self, table: sa.Table, **match: Any) -> Record | None:
        """Return the row whose columns have these values, or ``None``."""
        rows = self.ask(_match(table, *match), **match)
        return rows[0] if rows else None

    def insert(self, table: sa.Table, values: Mapping[str, Any]) -> int:
        """Add a row.

        :returns: its ``id`` (0 for a table without one).
        :raises DuplicateError: when it isn't unique.
        """
        with self._checked():
            result = self._execute(sa.insert(table).values(dict(values)))
        key = result.inserted_primary_key
        return key[0] if key and isinstance(key[0], int) else 0

    def update(self, table: sa.Table, where: Sequence[Any], values: Mapping[str, Any]) -> int:
        """Change rows.

        :returns: how many were found.
        :raises DuplicateError: when a changed row isn't unique.
        """
        with self._checked():
            return self._execute(sa.update(table).where(*where).values(dict(values))).rowcount

    def delete(self, table: sa.Table, *where: Any) -> int:
        """Remove rows; return how many there were."""
        return self._execute(sa.delete(table).where(*where)).rowcount

    def commit(self) -> None:
        """Keep what has been done so far, whatever becomes of the rest of the request."""
        self.connection.commit()

    def _execute(self, statement: sa.Executable) -> sa.CursorResult[Any]:
        try:
            return self.connection.execute(statement)
        except (sa.exc.IntegrityError, sa.exc.OperationalError):
            raise
        except (OverflowError, sa.exc.StatementError) as exc:
            raise UnstorableError(str(exc).partition("\n")[0]) from exc

    @contextmanager
    def _checked(self) -> Iterator[None]:
        """Undo only the failed statement and say which columns clashed."""
        savepoint = self.connection.begin_nested()
        try:
            yield
        except sa.exc.IntegrityError as exc:
            savepoint.rollback()
            columns = _clashing_columns(exc)
            if columns is None:
                raise
            raise DuplicateError(columns) from exc
        else:
            savepoint.commit()


class Store:
    """A database with the schema of the services.

    :param metadata: the tables.
    :param url: SQLAlchemy URL; without one, SQLite in memory.
    :raises ValueError: for a database that can't be used.
    """

    def __init__(self, metadata: sa.MetaData, url: str = MEMORY) -> None:
        self.metadata = metadata
        try:
            address = sa.make_url(url)
        except sa.exc.ArgumentError:
            raise ValueError("The address of a database looks like postgresql://…") from None
        self._sqlite = address.get_backend_name() == "sqlite"
        self._in_memory = self._sqlite and address.database in (None, "", ":memory:")
        self._turn = RLock()
        options: dict[str, Any] = {}
        if self._in_memory:
            options = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
        elif self._sqlite:
            options = {"connect_args": {"timeout": 30}}
        shown = address.render_as_string(hide_password=True)
        try:
            self.engine = sa.create_engine(address, **options)
        except (sa.exc.ArgumentError, ImportError) as exc:
            raise ValueError(f"The database {shown} can't be used: {exc}") from exc
        if self._sqlite:
            sa.event.listen(self.engine, "connect", self._on_sqlite_connect)
            sa.event.listen(self.engine, "begin", _begin_immediately)
        try:
            metadata.create_all(self.engine)
        except sa.exc.OperationalError as exc:
            raise ValueError(f"The database {shown} can't be used: {exc.orig}") from exc
        self._compiled: dict[Query, _Compiled] = {}
        # One connection holds a database in memory, so its users take turns.
        self._only = self.engine.connect() if self._in_memory else None

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Open a transaction: committed at the end, rolled back on an exception."""
        if self._only is None:
            with self.engine.connect() as connection:
                yield Transaction(connection, self._compiled)
                connection.commit()
            return
        with self._turn:
            try:
                yield Transaction(self._only, self._compiled)
                self._only.commit()
            except BaseException:
                self._only.rollback()
                raise

    def close(self) -> None:
        """Give back every connection; a database in memory is gone."""
        if self._only is not None:
            self._only.close()
        self.engine.dispose()

    def _on_sqlite_connect(self, connection: Any, _record: Any) -> None:
        # The driver's own transactions start too late for savepoints; _begin_immediately does it.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        if not self._in_memory:
            cursor.execute("PRAGMA journal_mode = WAL")
        cursor.close()


class _Compiled:
    """A query in the words of one database."""

    def __init__(self, query: Query, dialect: sa.Dialect) -> None:
        compiled = query.statement.compile(dialect=dialect)
        self._text = str(compiled)
        self._positions: Sequence[str] | None = compiled.positiontup
        self._columns = [
            (column.name, column.type.dialect_impl(dialect).result_processor(dialect, None))
            for column in query.statement.selected_columns
        ]

    def run(self, connection: sa.Connection, values: Mapping[str, Any]) -> list[Record]:
        """Return the rows."""
        given: Any = dict(values)
        if self._positions is not None:
            given = tuple(values[name] for name in self._positions)
        if not connection.in_transaction():
            connection.begin()
        # Past SQLAlchemy's results, which would describe every column anew each time.
        cursor = connection.connection.cursor()
        cursor.execute(self._text, given)
        rows = cursor.fetchall()
        cursor.close()
        return [
            {
                name: value if process is None or value is None else process(value)
                for (name, process), value in zip(self._columns, row, strict=True)
            }
            for row in rows
        ]


@cache
def _match(table: sa.Table, *names: str) -> Query:
    conditions = [table.c[name] == sa.bindparam(name) for name in names]
    return Query(sa.select(table).where(*conditions))


def _begin_immediately(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _clashing_columns(exc: sa.exc.IntegrityError) -> frozenset[str] | None:
    """Return the columns of the violated uniqueness constraint, or ``None`` for other failures."""
    text = str(exc.orig)
    _, sqlite, names = text.partition("UNIQUE constraint failed: ")
    if sqlite:
        return frozenset(name.rpartition(".")[2] for name in names.split(", "))
    _, postgresql, rest = text.partition("Key (")
    if postgresql and "already exists" in rest:
        return frozenset(name.strip(' "') for name in rest.partition(")=")[0].split(","))
    _, mariadb, key = text.partition("for key '")
    if mariadb:
        return frozenset(key.partition("'")[0].rpartition(".")[2].split("0")[1:])
    return None
