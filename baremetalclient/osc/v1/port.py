"""Commands about ports: the network cards of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from baremetalclient.osc import argument_types
from baremetalclient.osc.options import Operation, Option, Pairs, Switch, set_to
from baremetalclient.osc.resource import Create, Delete, List, ResourceCommand, Set, Show, Unset

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser

NODE = Option(
    field="node_uuid",
    flag="--node",
    help="Node that the port belongs to (name or UUID).",
    required=True,
)
EXTRA = Pairs(field="extra", flag="--extra", help="Arbitrary metadata.")
LOCAL_LINK_CONNECTION = Pairs(
    field="local_link_connection",
    flag="--local-link-connection",
    help="Where the port is plugged in. Keys are 'switch_id' and 'port_id', which are required, "
    "'switch_info' and 'hostname'; a Smart NIC needs 'port_id' and 'hostname'.",
)
PORT_GROUP = Option(
    field="portgroup_uuid",
    flag="--port-group",
    help="Port group that the port belongs to (name or UUID).",
)
PHYSICAL_NETWORK = Option(
    field="physical_network",
    flag="--physical-network",
    help="Physical network that the port is connected to.",
)
NAME = Option(field="name", flag="--name", help="Name of the port.")
DESCRIPTION = Option(
    field="description", flag="--description", parse=str, help="Description of the port."
)
VENDOR = Option(field="vendor", flag="--vendor", parse=str, help="Vendor of the port.")
CATEGORY = Option(field="category", flag="--category", parse=str, help="Category of the port.")


@dataclass(frozen=True, kw_only=True)
class PxeEnabled(Switch):
    """Whether the node boots from the port; a new port takes a truth value."""

    def add_to_create(self, parser: ArgumentParser) -> None:
        """Add the option, with a value, to the command that creates ports."""
        parser.add_argument(
            self.flag,
            dest=self.dest,
            metavar="<boolean>",
            type=argument_types.boolean,
            help="Whether the node may boot from this port.",
        )


@dataclass(frozen=True, kw_only=True)
class SmartNIC(Switch):
    """Whether the port is a Smart NIC; it can't be removed, only set to false."""

    def unset_operations(self, args: argparse.Namespace) -> list[Operation]:
        """Return what makes the port an ordinary one."""
        return [set_to(self.field, False)] if self.value(args) else []


PXE_ENABLED = PxeEnabled(
    field="pxe_enabled",
    flag="--pxe-enabled",
    help="The node may boot from this port.",
    off="--pxe-disabled",
    off_help="The node may not boot from this port.",
)
IS_SMARTNIC = SmartNIC(field="is_smartnic", flag="--is-smartnic", help="The port is a Smart NIC.")


class _Port(ResourceCommand):
    manager_name = "port"


class CreateBaremetalPort(_Port, Create):
    """Create a port."""

    options = (
        NODE,
        Option(field="uuid", flag="--uuid", help="UUID of the new port."),
        EXTRA,
        LOCAL_LINK_CONNECTION,
        PXE_ENABLED,
        PORT_GROUP,
        PHYSICAL_NETWORK,
        IS_SMARTNIC,
        NAME,
        DESCRIPTION,
        VENDOR,
        CATEGORY,
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address and the options."""
        parser.add_argument("address", metavar="<address>", help="MAC address of the port.")
        super().add_arguments(parser)

    def fields(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        """Return the fields of the new port that were given."""
        return {"address": parsed_args.address} | super().fields(parsed_args)


class DeleteBaremetalPort(_Port, Delete):
    """Delete ports."""


class ListBaremetalPort(_Port, List):
    """List ports."""

    options = (
        Option(field="address", flag="--address", help="List only the port with this address."),
        Option(field="node", flag="--node", help="List only ports of this node (name or UUID)."),
        Option(
            field="portgroup",
            flag="--port-group",
            help="List only ports of this port group (name or UUID).",
        ),
    )


class SetBaremetalPort(_Port, Set):
    """Set fields of a port."""

    options = (
        NODE,
        Option(field="address", flag="--address", help="MAC address of the port."),
        EXTRA,
        PORT_GROUP,
        LOCAL_LINK_CONNECTION,
        PXE_ENABLED,
        PHYSICAL_NETWORK,
        IS_SMARTNIC,
        NAME,
        DESCRIPTION,
        VENDOR,
        CATEGORY,
    )


class ShowBaremetalPort(_Port, Show):
    """Show a port."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the identifier, ``--address`` and ``--fields``."""
        super().add_arguments(parser)
        parser.add_argument(
            "--address", action="store_true", help="<port> is the MAC address, not the UUID."
        )

    def fetch(self, parsed_args: argparse.Namespace, fields: list[str] | None) -> Any:
        """Return the port of the UUID or the address."""
        if parsed_args.address:
            return self.client.port.get_by_address(parsed_args.ident, fields=fields)
        return super().fetch(parsed_args, fields)


class UnsetBaremetalPort(_Port, Unset):
    """Remove fields of a port."""

    options = (
        EXTRA,
        LOCAL_LINK_CONNECTION,
        PORT_GROUP,
        PHYSICAL_NETWORK,
        IS_SMARTNIC,
        NAME,
        DESCRIPTION,
        VENDOR,
        CATEGORY,
    )
