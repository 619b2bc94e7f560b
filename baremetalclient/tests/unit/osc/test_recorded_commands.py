"""The options and arguments of all commands, and their help, as scripts and manuals have them."""

import argparse
from pathlib import Path
from types import SimpleNamespace

import pytest

from baremetalclient.osc import app, global_options, plugin
from baremetalclient.osc.command_table import COMMANDS, LEGACY_COMMANDS
from baremetalclient.tests.unit.recorded import check

RECORD = Path(__file__).with_name("commands.json")
# What cliff adds to commands.
CLIFF = {"output formatters", "table formatter", "json formatter", "CSV Formatter"}
CLIFF |= {"shell formatter", "YAML formatter", "value formatter"}


def command_of(name):
    found, _, _ = app.Commands().find_command(name.split())
    return found


def parser_of(name):
    manager = app.Commands()
    return command_of(name)(
        SimpleNamespace(command_manager=manager), None, cmd_name=name
    ).get_parser(name)


def described(action):
    kind = getattr(action.type, "__name__", None if action.type is None else repr(action.type))
    values = {
        "flags": action.option_strings,
        "dest": action.dest,
        "metavar": action.metavar,
        "nargs": action.nargs,
        "const": action.const,
        "default": action.default,
        "choices": None if action.choices is None else list(action.choices),
        "required": action.required,
        "type": None if kind is None else kind.partition(" at 0x")[0],
        "action": type(action).__name__.strip("_"),
        "help": "(hidden)" if action.help == argparse.SUPPRESS else action.help,
    }
    return {key: as_json(value) for key, value in values.items() if value not in (None, False, [])}


def as_json(value):
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else repr(value)


def described_parser(parser):
    entries = {"description": parser.description}
    for group in parser._action_groups:
        if group.title not in CLIFF:
            for action in group._group_actions:
                if action.dest == "help":
                    continue
                name = " ".join(action.option_strings) or f"<{action.dest}>"
                entries[name] = described(action)
    for number, group in enumerate(parser._mutually_exclusive_groups):
        members = [" ".join(action.option_strings) for action in group._group_actions]
        entries[f"one of {number}"] = {"required": group.required, "members": members}
    return entries


@pytest.mark.parametrize("name", [*COMMANDS, *LEGACY_COMMANDS])
def test_a_command_is_as_recorded(name, request):
    examples = {"examples": getattr(command_of(name), "examples", ())}
    check(request, RECORD, name, described_parser(parser_of(name)) | examples)


def test_the_global_options_are_as_recorded(request):
    parser = argparse.ArgumentParser()
    global_options.add_options(parser, [])
    check(request, RECORD, "(baremetal)", described_parser(parser))


def test_the_global_options_for_openstackclient_are_as_recorded(request):
    parser = plugin.build_option_parser(argparse.ArgumentParser())
    check(request, RECORD, "(openstack)", described_parser(parser))
