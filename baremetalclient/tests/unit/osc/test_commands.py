"""The table of commands, held against the entry points and against python-ironicclient 6.3."""

import argparse
import configparser
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

import baremetalclient
from baremetalclient.osc import app
from baremetalclient.osc.command_table import COMMANDS, LEGACY_COMMANDS, MODULE_PREFIX

PEER = json.loads((Path(__file__).parent / "python_ironicclient_6_3.json").read_text("utf-8"))
SETUP = Path(baremetalclient.__file__).parent.parent / "setup.cfg"

# Where python-ironicclient asks for more than the service does, or for the impossible.
LOOSER = {("volume target create", "--boot-index")}


def command(name):
    manager = app.Commands()
    found, _, _ = manager.find_command(name.split())
    return found(SimpleNamespace(command_manager=manager), None, cmd_name=name)


def options_of(parser):
    return {flag: action for action in parser._actions for flag in action.option_strings}


def test_the_entry_points_are_the_table():
    config = configparser.ConfigParser()
    config.read(SETUP, "utf-8")
    lines = config["options.entry_points"]["openstack.baremetal.v1"].strip().splitlines()
    declared = dict(line.split(" = ") for line in lines)
    assert declared == {
        f"baremetal_{name.replace(' ', '_')}": MODULE_PREFIX + place
        for name, place in COMMANDS.items()
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_explains_itself(name):
    parser = command(name).get_parser(name)
    assert parser.description
    helped = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    assert all(action.help for action in helped)
    assert parser.format_help()


@pytest.mark.parametrize("name", LEGACY_COMMANDS)
def test_an_old_verb_is_a_command_too(name):
    assert command(name).get_parser(name).format_help()


def test_no_command_of_python_ironicclient_is_missing():
    assert set(PEER) <= set(COMMANDS)


@pytest.mark.parametrize("name", PEER)
def test_classes_are_named_as_there(name):
    assert COMMANDS[name].partition(":")[2] == PEER[name]["class"]


@pytest.mark.parametrize("name", PEER)
def test_options_are_those_of_python_ironicclient(name):
    parser = command(name).get_parser(name)
    ours = options_of(parser)
    assert set(PEER[name]["options"]) <= set(ours)
    for flag, theirs in PEER[name]["options"].items():
        action = ours[flag]
        takes_value = action.nargs != 0
        if theirs["values"] == 0:
            assert not takes_value or action.nargs == "?", flag
        else:
            assert takes_value, flag
            assert action.nargs in (theirs["values"], "?"), flag
        if theirs["choices"] and action.choices:
            assert set(theirs["choices"]) <= set(action.choices), flag
        if (name, flag) not in LOOSER:
            assert action.required <= theirs["required"], flag


@pytest.mark.parametrize("name", PEER)
def test_arguments_are_those_of_python_ironicclient(name):
    parser = command(name).get_parser(name)
    ours = [action for action in parser._actions if not action.option_strings]
    theirs = PEER[name]["arguments"]
    assert [action.nargs for action in ours] == [nargs for nargs, _ in theirs]
    for action, (_, choices) in zip(ours, theirs, strict=True):
        assert choices is None or set(choices) <= set(action.choices)
