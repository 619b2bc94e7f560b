"""Commands about the indicators of a node: the lights on the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.command import Lister, ShowOne, columns_of
from baremetalclient.osc.nodes import NodeCommand, NodesCommand

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData, TableData
    from baremetalclient.osc.parser import ArgumentParser

STATES = ("on", "off", "blinking")
COLUMNS = ("name", "component", "readonly", "states")


class ListIndicatorBaremetalNode(NodeCommand, Lister):
    """List the indicators of a node."""

    examples = ("baremetal node indicator list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        indicators = self.client.node.list_indicators(parsed_args.node)
        return COLUMNS, [[found.get(name, "") for name in COLUMNS] for found in indicators]


class SetIndicatorBaremetalNode(NodesCommand):
    """Switch an indicator of nodes."""

    action = "set indicator {args.indicator} of"
    examples = ("baremetal node indicator set node-1 1:d1@disk on",)
    typed_names = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        _add_indicator(parser)
        parser.add_argument(
            "state",
            metavar="<state>",
            choices=STATES,
            help=f"State to set, one of {', '.join(STATES)}.",
        )

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        name, state = parsed_args.indicator, parsed_args.state
        self.client.node.set_indicator_state(node, name, state)
        return [f"Set indicator {name} of node {label} to {state!r}"]


class ShowIndicatorBaremetalNode(NodeCommand, ShowOne):
    """Show the state of an indicator of a node."""

    examples = ("baremetal node indicator show node-1 1:d1@disk",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        _add_indicator(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        found = self.client.node.get_indicator_state(parsed_args.node, parsed_args.indicator)
        return columns_of(dict(found))


def _add_indicator(parser: ArgumentParser) -> None:
    parser.add_argument(
        "indicator",
        metavar="<indicator>",
        help="Name of the indicator with its component, such as 'led-0@chassis'.",
    )
