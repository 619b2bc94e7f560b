"""Output formats: those of cliff, safe to print on a terminal, and ``shell`` for lists too.

They are created here, since finding them by entry points takes longer than the rest of the output.
"""

from __future__ import annotations

import json
import re
import shutil
from argparse import Namespace
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from cliff.formatters.base import Formatter, ListFormatter, SingleFormatter
from cliff.formatters.commaseparated import CSVLister
from cliff.formatters.json_format import JSONFormatter
from cliff.formatters.shell import ShellFormatter
from cliff.formatters.table import TableFormatter
from cliff.formatters.value import ValueFormatter
from cliff.formatters.yaml_format import YAMLFormatter
from stevedore import ExtensionManager
from stevedore.extension import Extension

from baremetalclient._http.escapes import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Row = Sequence[Any]
    Rows = Iterable[Row]

_FormatterT = TypeVar("_FormatterT", bound=Formatter)

_SHELL_SPECIAL = re.compile(r'([\\"$`])')


def list_formatters() -> ExtensionManager[ListFormatter]:
    """Return the formats of commands that list: csv, json, shell, table, value and yaml."""
    return _manager("cliff.formatter.list", {"csv": CSV(), **_show_formatters()})


def show_formatters() -> ExtensionManager[SingleFormatter]:
    """Return the formats of commands that show one item: json, shell, table, value and yaml."""
    return _manager("cliff.formatter.show", _show_formatters())


def _show_formatters() -> dict[str, Any]:
    return {
        "json": JSONFormatter(),
        "shell": Shell(),
        "table": Table(),
        "value": Value(),
        "yaml": YAMLFormatter(),
    }


def table_cell(value: Any) -> Any:
    """Return the text of a value in a table: JSON for a dictionary or list."""
    if isinstance(value, (dict, list, tuple)):
        return printable(json.dumps(value, ensure_ascii=False))
    return plain_cell(value)


def plain_cell(value: Any) -> Any:
    """Return a value for the formats ``value``, ``csv`` and ``shell``, which scripts read.

    :returns: text made printable, anything else as it is.
    """
    return printable(value) if isinstance(value, str) else value


class _ConvertedCells(ListFormatter, SingleFormatter):
    """A format of cliff whose cells are converted first.

    :cvar convert: returns the cell for a value.
    """

    convert: Callable[[Any], Any] = staticmethod(plain_cell)

    def emit_list(
        self, column_names: Sequence[str], data: Rows, stdout: TextIO, parsed_args: Namespace
    ) -> None:
        rows = [[self.convert(value) for value in row] for row in data]
        super().emit_list(column_names, rows, stdout, parsed_args)  # type: ignore[safe-super]

    def emit_one(
        self, column_names: Sequence[str], data: Row, stdout: TextIO, parsed_args: Namespace
    ) -> None:
        cells = [self.convert(value) for value in data]
        super().emit_one(column_names, cells, stdout, parsed_args)  # type: ignore[safe-super]


class Table(_ConvertedCells, TableFormatter):
    """A table; no output for an empty list, unless an empty table is asked for.

    On a terminal it fits the width, and states are coloured.
    """

    convert = staticmethod(table_cell)

    def emit_list(
        self, column_names: Sequence[str], data: Rows, stdout: TextIO, parsed_args: Namespace
    ) -> None:
        rows = list(data)
        width = _max_width(stdout, parsed_args)
        if rows and width:
            from baremetalclient.osc.terminal.tables import list_table

            cells = [[self.convert(value) for value in row] for row in rows]
            look = _look(stdout, parsed_args)
            droppable = _droppable(rows, stdout, parsed_args)
            stdout.write(list_table(column_names, cells, width, droppable=droppable, **look))
        elif rows or parsed_args.print_empty:
            super().emit_list(column_names, rows, stdout, parsed_args)

    def emit_one(
        self, column_names: Sequence[str], data: Row, stdout: TextIO, parsed_args: Namespace
    ) -> None:
        width = _max_width(stdout, parsed_args)
        if not width or not column_names:
            super().emit_one(column_names, data, stdout, parsed_args)
            return
        from baremetalclient.osc.terminal.tables import one_table

        cells = [self.convert(value) for value in data]
        stdout.write(one_table(column_names, cells, width, **_look(stdout, parsed_args)))


