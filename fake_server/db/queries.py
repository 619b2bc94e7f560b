"""Frequent statements: compiled once, and run on the driver's connection.

SQLAlchemy would compare all parts of each with those of earlier ones, and describe every column of
a result anew, which costs more than a cheap statement.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa

from fake_server.db.errors import UnstorableError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.engine.interfaces import DBAPIConnection

_Processor = tuple[str, Callable[[Any], Any]]


class Prepared:
    """A statement that is compiled once for each database, for frequent use.

    :param statement: with ``bindparam`` for what changes from call to call.
    :param columns: those that it sets to parameters of their names.
    """

    def __init__(
        self, statement: sa.Select[Any] | sa.UpdateBase, columns: Sequence[str] = ()
    ) -> None:
        self._statement = statement
        self._columns = columns
        self._compiled: WeakKeyDictionary[sa.Dialect, Compiled] = WeakKeyDictionary()

    def compiled(self, dialect: sa.Dialect) -> Compiled:
        """Return it in the SQL of a database."""
        found = self._compiled.get(dialect)
        if found is None:
            found = self._compiled[dialect] = Compiled(self._statement, self._columns, dialect)
        return found


class Query(Prepared):
    """A query that is compiled once for each database, for frequent use.

    :param statement: with ``bindparam`` for what changes from call to call.
    """

    def __init__(self, statement: sa.Select[Any]) -> None:
        super().__init__(statement)
        self._selected = list(statement.selected_columns)
        self._names = [column.name for column in self._selected]

    def run(
        self, driver: DBAPIConnection, dialect: sa.Dialect, values: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        """Return the rows for values of the parameters, by the driver's connection."""
        compiled = self.compiled(dialect)
        cursor = compiled.execute(driver, values)
        rows = cursor.fetchall()
        if compiled.processors is None:
            compiled.processors = self._find_processors(dialect, cursor.description)
        cursor.close()
        names, processors = self._names, compiled.processors
        found = []
        for row in rows:
            record = dict(zip(names, row, strict=True))
            for name, process in processors:
                value = record[name]
                if value is not None:
                    record[name] = process(value)
            found.append(record)
        return found

    def _find_processors(self, dialect: sa.Dialect, described: Any) -> list[_Processor]:
        """Return the columns whose values the driver doesn't return as they are."""
        found: list[_Processor] = []
        for column, (_, number, *_) in zip(self._selected, described, strict=True):
            process = column.type.dialect_impl(dialect).result_processor(dialect, number)
            if process is not None:
                is_text = dialect.name == "sqlite" and isinstance(column.type, sa.JSON)
                found.append((column.name, _decoded if is_text else process))
        return found


class Change(Prepared):
    """A change of rows that is compiled once for each database, for frequent use.

    :param statement: with ``bindparam`` for what changes from call to call.
    :param columns: those that it sets to parameters of their names.
    """

    def __init__(
        self, statement: sa.Insert | sa.Update | sa.Delete, columns: Sequence[str] = ()
    ) -> None:
        super().__init__(statement, columns)
        self.table: sa.Table = statement.table  # type: ignore[assignment]

    def execute(
        self, driver: DBAPIConnection, dialect: sa.Dialect, values: Mapping[str, Any]
    ) -> Any:
        """Do it for values of the parameters; return the driver's cursor."""
        return self.compiled(dialect).execute(driver, values)

    def execute_many(
        self,
        driver: DBAPIConnection,
        dialect: sa.Dialect,
        values: Sequence[Mapping[str, Any]],
    ) -> None:
        """Do it for many values of the parameters, one after the other."""
        self.compiled(dialect).execute_many(driver, values)


class Compiled:
    """A statement in the SQL of one database."""

    def __init__(
        self,
        statement: sa.Select[Any] | sa.UpdateBase,
        columns: Sequence[str],
        dialect: sa.Dialect,
    ) -> None:
        compiled: Any = statement.compile(dialect=dialect, column_keys=columns)
        self._text = str(compiled)
        self._positions: Sequence[str] | None = compiled.positiontup
        #: What the driver doesn't take as it is.
        self._processors: list[_Processor] = list(compiled._bind_processors.items())
        #: What no caller gives: values in the statement, and defaults of columns.
        self._fixed = {
            name: bind.value for bind, name in compiled.bind_names.items() if not bind.required
        }
        self._defaults = {
            column.key: column.default.arg for column in getattr(compiled, "insert_prefetch", ())
        }
        #: Of the columns of the result, once there is one.
        self.processors: list[_Processor] | None = None

    def execute(self, driver: DBAPIConnection, values: Mapping[str, Any]) -> Any:
        """Return the driver's cursor after executing it for values of the parameters."""
        given = self._given(values)
        cursor = driver.cursor()
        cursor.execute(self._text, given)
        return cursor

    def execute_many(self, driver: DBAPIConnection, values: Sequence[Mapping[str, Any]]) -> None:
        """Execute it for each of many values of the parameters."""
        given = [self._given(each) for each in values]
        cursor = driver.cursor()
        cursor.executemany(self._text, given)
        cursor.close()

    def _given(self, values: Mapping[str, Any]) -> Any:
        """Return values as the driver takes them; raise UnstorableError if a column can't."""
        given = {**self._fixed, **values}
        for name, default in self._defaults.items():
            given[name] = default(None) if callable(default) else default
        try:
            for name, process in self._processors:
                given[name] = process(given[name])
        except Exception as exc:
            raise UnstorableError(str(exc)) from exc
        if self._positions is None:
            return given
        return [given[name] for name in self._positions]


def _decoded(text: str) -> Any:
    # Most objects of a node are empty.
    return {} if text == "{}" else json.loads(text)
