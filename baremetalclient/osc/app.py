"""The application behind the standalone ``baremetal``."""

from __future__ import annotations

import importlib
import logging
from functools import cached_property
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

from cliff.app import App
from cliff.commandmanager import CommandManager

from baremetalclient._http.text import printable
from baremetalclient.osc import global_options
from baremetalclient.osc.command_table import COMMANDS, LEGACY_COMMANDS, MODULE_PREFIX

if TYPE_CHECKING:
    import argparse

    from cliff.command import Command

    from baremetalclient.v1.client import Client

DISTRIBUTION = "baremetalclient"

_LOGGERS = ("baremetalclient", "keystoneauth")


class BaremetalApp(App):
    """``baremetal``: the commands of the bare metal service without ``openstack`` before them."""

    NAME = "baremetal"
    LOG = logging.getLogger(NAME)

    def __init__(self) -> None:
        super().__init__(
            description="Command line of the bare metal service (ironic).",
            version=None,
            command_manager=Commands(),
            deferred_help=True,
        )

    def run(self, argv: list[str]) -> int:
        """Run a command and return the exit code."""
        global_options.add_options(self.parser, argv)
        return super().run(argv)

    def build_option_parser(
        self,
        description: str | None,
        version: str | None,
        argparse_kwargs: dict[str, Any] | None = None,
    ) -> argparse.ArgumentParser:
        """Return the parser of the options that stand before a command."""
        from importlib import metadata

        return super().build_option_parser(
            description, metadata.version(DISTRIBUTION), argparse_kwargs
        )

    def configure_logging(self) -> None:
        """Send warnings to stderr, and with ``--debug`` or ``-v`` what goes over the wire."""
        super().configure_logging()
        root = logging.getLogger()
        root.setLevel(logging.DEBUG if self._verbose else logging.WARNING)
        for handler in root.handlers:
            handler.setFormatter(_PrintableFormatter(handler.formatter))
            if type(handler) is logging.StreamHandler:
                handler.setLevel(logging.DEBUG if self._verbose else logging.WARNING)
                handler.addFilter(_of_interest)

    def initialize_app(self, argv: list[str]) -> None:
        """Prepare the client, which the first command that needs it makes."""
        self.client_manager = ClientManager(self.options)

    def run_subcommand(self, argv: list[str]) -> int:
        """Run a command; say on stderr what an unknown one may have meant."""
        try:
            self.command_manager.find_command(argv)
        except ValueError:
            self.stderr.write(printable(_unknown(argv)) + "\n")
            return 2
        return super().run_subcommand(argv)

    @property
    def _verbose(self) -> bool:
        return bool(self.options.debug or self.options.verbose_level > 1)


class ClientManager:
    """What commands find their client in, as under OpenStackClient.

    :param options: the options that stand before a command.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options

    @cached_property
    def baremetal(self) -> Client:
        """The client of the bare metal service."""
        return global_options.make_client(self._options)


class Commands(CommandManager):
    """The commands in the package's own table; hidden ones run but are not listed."""

    def __init__(self) -> None:
        super().__init__(None)
        self.commands.update(
            (name, EntryPoint(name, MODULE_PREFIX + place, "")) for name, place in COMMANDS.items()
        )

    def find_command(self, argv: list[str]) -> tuple[type[Command], str, list[str]]:
        """Return the class of a command, its name and its arguments.

        :raises ValueError: there is no such command.
        """
        if argv and argv[0] in LEGACY_COMMANDS:
            module, _, name = LEGACY_COMMANDS[argv[0]].partition(":")
            command: type[Command] = getattr(importlib.import_module(MODULE_PREFIX + module), name)
            return command, argv[0], argv[1:]
        return super().find_command(argv)


class _PrintableFormatter(logging.Formatter):
    def __init__(self, inner: logging.Formatter | None) -> None:
        super().__init__()
        self._inner = inner or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        return printable(self._inner.format(record))


def _of_interest(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING or record.name.startswith(_LOGGERS)


def _unknown(argv: list[str]) -> str:
    import difflib

    given = []
    for word in argv:
        if word.startswith("-"):
            break
        given.append(word)
    name = " ".join(given) or argv[0]
    # What follows a command are its arguments, so every beginning may be the command meant.
    near = dict.fromkeys(
        match
        for length in range(len(given), 0, -1)
        for match in difflib.get_close_matches(" ".join(given[:length]), COMMANDS, n=3, cutoff=0.8)
    )
    near |= dict.fromkeys([command for command in COMMANDS if command.startswith(name + " ")])
    hint = (
        f"did you mean {', '.join(map(repr, list(near)[:5]))}?" if near else "see 'baremetal help'."
    )
    return f"baremetal: there is no command {name!r}; {hint}"
