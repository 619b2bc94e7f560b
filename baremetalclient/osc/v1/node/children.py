"""The command about the children of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.command import ShowOne
from baremetalclient.osc.nodes import NodeCommand

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData


class NodeChildrenList(NodeCommand, ShowOne):
    """List the children of a node."""

    examples = ("baremetal node children list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        children = self.client.node.list_children_of_node(parsed_args.node)
        if parsed_args.formatter == "value":
            # A line for each child, as with python-ironicclient.
            return ["children"] * len(children), children
        return ["children"], [children]
