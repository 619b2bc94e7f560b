"""Commands that put nodes into maintenance and take them out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.command import Command
from baremetalclient.osc.v1.node.crud import add_nodes

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser


class MaintenanceSetBaremetalNode(Command):
    """Put nodes into maintenance."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes and the reason."""
        add_nodes(parser)
        parser.add_argument("--reason", metavar="<reason>", help="Why.")

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Put each node into maintenance."""

        def act(node: str) -> None:
            self.client.node.set_maintenance(node, True, maint_reason=parsed_args.reason)
            self.tell(f"Put node {node} into maintenance")

        return self.for_each(parsed_args.nodes, act, doing="Failed to put node {} into maintenance")


class MaintenanceUnsetBaremetalNode(Command):
    """Take nodes out of maintenance."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes."""
        add_nodes(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Take each node out of maintenance."""

        def act(node: str) -> None:
            self.client.node.set_maintenance(node, False)
            self.tell(f"Took node {node} out of maintenance")

        return self.for_each(
            parsed_args.nodes, act, doing="Failed to take node {} out of maintenance"
        )
