"""Commands about runbooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Lister
from baremetalclient.osc.delete_command import Delete
from baremetalclient.osc.options import BooleanOption, FlagOption, KeyValueOption, Option
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set, Show, Unset
from baremetalclient.osc.traits import AddTraits, RemoveTraits

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import TableData
    from baremetalclient.osc.parser import ArgumentParser

STEPS = Option(
    "steps",
    required=True,
    parse=argument_types.json_or_yaml,
    help="Steps: JSON, the name of a file with JSON or YAML, or '-' for standard input; a list "
    "of objects with the keys 'interface', 'step', 'args' and 'order'.",
)
FIELDS = (
    Option("name", required=True, help="Name of the runbook."),
    Option("description", parse=str),
    BooleanOption("public"),
    Option("owner"),
    KeyValueOption("extra"),
    BooleanOption("disable_ramdisk"),
)
"""The fields that can be removed."""


class _RunbookCommand(ResourceCommand):
    manager_name = "runbook"
    identifiers = "Name or UUID"


class CreateBaremetalRunbook(_RunbookCommand, Create):
    """Create a runbook."""

    examples = ("baremetal runbook create --name CUSTOM_FIRMWARE --steps steps.json",)
    options = (*FIELDS, STEPS, Option("uuid"))


class DeleteBaremetalRunbook(_RunbookCommand, Delete):
    """Delete runbooks."""

    examples = ("baremetal runbook delete CUSTOM_FIRMWARE",)


class ListBaremetalRunbook(_RunbookCommand, List):
    """List runbooks."""

    examples = ("baremetal runbook list --long",)
    options = (Option("project"), FlagOption("public", help="List only public runbooks."))


class SetBaremetalRunbook(_RunbookCommand, Set):
    """Set fields of a runbook."""

    examples = ("baremetal runbook set CUSTOM_FIRMWARE --description 'Update of all firmware'",)
    options = (*FIELDS, STEPS)


class ShowBaremetalRunbook(_RunbookCommand, Show):
    """Show a runbook."""

    examples = ("baremetal runbook show CUSTOM_FIRMWARE",)


class UnsetBaremetalRunbook(_RunbookCommand, Unset):
    """Remove fields of a runbook."""

    examples = ("baremetal runbook unset CUSTOM_FIRMWARE --description",)
    options = FIELDS


class AddTraitBaremetalRunbook(AddTraits, _RunbookCommand):
    """Add traits to a runbook."""

    examples = ("baremetal runbook trait add CUSTOM_FIRMWARE CUSTOM_RACK1",)


class ListTraitsBaremetalRunbook(_RunbookCommand, Lister):
    """List the traits of a runbook."""

    examples = ("baremetal runbook trait list CUSTOM_FIRMWARE",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_identifier(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        return ["traits"], [[trait] for trait in self.client.runbook.get_traits(parsed_args.ident)]


class RemoveTraitBaremetalRunbook(RemoveTraits, _RunbookCommand):
    """Remove traits from a runbook."""

    examples = ("baremetal runbook trait remove CUSTOM_FIRMWARE CUSTOM_RACK1",)

    def act(self, ident: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        done = super().act(ident, label, parsed_args)
        return done or [f"Removed all traits from runbook {label}"]
