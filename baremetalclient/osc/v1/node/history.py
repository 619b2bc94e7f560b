"""Commands about the history of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.command import Lister, ShowOne, columns_of
from baremetalclient.osc.nodes import NodeCommand

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData, TableData
    from baremetalclient.osc.parser import ArgumentParser

COLUMNS = ("uuid", "created_at", "severity", "event")
LONG_COLUMNS = (
    "uuid",
    "created_at",
    "severity",
    "event_type",
    "event",
    "conductor",
    "user",
    "project",
    "state",
    "target_provision_state",
    "duration_seconds",
)


class NodeHistoryList(NodeCommand, Lister):
    """List the history of a node."""

    examples = ("baremetal node history list node-1 --long",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--long", action="store_true", help="Show details of the events.")

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        columns = LONG_COLUMNS if parsed_args.long else COLUMNS
        events = self.client.node.get_history_list(parsed_args.node, parsed_args.long)
        return columns, [[event.get(name, "") for name in columns] for event in events]


class NodeHistoryEventGet(NodeCommand, ShowOne):
    """Show an event in the history of a node."""

    examples = ("baremetal node history get node-1 8d3f6b8a-6f0d-4a57-9f43-0f9c1e2b7d64",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("event", metavar="<event>", help="UUID of the event.")

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        event = self.client.node.get_history_event(parsed_args.node, parsed_args.event)
        return columns_of({name: value for name, value in event.items() if name != "links"})
