"""Commands about what has happened to a node, what it consists of, and its children."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http.redact import masked
from baremetalclient.osc.command import Command, Lister, ShowOne, add_show_secrets, columns_of
from baremetalclient.osc.v1.node.crud import add_node

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

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


class NodeHistoryList(Lister):
    """List the history of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node and the columns."""
        add_node(parser)
        parser.add_argument("--long", action="store_true", help="Show details of the events.")

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
        """Fetch the events."""
        columns = LONG_COLUMNS if parsed_args.long else COLUMNS
        events = self.client.node.get_history_list(parsed_args.node, parsed_args.long)
        return columns, [[event.get(name, "") for name in columns] for event in events]


class NodeHistoryEventGet(ShowOne):
    """Show an event in the history of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node and the event."""
        add_node(parser)
        parser.add_argument("event", metavar="<event>", help="UUID of the event.")

    def take_action(self, parsed_args: argparse.Namespace) -> tuple[Sequence[str], Sequence[Any]]:
        """Fetch the event."""
        event = self.client.node.get_history_event(parsed_args.node, parsed_args.event)
        return columns_of({name: value for name, value in event.items() if name != "links"})


class NodeInventorySave(Command):
    """Print the hardware inventory of a node as JSON, or save it to a file."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node and the file."""
        add_node(parser)
        parser.add_argument(
            "--file", metavar="<filename>", help="File to save to; standard output by default."
        )
        add_show_secrets(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Fetch the inventory."""
        inventory = self.client.node.get_inventory(parsed_args.node)
        if not parsed_args.file:
            shown = inventory if parsed_args.show_secrets else masked(inventory)
            self.app.stdout.write(json.dumps(shown))
            return
        try:
            Path(parsed_args.file).write_text(json.dumps(inventory), "utf-8")
        except OSError as error:
            raise exc.CommandError(f"Cannot write {parsed_args.file}: {error.strerror}") from error


class NodeChildrenList(Lister):
    """List the children of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node."""
        add_node(parser)

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
        """Fetch the UUIDs of the children."""
        children = self.client.node.list_children_of_node(parsed_args.node)
        return ["children"], [[child] for child in children]
