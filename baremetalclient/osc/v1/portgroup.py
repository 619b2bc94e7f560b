"""Commands about port groups."""

from __future__ import annotations

from baremetalclient.osc import argument_types
from baremetalclient.osc.delete_command import Delete
from baremetalclient.osc.options import FlagOption, KeyValueOption, MultiValueOption, Option
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set, Unset
from baremetalclient.osc.v1.port import ShowByAddress
from baremetalclient.osc.wait_command import ResourceWaitCommand

ADDRESS = Option("address", metavar="<mac-address>")
REMOVABLE = (
    ADDRESS,
    Option("name"),
    KeyValueOption("extra"),
    KeyValueOption("properties", flag="--property", parse=argument_types.plain_key_value),
    Option("physical_network"),
    Option("category", parse=str),
)
FIELDS = (
    Option("node_uuid", flag="--node", required=True),
    Option(
        "mode",
        help="Mode of the bond, see "
        "https://www.kernel.org/doc/Documentation/networking/bonding.txt.",
    ),
    FlagOption(
        "standalone_ports_supported",
        flag="--support-standalone-ports",
        help="Ports of the group can be used on their own (default).",
        off="--unsupport-standalone-ports",
        off_help="Ports of the group cannot be used on their own.",
    ),
    *REMOVABLE,
)


class _PortGroup(ResourceCommand):
    manager_name = "portgroup"
    identifiers = "Name or UUID"


class CreateBaremetalPortGroup(_PortGroup, Create):
    """Create a port group."""

    examples = ("baremetal port group create --node node-1 --name bond-1 --mode 802.3ad",)
    options = (*FIELDS, Option("uuid"))


class DeleteBaremetalPortGroup(_PortGroup, Delete):
    """Delete port groups."""

    examples = ("baremetal port group delete bond-0",)


class ListBaremetalPortGroup(_PortGroup, List):
    """List port groups."""

    selectable = True
    examples = ("baremetal port group list --node node-1",)
    options = (
        ADDRESS,
        Option("node"),
        MultiValueOption("shards", metavar="<shard>"),
        MultiValueOption("conductor_groups", metavar="<conductor group>"),
    )


class SetBaremetalPortGroup(_PortGroup, Set):
    """Set fields of a port group."""

    examples = ("baremetal port group set bond-0 --mode active-backup",)
    options = FIELDS


class ShowBaremetalPortGroup(_PortGroup, ShowByAddress):
    """Show a port group."""

    examples = ("baremetal port group show bond-0",)
    options = (FlagOption("address", help="<port group> is the MAC address."),)


class UnsetBaremetalPortGroup(_PortGroup, Unset):
    """Remove fields of a port group."""

    examples = ("baremetal port group unset bond-0 --address",)
    options = REMOVABLE


class WaitBaremetalPortGroup(_PortGroup, ResourceWaitCommand):
    """Wait until conditions hold for port groups, or fail if one is gone unexpectedly."""

    examples = (
        "baremetal port group wait --for standalone_ports_supported=true --timeout 5m bond-0",
    )
