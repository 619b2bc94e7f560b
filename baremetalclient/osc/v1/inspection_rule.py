"""Commands about inspection rules: what is done with what inspection found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from baremetalclient.osc import argument_types
from baremetalclient.osc.options import Operation, Option, Truth, remove
from baremetalclient.osc.resource import Create, Delete, List, ResourceCommand, Set, Show, Unset

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser

ALL = "all"
"""Stands for every rule where rules are deleted."""


@dataclass(frozen=True, kw_only=True)
class Entries(Option):
    """A list, from which entries are removed by their numbers."""

    def add_to_unset(self, parser: ArgumentParser) -> None:
        """Add the option, with a number, to the command that removes fields."""
        parser.add_argument(
            self.flag.removesuffix("s"),
            dest=self.dest,
            metavar="<number>",
            action="append",
            type=argument_types.natural,
            help=f"Number of an entry to remove from the {self.field}, the first being 0. Can be "
            "repeated.",
        )

    def unset_operations(self, args: argparse.Namespace) -> list[Operation]:
        """Return what removes the entries, the last first, for numbers behind it change."""
        numbers = sorted(set(getattr(args, self.dest) or ()), reverse=True)
        return [remove(f"{self.field}/{number}") for number in numbers]


DESCRIPTION = Option(
    field="description", flag="--description", parse=str, help="What the rule is for."
)
PRIORITY = Option(
    field="priority",
    flag="--priority",
    parse=argument_types.natural,
    help="Priority of the rule; those with the highest run first.",
)
PHASE = Option(field="phase", flag="--phase", help="Phase in which the rule runs.")
CONDITIONS = Entries(
    field="conditions",
    flag="--conditions",
    parse=argument_types.document,
    help="When the rule applies: JSON, the name of a file of JSON or YAML, or '-' for standard "
    "input.",
)
ACTIONS = Entries(
    field="actions",
    flag="--actions",
    required=True,
    parse=argument_types.document,
    help="What the rule does: JSON, the name of a file of JSON or YAML, or '-' for standard input.",
)


class _InspectionRule(ResourceCommand):
    manager_name = "inspection_rule"


class CreateBaremetalInspectionRule(_InspectionRule, Create):
    """Create an inspection rule."""

    options = (
        Option(field="uuid", flag="--uuid", help="UUID of the new rule."),
        DESCRIPTION,
        PRIORITY,
        Truth(
            field="sensitive",
            flag="--sensitive",
            help="Whether the rule holds what others should not see.",
        ),
        PHASE,
        CONDITIONS,
        ACTIONS,
    )


class DeleteBaremetalInspectionRule(_InspectionRule, Delete):
    """Delete inspection rules, or all of them with the word 'all'."""

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Delete each."""
        if parsed_args.idents == [ALL]:
            rules = self.client.inspection_rule.list(limit=0, fields=["uuid"])
            parsed_args.idents = [rule.uuid for rule in rules]
        return super().take_action(parsed_args)


class ListBaremetalInspectionRule(_InspectionRule, List):
    """List inspection rules."""


class SetBaremetalInspectionRule(_InspectionRule, Set):
    """Set fields of an inspection rule."""

    options = (DESCRIPTION, PRIORITY, PHASE, CONDITIONS, ACTIONS)


class ShowBaremetalInspectionRule(_InspectionRule, Show):
    """Show an inspection rule."""


class UnsetBaremetalInspectionRule(_InspectionRule, Unset):
    """Remove fields of an inspection rule."""

    options = (DESCRIPTION, PRIORITY, PHASE, CONDITIONS, ACTIONS)
