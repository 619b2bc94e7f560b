"""Bases of commands for one node, and for several nodes."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING

from baremetalclient.osc.command import Command

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser


def add_node(parser: ArgumentParser) -> None:
    """Add the argument for one node."""
    parser.add_argument("node", metavar="<node>", help="Name or UUID of the node.")


def add_nodes(parser: ArgumentParser) -> None:
    """Add the argument for one or more nodes."""
    parser.add_argument("nodes", metavar="<node>", nargs="+", help="Name or UUID of each node.")


class NodeCommand(Command):
    """A command for one node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node."""
        super().add_arguments(parser)
        add_node(parser)


class NodesCommand(Command):
    """A command that does the same with each of one or more nodes."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes."""
        super().add_arguments(parser)
        add_nodes(parser)

    @abc.abstractmethod
    def action(self, parsed_args: argparse.Namespace) -> str:
        """Return the name of the action in the message of a failure, such as ``inject an NMI``."""

    @abc.abstractmethod
    def act(self, node: str, parsed_args: argparse.Namespace) -> str:
        """Do the action with a node, and return the message that it is done."""

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Do the action with each node."""
        return self.act_on_each(parsed_args)[1]

    def act_on_each(self, parsed_args: argparse.Namespace) -> tuple[list[str], int]:
        """Do the action with each node; return the nodes that did not fail and the exit code."""
        succeeded = []

        def act(node: str) -> None:
            message = self.act(node, parsed_args)
            succeeded.append(node)
            self.report(message)

        failure = f"Failed to {self.action(parsed_args)} node {{}}"
        return succeeded, self.for_each(parsed_args.nodes, act, failure=failure)
