"""Ports: the network interfaces of nodes.

API reference, section "Ports".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.fields import Filter, field, settable
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.calls.port import PortCalls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.objects import Link


class Port(Resource):
    """A port."""

    __slots__ = ()
    resource_type = ResourceType(
        name="port",
        path="ports",
        detail="path",
        listed=("uuid", "address"),
        list_arguments=(
            *("address", "limit", "marker", "sort_key", "sort_dir", "detail", "fields"),
            *("node", "portgroup"),
        ),
        filters=(
            Filter("address", "List only the port with this address."),
            Filter("node", "List only ports of this node (name or UUID).", "str | Node | None"),
            Filter(
                "portgroup",
                "List only ports of this port group (name or UUID).",
                "str | Resource | None",
                since=v1(24),
            ),
            Filter(
                "shards",
                "List only ports of nodes in one of these shards.",
                query="shard",
                since=v1(82),
                many="name of a shard",
            ),
            Filter(
                "description_contains",
                "List only ports whose description contains this text.",
                since=v1(97),
            ),
            Filter(
                "conductor_groups",
                "List only ports of nodes in one of these conductor groups.",
                since=v1(99),
                many="conductor group",
            ),
        ),
    )

    uuid: str = field("UUID of the port.", creatable=True)
    address: str = settable("MAC address of the port.", required=True)
    created_at: str = field("Time of its creation.")
    extra: dict[str, Any] = settable("Arbitrary metadata.")
    node_uuid: str = settable(
        "Node that the port belongs to (name or UUID).", sortable=False, required=True
    )
    category: str | None = settable("Category of the port.", since=v1(101))
    vendor: str | None = settable("Vendor of the port.", since=v1(100))
    local_link_connection: dict[str, Any] = settable(
        "Connection of the port to a switch. Keys are 'switch_id' and 'port_id' (required), "
        "'switch_info' and 'hostname'; a Smart NIC needs 'port_id' and 'hostname'.",
        since=v1(19),
    )
    portgroup_uuid: str | None = settable(
        "Port group that the port belongs to (name or UUID).", since=v1(24), sortable=False
    )
    pxe_enabled: bool = settable(
        "Whether the node may boot from the port.", "PXE boot enabled", since=v1(19)
    )
    physical_network: str | None = settable(
        "Physical network that the port is connected to.", since=v1(34)
    )
    updated_at: str | None = field("Time of its last change.")
    internal_info: dict[str, Any] = field("What Ironic keeps about the port.", since=v1(18))
    is_smartnic: bool | None = settable(
        "Whether the port is a Smart NIC.", "Is Smart NIC port", since=v1(53)
    )
    name: str | None = settable("Name of the port.", since=v1(88))
    description: str | None = settable("Description of the port.", since=v1(97), detailed=False)
    available_for_dynamic_portgroup: bool = settable(
        "Whether the port may become a member of a dynamic port group.",
        since=v1(111),
        detailed=False,
    )
    links: list[Link] = field("Links to the port.", detailed=False)


class PortManager(PortCalls[Port]):
    """Calls for ports."""

    resource_class = Port

    def get_by_address(
        self, address: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Port:
        """Return the port with a MAC address.

        :param address: the address.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get_by("address", address, fields, **call)
