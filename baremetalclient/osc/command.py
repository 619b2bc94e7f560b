"""The bases of all commands."""

from __future__ import annotations

import contextlib
import io
import logging
import sys
import warnings
from typing import TYPE_CHECKING, Any, Protocol, TextIO, TypeVar

from cliff import _argparse, command, lister, show

from baremetalclient import exc
from baremetalclient._http.redact import masked
from baremetalclient._http.text import printable
from baremetalclient.osc.parser import ArgumentParser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from cliff import app
    from cliff.formatters.base import ListFormatter, SingleFormatter
    from stevedore import ExtensionManager

    from baremetalclient.v1.client import Client

    class _ClientManager(Protocol):
        baremetal: Client

    class _App(app.App):
        client_manager: _ClientManager


LOG = logging.getLogger(__name__)

_T = TypeVar("_T")


class Command(command.Command):
    """A command of the bare metal service, under ``openstack`` or ``baremetal``."""

    app: _App

    @property
    def client(self) -> Client:
        """The client to act with."""
        return self.app.client_manager.baremetal

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of the command.

        :param parser: the parser of the command's arguments.
        """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser of the command's arguments."""
        parser = ArgumentParser(
            description=self.get_description(),
            epilog=self.get_epilog(),
            prog=prog_name,
            formatter_class=_argparse.SmartHelpFormatter,
            conflict_handler=self.conflict_handler,
        )
        for hook in self._hooks:
            if hook.obj is not None:
                hook.obj.get_parser(parser)
        self.add_arguments(parser)
        return parser

    def get_epilog(self) -> str:
        """Return what ends the help; cliff's own search for the distribution costs 40 ms."""
        return ""

    def _load_hooks(self) -> None:
        # The standalone command has no namespace to hook into, and looking for one takes long.
        # Documentation is made from commands without an application.
        self._hooks = []
        if self.app is not None and self.app.command_manager.namespace:
            super()._load_hooks()

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; what it prints and raises is safe on a terminal."""
        with self._guard():
            return super().run(parsed_args)

    def tell(self, message: str) -> None:
        """Say on stderr what happens, unless ``--quiet`` asks for silence.

        :param message: a line, with names from anywhere.
        """
        if self.app.options.verbose_level > 0:
            print(printable(message), file=self.app.stderr, flush=True)

    def say(self, message: str) -> None:
        """Say on stdout what was done.

        :param message: a line, with names from anywhere.
        """
        print(printable(message), file=self.app.stdout, flush=True)

    def complain(self, message: str, error: Exception) -> None:
        """Say on stderr what failed, while the command goes on with the rest.

        :param message: what was tried.
        :param error: why it failed.
        """
        print(printable(f"{message}: {error}"), file=self.app.stderr, flush=True)
        LOG.debug("%s", printable(message), exc_info=error)

    def for_each(
        self, names: Iterable[_T], act: Callable[[_T], object], *, doing: str, done: str = ""
    ) -> int:
        """Act on each of several things; a failure doesn't spare the rest.

        :param names: what to act on.
        :param act: called with each.
        :param doing: says what failed, ``Failed to delete node {}``.
        :param done: says on stdout what was done, ``Deleted node {}``, if anything.
        :returns: the exit code: 1 if any failed.
        """
        failed = False
        for name in dict.fromkeys(names):
            try:
                act(name)
            except exc.ClientException as error:
                self.complain(doing.format(name), error)
                failed = True
            else:
                if done:
                    self.say(done.format(name))
        return int(failed)

    def _guard(self) -> AbstractContextManager[None]:
        streams = (self.app.stdout, self.app.stderr, sys.stderr)
        return _guarded(streams, self.app.stderr)


def add_show_secrets(parser: argparse.ArgumentParser) -> None:
    """Add ``--show-secrets``."""
    parser.add_argument(
        "--show-secrets",
        action="store_true",
        help="Print passwords and other secrets that the server sends, instead of masking them.",
    )


class Lister(lister.Lister, Command):
    """A command that lists."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser of the command's arguments."""
        parser = super().get_parser(prog_name)
        add_show_secrets(parser)
        return parser

    def produce_output(
        self,
        parsed_args: argparse.Namespace,
        column_names: Sequence[str],
        data: Iterable[Sequence[Any]],
    ) -> int:
        """Print the rows, without secrets unless these are asked for."""
        if not parsed_args.show_secrets:
            data = [masked_values(column_names, row) for row in data]
        return super().produce_output(parsed_args, column_names, data)

    def _load_formatter_plugins(self) -> ExtensionManager[ListFormatter]:
        from baremetalclient.osc.formatters import list_formatters

        return list_formatters()

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; what it prints and raises is safe on a terminal."""
        with self._guard():
            return super().run(parsed_args)


class ShowOne(show.ShowOne, Command):
    """A command that shows one thing."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Return the parser of the command's arguments."""
        parser = super().get_parser(prog_name)
        add_show_secrets(parser)
        return parser

    def produce_output(
        self, parsed_args: argparse.Namespace, column_names: Sequence[str], data: Sequence[Any]
    ) -> int:
        """Print the fields, without secrets unless these are asked for."""
        if not parsed_args.show_secrets:
            data = masked_values(column_names, data)
        return super().produce_output(parsed_args, column_names, data)

    def _load_formatter_plugins(self) -> ExtensionManager[SingleFormatter]:
        from baremetalclient.osc.formatters import show_formatters

        return show_formatters()

    def run(self, parsed_args: argparse.Namespace) -> int:
        """Run the command; what it prints and raises is safe on a terminal."""
        with self._guard():
            return super().run(parsed_args)


@contextlib.contextmanager
def _guarded(streams: Iterable[TextIO], stderr: TextIO) -> Iterator[None]:
    """While a command runs: nothing fails to be encoded, warnings and errors are printable."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def show_warning(
        message: Warning | str, category: type[Warning], *args: Any, **kwargs: Any
    ) -> None:
        if issubclass(category, exc.MoreResultsWarning):
            print(printable(str(message)), file=stderr)
        else:
            show_other_warning(message, category, *args, **kwargs)

    with warnings.catch_warnings():
        warnings.simplefilter("always", exc.MoreResultsWarning)
        show_other_warning, warnings.showwarning = warnings.showwarning, show_warning
        try:
            yield
        except exc.ClientException as error:
            if printable(str(error)) == str(error):
                raise
            raise exc.CommandError(printable(str(error))) from error


def masked_values(names: Sequence[str], values: Sequence[Any]) -> list[Any]:
    """Return the values of fields without secrets.

    :param names: the names of the fields, in which secrets are recognized.
    :param values: decoded JSON values.
    """
    return [masked({name: value})[name] for name, value in zip(names, values, strict=True)]


def columns_of(item: dict[str, Any]) -> tuple[Sequence[str], Sequence[Any]]:
    """Return a dictionary as what `ShowOne` shows: the names and the values."""
    return tuple(item), tuple(item.values())
