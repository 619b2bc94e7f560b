"""Commands about virtual network interfaces (VIFs) attached to a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Lister
from baremetalclient.osc.nodes import NodeCommand

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import TableData
    from baremetalclient.osc.parser import ArgumentParser


class VifAttachBaremetalNode(NodeCommand):
    """Attach a VIF to a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node, the VIF and the options of the attachment."""
        super().add_arguments(parser)
        parser.add_argument("vif_id", metavar="<vif-id>", help="UUID or name of the VIF.")
        parser.add_argument(
            "--port-uuid",
            metavar="<port-uuid>",
            type=argument_types.non_empty,
            help="UUID of the port to attach the VIF to.",
        )
        parser.add_argument(
            "--portgroup-uuid",
            metavar="<portgroup-uuid>",
            type=argument_types.non_empty,
            help="UUID of the port group to attach the VIF to.",
        )
        parser.add_argument(
            "--vif-info",
            metavar="<key=value>",
            action="append",
            type=argument_types.key_value,
            default=[],
            help="More information about the VIF for the network interface of the node. Can be "
            "repeated; the key 'id' is not allowed.",
        )

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Attach the VIF."""
        details = dict(parsed_args.vif_info)
        if "id" in details:
            raise exc.CommandError("--vif-info cannot have the key 'id'; <vif-id> is the id.")
        if parsed_args.port_uuid:
            details["port_uuid"] = parsed_args.port_uuid
        if parsed_args.portgroup_uuid:
            details["portgroup_uuid"] = parsed_args.portgroup_uuid
        self.client.node.vif_attach(parsed_args.node, parsed_args.vif_id, **details)
        self.report(f"Attached VIF {parsed_args.vif_id} to node {parsed_args.node}")


class VifDetachBaremetalNode(NodeCommand):
    """Detach a VIF from a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node and the VIF."""
        super().add_arguments(parser)
        parser.add_argument("vif_id", metavar="<vif-id>", help="UUID or name of the VIF.")

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Detach the VIF."""
        self.client.node.vif_detach(parsed_args.node, parsed_args.vif_id)
        self.report(f"Detached VIF {parsed_args.vif_id} from node {parsed_args.node}")


class VifListBaremetalNode(NodeCommand, Lister):
    """List the VIFs attached to a node."""

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        """Fetch the VIFs."""
        return ["id"], [[vif.id] for vif in self.client.node.vif_list(parsed_args.node)]
