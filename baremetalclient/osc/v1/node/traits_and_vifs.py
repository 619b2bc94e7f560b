"""Commands about the traits of nodes, and the virtual network interfaces attached to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc.command import Lister
from baremetalclient.osc.node_command import NodeCommand, NodesCommand
from baremetalclient.osc.options import Argument, KeyValueOption, Option
from baremetalclient.osc.traits import AddTraits, RemoveTraits

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient._bulk.listener import Target
    from baremetalclient.osc.command import TableData


VIF = Argument("vif_id", help="UUID or name of the VIF.")


class AddTraitBaremetalNode(AddTraits, NodesCommand):
    """Add traits to nodes."""

    examples = ("baremetal node trait add --select resource-class=gold CUSTOM_GOLD",)

    def check(self, parsed_args: argparse.Namespace) -> None:
        from baremetalclient.v1 import trait_names

        super().check(parsed_args)
        trait_names.check_number(len(set(parsed_args.traits)))

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
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

    options = (
        VIF,
        Option("port_uuid", help="UUID of the port to attach the VIF to."),
        Option("portgroup_uuid", help="UUID of the port group to attach the VIF to."),
        KeyValueOption(
            "vif_info",
            help="More information about the VIF for the network interface of the node; the key "
            "'id' is not allowed.",
        ),
    )

    def check(self, parsed_args: argparse.Namespace) -> None:
        if "id" in dict(parsed_args.vif_info or ()):
            raise exc.CommandError("--vif-info cannot have the key 'id'; <vif-id> is the id.")

    def check_targets(self, targets: Sequence[Target], parsed_args: argparse.Namespace) -> None:
        if len(targets) > 1:
            raise exc.UsageError(f"One VIF cannot be attached to {len(targets)} nodes. Name one.")

    def arguments(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        details = self.given(parsed_args)
        return {**details.pop("vif_info", {}), **details}


class VifDetachBaremetalNode(NodesCommand):
    """Detach a VIF from nodes."""

    verb = "vif detach"
    action = "detach VIF {args.vif_id} from"
    done = "Detached VIF {args.vif_id} from node {node}"
    examples = ("baremetal node vif detach node-1 1974dcfa-836f-41b2-b541-686c100900e5",)
    typed_names = False

    options = (VIF,)


class VifListBaremetalNode(NodeCommand, Lister):
    """List the VIFs attached to a node."""

    examples = ("baremetal node vif list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        return ["id"], [[vif.id] for vif in self.client.node.vif_list(parsed_args.node)]
