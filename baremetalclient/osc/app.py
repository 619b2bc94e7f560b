"""The application of the standalone command ``baremetal``."""

from __future__ import annotations

import importlib
import logging
import warnings
from functools import cached_property
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

from cliff.app import App
from cliff.commandmanager import CommandManager
from cliff.help import HelpExit

from baremetalclient._http.escapes import printable
from baremetalclient.exc import AuthorizationFailure
from baremetalclient.osc import global_options
from baremetalclient.osc.command_table import COMMANDS, LEGACY_COMMANDS, MODULE_PREFIX
from baremetalclient.osc.terminal import interrupts
from baremetalclient.osc.terminal.output import writing

if TYPE_CHECKING:
    import argparse

    from cliff.command import Command

    from baremetalclient._http.retry import Deadline
    from baremetalclient.osc.timings import Timings
    from baremetalclient.v1.client import Client

DISTRIBUTION = "baremetalclient"
_NOT_VERIFIED = (
    "The certificate of the server is not verified (--insecure, or verify in clouds.yaml)."
)


class BaremetalApp(App):
    """``baremetal``: the commands of the Bare Metal service, without OpenStackClient."""

    NAME = "baremetal"
    LOG = logging.getLogger(NAME)

    def __init__(self) -> None:
        super().__init__(
            description="Command line of the Bare Metal service (Ironic).",
            version=None,
            command_manager=Commands(),
            deferred_help=True,
        )
        self._own_timeout: list[str] = []
        # Instead of cliff's, which know neither values nor names, and list everything.
        for name, place in (("complete", "completion.scripts:Complete"), ("help", "help:Help")):
            entry = EntryPoint(name, f"baremetalclient.osc.{place}", "")
            self.command_manager.commands[name] = entry

    def run(self, argv: list[str]) -> int:
        try:
            global_options.add_options(self.parser, argv)
        except AuthorizationFailure as error:
            self.stderr.write(f"{printable(str(error))}\n")
            return 1
        argv, self._own_timeout = global_options.split_own_timeout(self.parser, argv)
        root = logging.getLogger()
        handlers, level = root.handlers[:], root.level
        try:
            return super().run(argv)
        finally:
            interrupts.cancel_end()
            # A program that runs several commands would see each message several times.
            for handler in {*root.handlers} - {*handlers}:
                root.removeHandler(handler)
                handler.close()
            root.setLevel(level)

    def build_option_parser(
        self,
        description: str | None,
        version: str | None,
        argparse_kwargs: dict[str, Any] | None = None,
    ) -> argparse.ArgumentParser:
        from importlib import metadata

        return super().build_option_parser(
            description, metadata.version(DISTRIBUTION), argparse_kwargs
        )

    def configure_logging(self) -> None:
        super().configure_logging()
        root = logging.getLogger()
        root.setLevel(logging.DEBUG if self._verbose else logging.WARNING)
        for handler in root.handlers:
            if not isinstance(handler.formatter, _PrintableFormatter):
                handler.setFormatter(_PrintableFormatter(handler.formatter))
            if type(handler) is logging.StreamHandler:
                handler.setLevel(logging.DEBUG if self._verbose else logging.WARNING)
                handler.addFilter(self._is_relevant)

    def initialize_app(self, argv: list[str]) -> None:
        """Start the deadline and set the client manager, which creates the client when needed."""
        seconds = self.options.deadline
        deadline = interrupts.end_after(seconds) if seconds else None
        self.client_manager = ClientManager(self.options, deadline)

    def print_help_if_requested(self) -> None:
        """Print the overview for ``--help``, and instead of a prompt where there is no command."""
        if self.options.deferred_help or self.interactive_mode:
            from baremetalclient.osc.help import overview

            with writing():
                self.stdout.write(overview())
            raise HelpExit

    def clean_up(self, cmd: Command, result: int, err: BaseException | None) -> None:
        """Print the timings after a command if ``--timing`` is given."""
        super().clean_up(cmd, result, err)
        timings = self.client_manager.timings
        if timings is not None and not isinstance(err and err.__cause__, OSError):
            from baremetalclient.osc.timings import ShowTimings

            show = ShowTimings(self, self.options)
            show.timings = timings
            self.stdout.write("\n")
            show.run(show.get_parser("timing").parse_args(["-f", ShowTimings.format_after(cmd)]))

    def run_subcommand(self, argv: list[str]) -> int:
        argv = argv + self._own_timeout
        try:
            self.command_manager.find_command(argv)
        except ValueError:
            from baremetalclient.osc.help import unknown_command, unknown_option

            message = unknown_option(argv, list(self.parser._option_string_actions))
            self.stderr.write(printable(message or unknown_command(argv)) + "\n")
            return 2
        return super().run_subcommand(argv)

    @property
    def _verbose(self) -> bool:
        return bool(self.options.debug or self.options.verbose_level > 1)

    def _is_relevant(self, record: logging.LogRecord) -> bool:
        if record.name.startswith(("keystoneauth", "urllib3")):
            # Their warnings precede an exception that says the same, or have a traceback.
            return self._verbose
        return record.levelno >= logging.WARNING or record.name.startswith("baremetalclient")


class ClientManager:
    """The owner of the client, under the name that OpenStackClient uses.

    :param deadline: when all requests have to be over, None for no limit.
    """

    def __init__(self, options: argparse.Namespace, deadline: Deadline | None) -> None:
        self._options = options
        self._deadline = deadline
        self.timings: Timings | None = None

    @cached_property
    def baremetal(self) -> Client:
        """The client of the Bare Metal service."""
        client = global_options.make_client(self._options, self._deadline)
        if client.http_client.session.verify is False:
            warnings.filterwarnings("ignore", message="Unverified HTTPS request")
            logging.getLogger(__name__).warning(_NOT_VERIFIED)
        if self._options.timing:
            from baremetalclient.osc.timings import Timings

            self.timings = Timings(client.http_client.session)
        return client


class Commands(CommandManager):
    """The commands of the table in this package; legacy commands are hidden from help."""

    def __init__(self) -> None:
        super().__init__(None)
        self.commands.update(
            (name, EntryPoint(name, MODULE_PREFIX + place, "")) for name, place in COMMANDS.items()
        )

    def find_command(self, argv: list[str]) -> tuple[type[Command], str, list[str]]:
        """Return the class of a command, its name and its arguments.

        :raises ValueError: if the command is unknown; none is guessed from parts of its words.
        """
        if argv and argv[0] in LEGACY_COMMANDS:
            module, _, name = LEGACY_COMMANDS[argv[0]].partition(":")
            command: type[Command] = getattr(importlib.import_module(MODULE_PREFIX + module), name)
            return command, argv[0], argv[1:]
        found: tuple[type[Command], str, list[str]] = super().find_command(argv)
        if found[1] not in self.commands:
            raise ValueError(found[1])
        return found


class _PrintableFormatter(logging.Formatter):
    def __init__(self, inner: logging.Formatter | None) -> None:
        super().__init__()
        self._inner = inner or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        return printable(self._inner.format(record))
