"""Frequent queries: compiled once, and run without SQLAlchemy's result objects.

Those would describe every column anew each time, which costs more than a cheap query.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_Processor = tuple[str, Callable[[Any], Any]]


class Query:
    """A query that is compiled once for each database, for frequent use.

    :param statement: with ``bindparam`` for what changes from call to call.
    """

    def __init__(self, statement: sa.Select[Any]) -> None:
        self.statement = statement
        self._compiled: WeakKeyDictionary[sa.Dialect, Compiled] = WeakKeyDictionary()

    def run(
        self, driver: sa.PoolProxiedConnection, dialect: sa.Dialect, values: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        """Return the rows for values of the parameters, by the driver's connection."""
        compiled = self._compiled.get(dialect)
        if compiled is None:
            compiled = self._compiled[dialect] = Compiled(self, dialect)
        return compiled.run(driver, dialect, values)


class Compiled:
    """A query in the SQL of one database."""

    def __init__(self, query: Query, dialect: sa.Dialect) -> None:
        compiled = query.statement.compile(dialect=dialect)
        self._text = str(compiled)
        self._positions: Sequence[str] | None = compiled.positiontup
        self._selected = list(query.statement.selected_columns)
        self._names = [column.name for column in self._selected]
        self._processors: list[_Processor] | None = None

    def run(
        self, driver: sa.PoolProxiedConnection, dialect: sa.Dialect, values: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        """Return the rows for values of the parameters, by the driver's connection."""
        given: Any = values
        if self._positions is not None:
            given = tuple([values[name] for name in self._positions])
        cursor = driver.cursor()
        cursor.execute(self._text, given)
        rows = cursor.fetchall()
        if self._processors is None:
            self._processors = self._find_processors(dialect, cursor.description)
        cursor.close()
        names, processors = self._names, self._processors
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


def _decoded(text: str) -> Any:
    # Most objects of a node are empty.
    return {} if text == "{}" else json.loads(text)
