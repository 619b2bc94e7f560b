"""Commands about ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.osc import argument_types
from baremetalclient.osc.delete_command import Delete
from baremetalclient.osc.options import (
    Argument,
    BooleanOption,
    FlagOption,
    KeyValueOption,
    MultiValueOption,
    Option,
    set_to,
)
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set, Show, Unset
from baremetalclient.osc.wait_command import ResourceWaitCommand

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser


class PxeEnabled(FlagOption):
    """Whether the node may boot from the port; at creation the option has a value."""

    def add_to_create(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            self.flag,
            dest=self.dest,
            metavar="<boolean>",
            type=argument_types.boolean,
            help="Whether the node may boot from this port.",
        )


class SmartNIC(FlagOption):
    """Whether the port is a Smart NIC; the field cannot be removed, only set to false."""

    def unset_operations(self, args: argparse.Namespace) -> list[dict[str, Any]]:
        return [set_to(self.field, False)] if self.value(args) else []


NODE = Option("node_uuid", flag="--node", required=True)
PXE_ENABLED = PxeEnabled(
    "pxe_enabled",
    help="The node may boot from this port.",
    off="--pxe-disabled",
    off_help="The node may not boot from this port.",
)
FIELDS = (
    KeyValueOption("extra"),
    KeyValueOption("local_link_connection"),
    Option("portgroup_uuid", flag="--port-group"),
    Option("physical_network"),
    SmartNIC("is_smartnic", help="The port is a Smart NIC."),
    Option("name"),
    Option("description", parse=str),
    Option("vendor", parse=str),
    Option("category", parse=str),
    BooleanOption("available_for_dynamic_portgroup"),
)
"""The fields that can be removed."""


class _PortCommand(ResourceCommand):
    manager_name = "port"


class CreateBaremetalPort(_PortCommand, Create):
    """Create a port."""

    examples = (
        "baremetal port create 52:54:00:12:34:56 --node node-1 --physical-network physnet1",
    )
    options = (Argument("address"), NODE, Option("uuid"), PXE_ENABLED, *FIELDS)


class DeleteBaremetalPort(_PortCommand, Delete):
    """Delete ports."""

    examples = ("baremetal port delete 9e2f1c9e-3a50-4f2c-8f0b-1c5b6a8f1d33",)


class ListBaremetalPort(_PortCommand, List):
    """List ports."""

    selectable = True
    examples = ("baremetal port list --node node-1 --fields address pxe_enabled",)
    options = (
        Option("address"),
        Option("node"),
        Option("portgroup", flag="--port-group"),
        MultiValueOption("shards", metavar="<shard>"),
        Option("description_contains"),
        MultiValueOption("conductor_groups", metavar="<conductor group>"),
    )


class SetBaremetalPort(_PortCommand, Set):
    """Set fields of a port."""

    examples = ("baremetal port set 9e2f1c9e-3a50-4f2c-8f0b-1c5b6a8f1d33 --name node-1-eth0",)
    options = (NODE, Option("address"), PXE_ENABLED, *FIELDS)


class ShowByAddress(Show):
    """Show a resource that has a MAC address."""

    def fetch(self, parsed_args: argparse.Namespace, fields: list[str] | None) -> Any:
        manager: Any = self.manager
        get = manager.get_by_address if parsed_args.address else manager.get
        return get(parsed_args.ident, fields=fields)


class ShowBaremetalPort(_PortCommand, ShowByAddress):
    """Show a port."""

    examples = ("baremetal port show --address 52:54:00:00:00:01",)
    options = (FlagOption("address", help="<port> is the MAC address."),)


class UnsetBaremetalPort(_PortCommand, Unset):
    """Remove fields of a port."""

    examples = ("baremetal port unset 9e2f1c9e-3a50-4f2c-8f0b-1c5b6a8f1d33 --name",)
    options = FIELDS


class WaitBaremetalPort(_PortCommand, ResourceWaitCommand):
    """Wait until conditions hold for ports.

    A port that is gone without the condition 'deleted' is a failure; the exit code is 1. It is 124
    if the time is over.
    """

    examples = ("baremetal port wait --for pxe_enabled=true --timeout 5m 52:54:00:00:00:01",)
    identifiers = "UUID, name or MAC address"
