"""The commands, held against entry points, descriptions of resources and python-ironicclient."""

import argparse
import configparser
import importlib
import json
import textwrap
from collections import defaultdict
from pathlib import Path

import baremetalclient
from baremetalclient.osc.command_table import COMMANDS, LEGACY_COMMANDS, MODULE_PREFIX
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set
from baremetalclient.tests.unit.osc.everything import own_actions, parser_of
from baremetalclient.v1.provision_states import FIRST_NAMES, VERBS
from baremetalclient.v1.resources import resource_type

PEER = json.loads((Path(__file__).parent / "python_ironicclient_6_3.json").read_text("utf-8"))
SETUP = Path(baremetalclient.__file__).parent.parent / "setup.cfg"

# Where python-ironicclient asks for more than the service does, or for the impossible.
LOOSER = {("volume target create", "--boot-index")}


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


def test_each_provision_verb_of_the_table_is_a_command():
    places = {name: place for name, place in COMMANDS.items() if "node.provision:" in place}
    verbs = [verb for verb in VERBS if verb not in FIRST_NAMES.values()]
    assert sorted(places) == sorted(f"node {verb}" for verb in verbs)
    module = importlib.import_module(f"{MODULE_PREFIX}node.provision")
    for name, place in places.items():
        assert f"node {getattr(module, place.partition(':')[2]).verb}" == name


def shape(action):
    """Return an argument or option by its names, with what it takes if that is not one value."""
    number = {None: "", 0: ""}.get(action.nargs, str(action.nargs))
    names = " ".join(action.option_strings) or f"<{action.dest}>"
    return f"{names}{number}{'!' if action.required and action.option_strings else ''}"


_SELECTED = "--select --all --nodes-file --retry-failed"
#: What many commands have from the same base.
COMMON = {
    "--parallel --on-error --max-failures -f --format --report --dry-run --yes": "(at a time)",
    f"{_SELECTED}; 0-1 of {_SELECTED}; 0-1 of --on-error --max-failures": "(choice of nodes)",
    "--limit --marker --sort --long --fields+ --show-secrets; 0-1 of --long --fields": "(page)",
    "; 0-1 of --sort-ascending --sort-descending": " (rows)",
}


def in_short(options):
    for each, name in COMMON.items():
        options = options.replace(each, name)
    return options


def test_commands_have_the_recorded_options(recorded):
    found, shared = {}, defaultdict(list)
    for name in [*COMMANDS, *LEGACY_COMMANDS]:
        parser = parser_of(name)
        own = own_actions(parser)
        one_of = [
            ("1 of " if group.required else "0-1 of ")
            + " ".join(action.option_strings[-1] for action in group._group_actions)
            for group in parser._mutually_exclusive_groups
            if all(action.option_strings for action in group._group_actions)
        ]
        options = in_short("; ".join([" ".join(map(shape, own)), *one_of]))
        found[name] = textwrap.wrap(options, 200, break_on_hyphens=False)
        for action in own:
            if action.help not in (None, argparse.SUPPRESS) and action.option_strings:
                default = "" if action.default in (None, False, True) else f" = {action.default}"
                shared[f"{shape(action)}{default}", action.help].append(name)
    recorded(found)
    texts = defaultdict(list)
    for (option, text), names in shared.items():
        if len(names) > 2:
            texts[option].append(text[:280])
    recorded(texts, "help of shared options")


def test_no_command_of_python_ironicclient_is_missing():
    assert set(PEER) <= set(COMMANDS)


def test_classes_are_named_as_there():
    ours = {name: COMMANDS[name].partition(":")[2] for name in PEER}
    assert ours == {name: theirs["class"] for name, theirs in PEER.items()}


def suits(action, theirs):
    """Say whether an option takes what the one of python-ironicclient takes."""
    if theirs["values"] == 0:
        return action.nargs in (0, "?")
    if theirs["choices"] and action.choices and not set(theirs["choices"]) <= set(action.choices):
        return False
    return action.nargs in (theirs["values"], "?")


def test_options_are_those_of_python_ironicclient():
    problems = []
    for name, peer in PEER.items():
        ours = options_of(parser_of(name))
        for flag, theirs in peer["options"].items():
            action = ours.get(flag)
            if action is None or not suits(action, theirs):
                problems.append((name, flag))
            elif action.required > theirs["required"] and (name, flag) not in LOOSER:
                problems.append((name, flag, "required"))
    assert problems == []


def test_arguments_are_those_of_python_ironicclient():
    problems = []
    for name, peer in PEER.items():
        ours = [action for action in parser_of(name)._actions if not action.option_strings]
        theirs = peer["arguments"]
        if [action.nargs for action in ours] != [nargs for nargs, _ in theirs]:
            problems.append(name)
        elif any(
            choices is not None and not set(choices) <= set(action.choices)
            for action, (_, choices) in zip(ours, theirs, strict=True)
        ):
            problems.append((name, "choices"))
    assert problems == []


GIVEN_OTHERWISE = {
    "driver list": {"detail": "--long"},
    "node list": {
        "instance_uuid": "'node show --instance'",
        "include_children": "an option of its own",
        "parent_node": "an option of its own",
    },
    "node set": {
        "maintenance": "'node maintenance set', which takes a reason",
    },
}
"""What is not among the options of a command, and where it is."""


def _command(name):
    module, _, attribute = COMMANDS[name].partition(":")
    return getattr(importlib.import_module(MODULE_PREFIX + module), attribute)


def _about(kind):
    """Yield the commands of a kind that are about fields, with the type of resource."""
    for name in COMMANDS:
        command = _command(name)
        if issubclass(command, kind) and issubclass(command, ResourceCommand):
            yield name, command, resource_type(command.manager_name)


def test_commands_offer_what_the_descriptions_have():
    wanted = {}
    for name, command, described in _about(List):
        wanted[name] = command, {known.name for known in described.filters}
    for name, command, described in _about(Create):
        wanted[name] = command, set(described.creatable_names)
    for name, command, described in _about(Set):
        wanted[name] = command, set(described.updatable_names)
    missing = {
        name: names - {option.field for option in command.options}
        for name, (command, names) in wanted.items()
    }
    expected = {name: set(names) for name, names in GIVEN_OTHERWISE.items()}
    assert {name: names for name, names in missing.items() if names} == expected
