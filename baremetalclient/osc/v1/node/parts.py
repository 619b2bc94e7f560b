"""The command about the children of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.command import Lister
from baremetalclient.osc.nodes import NodeCommand

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import TableData


class NodeChildrenList(NodeCommand, Lister):
    """List the children of a node."""

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        """Fetch the UUIDs of the children."""
        children = self.client.node.list_children_of_node(parsed_args.node)
        return ["children"], [[child] for child in children]
