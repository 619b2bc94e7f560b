"""Commands about inspection rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.osc import argument_types
from baremetalclient.osc.delete_command import Delete
from baremetalclient.osc.options import BooleanOption, Option, remove
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set, Show, Unset

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser

ALL = "all"
"""The argument to delete all rules."""


class ListEntries(Option):
    """A list whose entries are removed by their numbers."""

    def __init__(self, field: str, **others: Any) -> None:
        text = "JSON, the name of a file with JSON or YAML, or '-' for standard input."
        super().__init__(
            field,
            parse=argument_types.json_or_yaml,
            help=f"{field.capitalize()} of the rule: {text}",
            **others,
        )

    @property
    def unset_flag(self) -> str:
        return self.flag.removesuffix("s")

    def add_to_unset(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            self.unset_flag,
            dest=self.dest,
            metavar="<number>",
            action="append",
            type=argument_types.non_negative_int,
            help=f"Number of an entry to remove from the {self.field}, the first being 0. Can be "
            "repeated.",
        )

    def unset_operations(self, args: argparse.Namespace) -> list[dict[str, Any]]:
        """Return the operations that remove the entries, the last first, since numbers shift."""
        numbers = sorted(set(getattr(args, self.dest) or ()), reverse=True)
        return [remove(f"{self.field}/{number}") for number in numbers]


PHASE = Option("phase")
FIELDS = (
    Option("description", parse=str),
    Option("priority", parse=argument_types.non_negative_int),
    BooleanOption(
        "sensitive",
        help="Whether the rule is sensitive; its actions and conditions are hidden then.",
    ),
    PHASE,
    ListEntries("conditions"),
    ListEntries("actions", required=True),
)


class _InspectionRuleCommand(ResourceCommand):
    manager_name = "inspection_rule"


class CreateBaremetalInspectionRule(_InspectionRuleCommand, Create):
    """Create an inspection rule."""

    examples = ("baremetal inspection rule create --description 'Rack 1' --actions actions.json",)
    options = (*FIELDS, Option("uuid"))


class DeleteBaremetalInspectionRule(_InspectionRuleCommand, Delete):
    """Delete inspection rules, or all of them with the argument 'all'."""

    examples = ("baremetal inspection rule delete 2b6d3c9e-52a5-4a43-a1d9-7c0d8e6f1a25",)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        if parsed_args.idents == [ALL]:
            rules = self.client.inspection_rule.list(limit=0, fields=["uuid"])
            parsed_args.idents = [rule.uuid for rule in rules]
        return super().take_action(parsed_args)


class ListBaremetalInspectionRule(_InspectionRuleCommand, List):
    """List inspection rules."""

    examples = ("baremetal inspection rule list --phase main",)
    options = (PHASE,)


class SetBaremetalInspectionRule(_InspectionRuleCommand, Set):
    """Set fields of an inspection rule."""

    examples = (
        "baremetal inspection rule set 2b6d3c9e-52a5-4a43-a1d9-7c0d8e6f1a25 --priority 100",
    )
    options = FIELDS


class ShowBaremetalInspectionRule(_InspectionRuleCommand, Show):
    """Show an inspection rule."""

    examples = ("baremetal inspection rule show 2b6d3c9e-52a5-4a43-a1d9-7c0d8e6f1a25",)


class UnsetBaremetalInspectionRule(_InspectionRuleCommand, Unset):
    """Remove fields of an inspection rule."""

    examples = (
        "baremetal inspection rule unset 2b6d3c9e-52a5-4a43-a1d9-7c0d8e6f1a25 --description",
    )
    options = FIELDS
