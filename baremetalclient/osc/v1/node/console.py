"""Commands about the serial console of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient.osc.command import Command, ShowOne, columns_of
from baremetalclient.osc.v1.node.crud import add_node, add_nodes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient.osc.parser import ArgumentParser


class _Console(Command):
    enable: ClassVar[bool]
    verb: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes."""
        add_nodes(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Switch the console of each node."""

        def act(node: str) -> None:
            self.client.node.set_console_mode(node, self.enable)
            self.tell(f"Requested to {self.verb} the console of node {node}")

        return self.for_each(
            parsed_args.nodes, act, doing=f"Failed to {self.verb} the console of node {{}}"
        )


class ConsoleDisableBaremetalNode(_Console):
    """Disable the console of nodes."""

    enable = False
    verb = "disable"


class ConsoleEnableBaremetalNode(_Console):
    """Enable the console of nodes."""

    enable = True
    verb = "enable"


class ConsoleShowBaremetalNode(ShowOne):
    """Show the console of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node."""
        add_node(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> tuple[Sequence[str], Sequence[Any]]:
        """Fetch what is known about the console."""
        return columns_of(dict(sorted(self.client.node.get_console(parsed_args.node).items())))
