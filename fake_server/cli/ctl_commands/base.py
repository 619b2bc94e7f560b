"""What the commands have in common: how one is added, and how it asks the server."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.cli.messages import tell
from fake_server.common import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.cli.parsers import Parser
    from fake_server.clients.controls import ControlClient

    Show = Callable[[Any], None]
    Act = Callable[[ControlClient, argparse.Namespace, Show], None]
    Commands = argparse._SubParsersAction[Parser]


def group(commands: Commands, name: str, text: str, act: Act) -> Commands:
    """Add a command with actions; without an action, it runs ``act``."""
    made = add_command(commands, name, text, act)
    return made.add_subparsers(metavar="ACTION", help="what to do (default: list or show)")


def add_command(commands: Commands, name: str, text: str, act: Act) -> Parser:
    """Add a command, which runs ``act``, and return its parser."""
    made = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    made.set_defaults(act=act)
    return made


def add_options(
    parser: argparse._ActionsContainer,
    *rows: tuple[str, str] | tuple[str, str, Callable[[str], Any]],
) -> None:
    """Add arguments: what each is called and takes, its help, and what converts its value.

    One without a value is ``None`` or true; one that takes ``NAME=VALUE`` can be repeated.
    """
    for option, text, *converter in rows:
        name, _, form = option.partition(" ")
        how: dict[str, Any] = {"metavar": form or None}
        if name.startswith("--") and not form:
            how = {"action": "store_true", "default": None}
        elif form == "NAME=VALUE":
            how |= {"action": "append", "type": pair}
            text += "; can be repeated"
        if converter:
            how["type"] = converter[0]
        parser.add_argument(name, **how, help=text)


def get(path: str) -> Act:
    """Return a function that shows what a control answers."""
    return lambda server, _options, show: show(server.send("GET", path))


def send(method: str, path: str) -> Act:
    """Return a function that sends a request and prints nothing; ``{}`` stands for the id."""
    return lambda server, options, _show: server.send(
        method, path.format(quote(getattr(options, "id", ""), safe=""))
    )


def show_with_warnings(answer: dict[str, Any], show: Show) -> None:
    """Show what a control answers, and tell the warnings in it."""
    for warning in answer.pop("warnings", ()):
        tell(f"warning: {warning}")
    show(answer)


def given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return the options of these names that were given."""
    found = {name: getattr(options, name, None) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def pair(text: str) -> tuple[str, str]:
    """Take ``NAME=VALUE`` as an argument."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def parsed(text: str) -> Any:
    """Take JSON as an argument."""
    try:
        return json_text.parse(text)
    except ValueError as exc:
        raise argparse.ArgumentTypeError(f"{text!r} is no JSON: {exc}") from None
