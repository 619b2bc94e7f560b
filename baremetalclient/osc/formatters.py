"""Output formats: those of cliff, safe on a terminal, and ``shell`` for lists too.

They are built here, not looked up through entry points, which would cost every command more than
the rest of its output.
"""

from __future__ import annotations

import re
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

from baremetalclient.osc.columns import plain_cell, table_cell

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping, Sequence

_FormatterT = TypeVar("_FormatterT", bound=Formatter)

_SHELL_SPECIAL = re.compile(r'([\\"$`])')


def list_formatters() -> ExtensionManager[ListFormatter]:
    """Return the formats of commands that list: csv, json, shell, table, value and yaml."""
    return _manager(
        "cliff.formatter.list",
        {
            "csv": CSV(),
            "json": JSONFormatter(),
            "shell": Shell(),
            "table": Table(),
            "value": Value(),
            "yaml": YAMLFormatter(),
        },
    )


def show_formatters() -> ExtensionManager[SingleFormatter]:
    """Return the formats of commands that show one item: json, shell, table, value and yaml."""
    return _manager(
        "cliff.formatter.show",
        {
            "json": JSONFormatter(),
            "shell": Shell(),
            "table": Table(),
            "value": Value(),
            "yaml": YAMLFormatter(),
        },
    )


class Table(TableFormatter):
    """A table; nothing at all for no rows, unless an empty table is asked for."""

    def emit_list(
        self,
        column_names: Sequence[str],
        data: Iterable[Sequence[Any]],
        stdout: TextIO,
        parsed_args: argparse.Namespace,
    ) -> None:
        """Print a row for each item."""
        rows = [[table_cell(value) for value in row] for row in data]
        if rows or parsed_args.print_empty:
            super().emit_list(column_names, rows, stdout, parsed_args)

    def emit_one(
        self,
        column_names: Sequence[str],
        data: Sequence[Any],
        stdout: TextIO,
        parsed_args: argparse.Namespace,
    ) -> None:
        """Print a row for each field."""
        super().emit_one(column_names, [table_cell(value) for value in data], stdout, parsed_args)


class Value(ValueFormatter):
    """Values alone, separated by spaces or on lines of their own."""

    def emit_list(
        self,
        column_names: Sequence[str],
        data: Iterable[Sequence[Any]],
        stdout: TextIO,
        parsed_args: argparse.Namespace,
    ) -> None:
        """Print a line for each item."""
        super().emit_list(column_names, _plain_rows(data), stdout, parsed_args)

    def emit_one(
        self,
        column_names: Sequence[str],
        data: Sequence[Any],
        stdout: TextIO,
        parsed_args: argparse.Namespace,
    ) -> None:
        """Print a line for each field."""
        super().emit_one(column_names, [plain_cell(value) for value in data], stdout, parsed_args)


class CSV(CSVLister):
    """Comma-separated values."""

    def emit_list(
        self,
        column_names: Sequence[str],
        data: Iterable[Sequence[Any]],
        stdout: TextIO,
        parsed_args: argparse.Namespace,
    ) -> None:
        """Print a heading and a line for each item."""
        super().emit_list(column_names, _plain_rows(data), stdout, parsed_args)


class Shell(ShellFormatter, ListFormatter):
    """Assignments for a POSIX shell, quoted so that evaluating them runs nothing."""

    def emit_list(
        self,
        column_names: Sequence[str],
        data: Iterable[Sequence[Any]],
        stdout: TextIO,
        parsed_args: argparse.Namespace,
    ) -> None:
        """Print a line of assignments for each item, for ``while read -r line; do eval``."""
        for row in data:
            words = self._assignments(column_names, row, parsed_args)
            stdout.write(" ".join(word.replace("\n", r"\n") for word in words) + "\n")

    def emit_one(
        self,
        column_names: Sequence[str],
        data: Sequence[Any],
        stdout: TextIO,
        parsed_args: argparse.Namespace,
    ) -> None:
        """Print an assignment for each field."""
        for word in self._assignments(column_names, data, parsed_args):
            stdout.write(word + "\n")

    @staticmethod
    def _assignments(
        names: Sequence[str], values: Sequence[Any], parsed_args: argparse.Namespace
    ) -> Iterable[str]:
        for column, value in zip(names, values, strict=True):
            name = re.sub(r"\W", "_", column.lower(), flags=re.ASCII)
            if not parsed_args.variables or name in parsed_args.variables:
                text = _SHELL_SPECIAL.sub(r"\\\1", str(plain_cell(value)))
                yield f'{parsed_args.prefix}{name}="{text}"'


def _plain_rows(data: Iterable[Sequence[Any]]) -> Iterable[list[Any]]:
    return ([plain_cell(value) for value in row] for row in data)


def _manager(
    namespace: str, formatters: Mapping[str, _FormatterT]
) -> ExtensionManager[_FormatterT]:
    # Despite its name the only way to make a manager of extensions that are at hand.
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
