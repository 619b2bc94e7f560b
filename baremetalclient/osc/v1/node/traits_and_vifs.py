"""Commands about the traits of nodes, and the virtual network interfaces attached to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Lister
from baremetalclient.osc.nodes import NodeCommand, NodesCommand, refuse_several
from baremetalclient.osc.traits import AddTraits, RemoveTraits

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient._bulk.action import Target
    from baremetalclient.osc.command import TableData
    from baremetalclient.osc.parser import ArgumentParser


class AddTraitBaremetalNode(AddTraits, NodesCommand):
    """Add traits to nodes."""

    examples = ("baremetal node trait add --select resource-class=gold CUSTOM_GOLD",)

    def check(self, parsed_args: argparse.Namespace) -> None:
        from baremetalclient.v1 import trait_names

        super().check(parsed_args)
        trait_names.check_number(len(set(parsed_args.traits)))

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        """Add each trait; add none if the node would have too many."""
        from baremetalclient.v1 import trait_names

        wanted = set(parsed_args.traits)
        if len(wanted) > 1:
            trait_names.check_number(len({*self.client.node.get_traits(node), *wanted}))
        return super().act(node, label, parsed_args)


class ListTraitsBaremetalNode(NodeCommand, Lister):
    """List the traits of a node."""

    examples = ("baremetal node trait list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        return ["traits"], [[trait] for trait in self.client.node.get_traits(parsed_args.node)]


class RemoveTraitBaremetalNode(RemoveTraits, NodesCommand):
    """Remove traits from nodes."""

    examples = ("baremetal node trait remove node-1 CUSTOM_GPU",)


class VifAttachBaremetalNode(NodesCommand):
    """Attach a VIF to a node."""

    verb = "vif attach"
    action = "attach VIF {args.vif_id} to"
    done = "Attached VIF {args.vif_id} to node {node}"
    examples = ("baremetal node vif attach node-1 1974dcfa-836f-41b2-b541-686c100900e5",)
    typed_names = False

    def add_arguments(self, parser: ArgumentParser) -> None:
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

    def check(self, parsed_args: argparse.Namespace) -> None:
        if "id" in dict(parsed_args.vif_info):
            raise exc.CommandError("--vif-info cannot have the key 'id'; <vif-id> is the id.")

    def check_targets(self, targets: Sequence[Target], parsed_args: argparse.Namespace) -> None:
        refuse_several(targets, "One VIF cannot be attached to")

    def arguments(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        details = {**dict(parsed_args.vif_info), "vif_id": parsed_args.vif_id}
        if parsed_args.port_uuid:
            details["port_uuid"] = parsed_args.port_uuid
        if parsed_args.portgroup_uuid:
            details["portgroup_uuid"] = parsed_args.portgroup_uuid
        return details


class VifDetachBaremetalNode(NodesCommand):
    """Detach a VIF from nodes."""

    verb = "vif detach"
    action = "detach VIF {args.vif_id} from"
    done = "Detached VIF {args.vif_id} from node {node}"
    examples = ("baremetal node vif detach node-1 1974dcfa-836f-41b2-b541-686c100900e5",)
    typed_names = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("vif_id", metavar="<vif-id>", help="UUID or name of the VIF.")

    def arguments(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        return {"vif_id": parsed_args.vif_id}


class VifListBaremetalNode(NodeCommand, Lister):
    """List the VIFs attached to a node."""

    examples = ("baremetal node vif list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        return ["id"], [[vif.id] for vif in self.client.node.vif_list(parsed_args.node)]
