"""Bases of all commands."""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TextIO

from cliff import command, display, lister, show

from baremetalclient import exc
from baremetalclient._http.escapes import printable
from baremetalclient._http.redact import masked
from baremetalclient._suggestion import suggestion
from baremetalclient.osc.options import SHOW_SECRETS
from baremetalclient.osc.parser import ArgumentParser, HelpFormatter
from baremetalclient.osc.terminal.interrupts import TIME_OVER
from baremetalclient.osc.terminal.output import writing
from baremetalclient.osc.terminal.printer import Printer

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cliff import app
    from cliff.formatters.base import ListFormatter, SingleFormatter
    from stevedore import ExtensionManager

    from baremetalclient.osc.options import Option
    from baremetalclient.v1.client import Client

    ItemData = tuple[Sequence[str], Sequence[Any]]
    TableData = tuple[Sequence[str], Iterable[Sequence[Any]]]

    class _ClientManager(Protocol):
        baremetal: Client

    class _App(app.App):
        client_manager: _ClientManager


class NothingToDoError(Exception):
    """A command got nothing to change; it says so, and ends with exit code 0.

    Scripts with optional arguments rely on that, which python-ironicclient does, too.
    """


class Command(Printer, command.Command):
    """A command of the Bare Metal service, for ``openstack`` and ``baremetal``."""

    app: _App
    examples: ClassVar[tuple[str, ...]] = ()
    """Calls of the command that its help shows."""
    options: ClassVar[Sequence[Option]] = ()
    """Its options, besides those that all commands of its base have."""
    usage_exit_code: ClassVar[int] = 2
    """The exit code after arguments that are wrong."""

    @property
    def client(self) -> Client:
        """The client of the Bare Metal service."""
        return self.app.client_manager.baremetal

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of the command."""
        for option in self.options:
            option.add_to_create(parser)

    def given(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        """Return the values of the options that were given, by their fields."""
        values = {option.field: option.value(parsed_args) for option in self.options}
        return {field: value for field, value in values.items() if value is not None}

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = ArgumentParser(
            description=self.get_description(),
            epilog=self.get_epilog(),
            prog=prog_name,
            formatter_class=HelpFormatter,
            conflict_handler=self.conflict_handler,
        )
        parser.usage_exit_code = self.usage_exit_code
        for hook in self._hooks:
            if hook.obj is not None:
                hook.obj.get_parser(parser)
        self.add_arguments(parser)
        return parser

    def get_epilog(self) -> str:
        """Return the examples; the epilog of cliff takes 40 ms to find the distribution."""
        if not self.examples:
            return ""
        return "\n".join(["Examples::", "", *(f"    {example}" for example in self.examples)])

    def _load_hooks(self) -> None:
        # The standalone command has no namespace for hooks, and a search takes long. The
        # documentation is built from commands without an application.
        self._hooks = []
        if self.app is not None and self.app.command_manager.namespace:
            super()._load_hooks()

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; its warnings and errors are safe to print on a terminal."""
        return _run(self, super().run, parsed_args)


class _DisplayCommand(display.DisplayCommandBase, Command):  # type: ignore[type-arg]  # not generic in older cliff
    """A command that prints data in a format that the user chooses."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of fields by their names; ``-c`` accepts both."""
        return {}

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        SHOW_SECRETS.add(parser)  # type: ignore[arg-type]  # it is that of Command
        return parser

    def run(self, parsed_args: argparse.Namespace) -> int:
        return _run(self, super().run, parsed_args)

    def _find_columns(self, parsed_args: argparse.Namespace, names: Sequence[str]) -> None:
        """Replace the columns that the arguments name by their names in the data.

        :raises UsageError: if there is no such column.
        """
        known = {
            _plain(text): name for name in names for text in (self.labels.get(name, name), name)
        }
        for options in (parsed_args.columns, getattr(parsed_args, "sort_columns", [])):
            options[:] = [known.get(_plain(text), text) for text in options]
        unknown = [text for text in parsed_args.columns if text not in names]
        if unknown:
            raise exc.UsageError(
                f"unknown column {', '.join(map(repr, unknown))}."
                f"{suggestion(unknown[0], names, 'Columns')}"
            )


def _plain(column: str) -> str:
    """Return a column as cliff compares it: ``Power State`` is ``power_state``."""
    return column.lower().strip().replace(" ", "_")


class Lister(_DisplayCommand, lister.Lister):
    """A command that prints a list."""

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str], data: Iterable[Any]
    ) -> int:
        self._find_columns(parsed_args, column_names)
        self.retry_notices.finish()
        if not parsed_args.show_secrets:
            data = [masked_values(column_names, row) for row in data]
        return super().produce_output(parsed_args, column_names, data)

    def _load_formatter_plugins(self) -> ExtensionManager[ListFormatter]:
        from baremetalclient.osc.terminal.formatters import list_formatters

        return list_formatters()


class ShowOne(_DisplayCommand, show.ShowOne):
    """A command that prints one item."""

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str], data: Sequence[Any]
    ) -> int:
        self._find_columns(parsed_args, column_names)
        self.retry_notices.finish()
        if not parsed_args.show_secrets:
            data = masked_values(column_names, data)
        return super().produce_output(parsed_args, column_names, data)

    def _load_formatter_plugins(self) -> ExtensionManager[SingleFormatter]:
        from baremetalclient.osc.terminal.formatters import show_formatters

        return show_formatters()


def _run(
    running: Command, run: Callable[[argparse.Namespace], int], parsed_args: argparse.Namespace
) -> int:
    with _safe_output(running):
        try:
            with writing():
                return run(parsed_args)
        except NothingToDoError as nothing:
            running.print_error(str(nothing))
            return 0
        except exc.StateTransitionTimeout as error:
            running.print_error(str(error))
            return TIME_OVER
        except exc.UsageError as error:
            running.report_error(f"{running.app.NAME} {running.cmd_name}: error", error)
            return running.usage_exit_code


@contextlib.contextmanager
def _safe_output(running: Command) -> Iterator[None]:
    """Make all text encodable while a command runs, and its warnings and errors printable."""
    application = running.app
    streams: tuple[TextIO, ...] = (application.stdout, application.stderr, sys.stderr)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def show_warning(
        message: Warning | str, category: type[Warning], *args: Any, **kwargs: Any
    ) -> None:
        if issubclass(category, exc.MoreResultsWarning):
            running.print_error(str(message))
        else:
            show_other_warning(message, category, *args, **kwargs)

    with running.retry_notices, warnings.catch_warnings():
        warnings.simplefilter("always", exc.MoreResultsWarning)
        show_other_warning, warnings.showwarning = warnings.showwarning, show_warning
        try:
            yield
        except exc.ClientException as error:
            if printable(str(error)) == str(error):
                raise
            raise exc.CommandError(printable(str(error))) from error


def masked_values(names: Sequence[str], values: Sequence[Any]) -> list[Any]:
    """Return the values of fields with secrets masked.

    :param names: the names of the fields, by which secrets are recognized.
    :param values: decoded JSON values.
    """
    return [masked({name: value})[name] for name, value in zip(names, values, strict=True)]


def columns_of(item: dict[str, Any]) -> ItemData:
    """Return the keys and the values of a dictionary, as `ShowOne` takes them."""
    return tuple(item), tuple(item.values())


def table_of(columns: Sequence[str], items: Iterable[Mapping[str, Any]]) -> TableData:
    """Return columns of dictionaries, as `Lister` takes them; what is not there is empty."""
    return columns, [[item.get(name, "") for name in columns] for item in items]
