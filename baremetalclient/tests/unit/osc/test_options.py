"""The commands offer every filter and every field that the descriptions of the resources have."""

from __future__ import annotations

import importlib

from baremetalclient.osc.command_table import COMMANDS, MODULE_PREFIX
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set

GIVEN_OTHERWISE = {
    "deploy template create": {"name": "an argument"},
    "node list": {
        "instance_uuid": "'node show --instance'",
        "include_children": "an option of its own",
        "parent_node": "an option of its own",
    },
    "node set": {
        "maintenance": "'node maintenance set', which takes a reason",
    },
    "port create": {"address": "an argument"},
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
            module = importlib.import_module(f"baremetalclient.v1.{command.manager_name}")
            yield name, command, module.RESOURCE_TYPE


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