def print_table(columns: Sequence[str], rows: Rows, stdout: TextIO) -> None:
    """Print a table for people, of a command that has no options for it."""
    look = Namespace(columns=[], max_width=0, fit_width=False, print_empty=False)
    Table().emit_list(columns, rows, stdout, look)


class Value(_ConvertedCells, ValueFormatter):
    """Values alone, separated by spaces or on lines of their own."""


class CSV(_ConvertedCells, CSVLister):
    """Comma-separated values."""


class Shell(ShellFormatter, ListFormatter):
    """Assignments for a POSIX shell, quoted so that ``eval`` runs no commands."""

    def emit_list(
        self, column_names: Sequence[str], data: Rows, stdout: TextIO, parsed_args: Namespace
    ) -> None:
        for row in data:
            assignments = self._assignments(column_names, row, parsed_args)
            stdout.write(" ".join(text.replace("\n", r"\n") for text in assignments) + "\n")

    def emit_one(
        self, column_names: Sequence[str], data: Row, stdout: TextIO, parsed_args: Namespace
    ) -> None:
        for assignment in self._assignments(column_names, data, parsed_args):
            stdout.write(assignment + "\n")

    @staticmethod
    def _assignments(
        names: Sequence[str], values: Sequence[Any], parsed_args: Namespace
    ) -> Iterable[str]:
        for column, value in zip(names, values, strict=True):
            name = re.sub(r"\W", "_", column.lower(), flags=re.ASCII)
            if not parsed_args.variables or name in parsed_args.variables:
                text = _SHELL_SPECIAL.sub(r"\\\1", str(plain_cell(value)))
                yield f'{parsed_args.prefix}{name}="{text}"'


def _droppable(
    rows: Sequence[Sequence[Any]], stdout: TextIO, parsed_args: Namespace
) -> list[int] | None:
    """Return the numbers of the columns that are empty in all rows.

    :returns: None where the user has chosen the columns or the width, or which is no terminal.
    """
    chosen = parsed_args.columns or getattr(parsed_args, "fields", None)
    if chosen or parsed_args.max_width > 0 or parsed_args.fit_width or not stdout.isatty():
        return None
    columns = list(zip(*rows, strict=True))
    empty = [
        number
        for number, column in enumerate(columns)
        if all(value in (None, "", [], {}) for value in column)
    ]
    return empty if len(empty) < len(columns) else []


def _max_width(stdout: TextIO, parsed_args: Namespace) -> int:
    """Return the width that a table may have, 0 for any."""
    if parsed_args.max_width > 0:
        return int(parsed_args.max_width)
    if parsed_args.fit_width or stdout.isatty():
        return shutil.get_terminal_size((0, 0)).columns
    return 0


def _look(stdout: TextIO, parsed_args: Namespace) -> dict[str, bool]:
    """Return the colours of a table, and whether UUIDs may be wider than it is."""
    from baremetalclient.osc.terminal.tables import takes_colours

    return {
        "colours": takes_colours(stdout),
        "whole_uuids": parsed_args.max_width <= 0,
    }


def _manager(
    namespace: str, formatters: Mapping[str, _FormatterT]
) -> ExtensionManager[_FormatterT]:
    # Despite its name the only way to create a manager for given extensions.
    return ExtensionManager.make_test_instance(
        [
            Extension(
                name,
                EntryPoint(name, f"{__name__}:{type(formatter).__name__}", namespace),
                type(formatter),
                formatter,
            )
            for name, formatter in formatters.items()
        ],
        namespace,
    )
