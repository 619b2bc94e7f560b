"""The help of ``baremetal``, one screen, and what is said about commands that are unknown."""

from __future__ import annotations

import contextlib
import io
import shutil
import textwrap
from itertools import takewhile
from typing import TYPE_CHECKING

import autopage.argparse
from cliff import help as cliff_help

from baremetalclient import exc
from baremetalclient.osc.command_table import COMMANDS, words_of
from baremetalclient.osc.former_commands import command_of_today
from baremetalclient.osc.terminal.output import writing
from baremetalclient.v1.resources import RESOURCES

if TYPE_CHECKING:
    import argparse

_NOUNS = sorted([*map(words_of, RESOURCES), "server", "version", "volume"], key=len, reverse=True)
_FILES = "lab files"
"""What the commands that are a single word work on."""
_ABOUT = {
    "lab": "A lab is what files of YAML or JSON declare: nodes with their ports, traits and "
    "volumes, chassis, templates, rules and allocations. 'export' writes such a file, 'create' "
    "makes what is in it, 'diff' compares it with what there is, 'apply' changes that into it, and "
    "'lab graph' draws it. 'baremetal help apply' shows the form of a file.",
}
"""What the first word of commands stands for, where that isn't a resource of Ironic."""
_MOST_SUGGESTIONS = 5
_CONNECT = (
    "To connect: --os-cloud NAME (of clouds.yaml), --os-endpoint URL, or the variables OS_AUTH_URL "
    "and so on of an openrc file."
)
_MORE = "baremetal help COMMAND: its arguments. baremetal help --all: all commands and options."


def overview(columns: int | None = None) -> str:
    """Return the commands, a line for the resources that have the same ones.

    :param columns: the width, None for that of the terminal.
    """
    width = columns or shutil.get_terminal_size().columns
    verbs: dict[str, dict[str, None]] = {"node": {}}
    for command in COMMANDS:
        noun = next((noun for noun in _NOUNS if command.startswith(f"{noun} ")), _FILES)
        verb = command.removeprefix(noun).split()[0]
        verbs.setdefault(noun, {})[verb] = None
    nouns: dict[tuple[str, ...], list[str]] = {}
    for noun, own in verbs.items():
        nouns.setdefault(tuple(own), []).append(noun)
    lines = ["usage: baremetal [options] COMMAND [arguments]", ""]
    for words, alike in nouns.items():
        text = f"{', '.join(alike)}: {' '.join(words)}"
        lines += textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="      ")
    lines.append("")
    for text in (_MORE, _CONNECT):
        lines += textwrap.wrap(text, width)
    return "\n".join([*lines, ""])


def unknown_option(argv: list[str], known: list[str]) -> str | None:
    """Return the message if it is an option that is unknown and not the command."""
    import difflib

    position = next((number for number, word in enumerate(argv) if word.startswith("-")), None)
    if position is None:
        return None
    command = "".join(f"{word} " for word in argv[:position])
    if not any(name.startswith(command) for name in COMMANDS):
        return None
    option = argv[position].partition("=")[0]
    if option in known:
        return f"baremetal: A command is needed after {option!r}. See 'baremetal help'."
    near = difflib.get_close_matches(option, known, n=3, cutoff=0.8)
    hint = f"Did you mean {', '.join(near)}?" if near else "See 'baremetal --help'."
    return f"baremetal: Unknown option {option!r}. {hint}"


def unknown_command(argv: list[str]) -> str:
    """Return the message about a command that is unknown.

    :param argv: the arguments; the command ends before the first option.
    """
    import difflib

    given = list(takewhile(lambda word: not word.startswith("-"), argv)) or argv[:1]
    today = command_of_today(argv)
    if today is not None:
        return f"baremetal: Unknown command {given[0]!r}. Today it is: {today}"
    hint = "See 'baremetal help'."
    for length in range(len(given), 0, -1):  # the last words may be arguments
        words = given[:length]
        of_nodes = " ".join(["node", *words])
        near = [of_nodes] if of_nodes in COMMANDS else commands_like(words)
        if len(near) > _MOST_SUGGESTIONS:
            hint = f"See 'baremetal help {' '.join(words)}'."
            break
        near = near or difflib.get_close_matches(" ".join(words), COMMANDS, cutoff=0.8)
        if near:
            hint = f"Did you mean {', '.join(map(repr, near))}?"
            break
    return f"baremetal: Unknown command {' '.join(given)!r}. {hint}"


def commands_like(words: list[str]) -> list[str]:
    """Return the commands of whose words the given ones are the beginnings."""
    return [
        command
        for command in COMMANDS
        if len(words) <= len(command.split()) and all(map(str.startswith, command.split(), words))
    ]


class Help(cliff_help.HelpCommand):
    """Print an overview of the commands, or the arguments of one."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument("--all", action="store_true", help="All commands and global options.")
        return parser

    @writing()
    def take_action(self, parsed_args: argparse.Namespace) -> int:
        words = parsed_args.cmd
        if not words and not parsed_args.all:
            self.app.stdout.write(overview())
            return 0
        try:
            command, name, _ = self.app.command_manager.find_command(words or ["help"])
        except ValueError:
            names = commands_like(words)
            if not names:
                raise exc.CommandError(unknown_command(words)) from None
            about = textwrap.wrap(
                _ABOUT.get(" ".join(words), ""), shutil.get_terminal_size().columns
            )
            lines = [*about, *([""] if about else []), *(f"baremetal {name}" for name in names)]
            self.app.stdout.write("".join(f"{line}\n" for line in lines))
            return 0
        pager = autopage.argparse.help_pager(self.app.stdout)
        if not words:
            text = self._all(parsed_args)
            with pager as out:
                out.write(text)
            return int(pager.exit_code())
        parser = command(self.app, self.app_args, cmd_name=name).get_parser(f"baremetal {name}")
        with pager as out:
            autopage.argparse.use_color_for_parser(parser, pager.to_terminal())
            parser.print_help(out)
        return int(pager.exit_code())

    def _all(self, parsed_args: argparse.Namespace) -> str:
        """Return cliff's help; printed by cliff, it wouldn't tell that its reader has gone."""
        stdout, self.app.stdout = self.app.stdout, io.StringIO()
        try:
            with contextlib.suppress(cliff_help.HelpExit):
                super().take_action(parsed_args)
            return str(self.app.stdout.getvalue())
        finally:
            self.app.stdout = stdout
