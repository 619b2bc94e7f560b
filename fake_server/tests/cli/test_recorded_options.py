"""The options and arguments of all commands, and their help, as scripts and manuals have them.

A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from fake_server import cli
from fake_server.cli.parsers import Parser
from fake_server.tests import recorded

RECORD = Path(__file__).with_name("options.json.gz")
# Attributes of actions that tell nothing, and one that older versions of Python lack.
UNTOLD = ("container", "_deprecated")
COMMANDS = ("serve", "exec", "ctl", "capture", "compare", "bogus")


class SeenError(Exception):
    """Ends a command when it would parse its arguments."""


def plain(value):
    """Return a value of an action as JSON has it."""
    if isinstance(value, dict):
        return {name: described(parser) for name, parser in value.items()}
    if isinstance(value, argparse.Action):
        # What a list of commands says of one of them.
        return [value.dest, value.help]
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if value is None or isinstance(value, str | int | float):
        return value
    return getattr(value, "__name__", type(value).__name__)


def described(parser):
    """Return what is to be known of a parser and of its actions."""
    texts = {name: getattr(parser, name) for name in ("prog", "usage", "description", "epilog")}
    actions = {}
    for action in parser._actions:
        values = {name: plain(value) for name, value in vars(action).items() if name not in UNTOLD}
        values["kind"] = type(action).__name__
        actions[" ".join(action.option_strings) or action.dest] = {
            name: value for name, value in values.items() if value not in (None, False, [], "")
        }
    groups = [group.title for group in parser._action_groups]
    single = [
        [group.required, *(action.dest for action in group._group_actions)]
        for group in parser._mutually_exclusive_groups
    ]
    return {**texts, "groups": groups, "one of": single, "actions": actions}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_as_recorded(command, monkeypatch, request):
    def stop(self, *_args, **_options):
        raise SeenError(self)

    for name in ("parse_args", "parse_known_args"):
        monkeypatch.setattr(argparse.ArgumentParser, name, stop)
        monkeypatch.setattr(Parser, name, stop)
    with pytest.raises(SeenError) as seen:
        cli.main([command])
    recorded.check(request, RECORD, command, described(seen.value.args[0]))
