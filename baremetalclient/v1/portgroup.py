"""Port groups: ports of a node combined by link aggregation.

API reference, section "Portgroups"; since version 1.23.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.fields import Filter, field, settable
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.calls.portgroup import PortgroupCalls
from baremetalclient.v1.port import Port, PortManager

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import ListOptions
    from baremetalclient.v1.objects import Link
    from baremetalclient.v1.types import PortgroupMode


class Portgroup(Resource):
    """A port group."""

    __slots__ = ()
    resource_type = ResourceType(
        name="port group",
        path="portgroups",
        since=v1(23),
        detail="path",
        identified_by="portgroup_id",
        listed=("uuid", "address", "name"),
        list_arguments=(
            *("node", "address", "limit", "marker", "sort_key", "sort_dir", "detail", "fields"),
            "shards",
        ),
        filters=(
            Filter(
                "node",
                "List only port groups of this node (name or UUID).",
                "str | Node | None",
                since=v1(24),
            ),
            Filter("address", "List only the port group with this address."),
            Filter(
                "shards",
                "List only port groups of nodes in one of these shards.",
                query="shard",
                since=v1(106),
                many="name of a shard",
            ),
            Filter(
                "conductor_groups",
                "List only port groups of nodes in one of these conductor groups.",
                since=v1(99),
                many="conductor group",
            ),
        ),
    )

    uuid: str = field("UUID of the port group.", creatable=True)
    address: str | None = settable("MAC address of the port group.")
    created_at: str = field("Time of its creation.")
    extra: dict[str, Any] = settable("Arbitrary metadata.")
    standalone_ports_supported: bool = settable("Whether its ports can be used by themselves, too.")
    node_uuid: str = settable(
        "Node that the port group belongs to (name or UUID).", sortable=False, required=True
    )
    name: str | None = settable("Name of the port group.")
    updated_at: str | None = field("Time of its last change.")
    internal_info: dict[str, Any] = field("What Ironic keeps about the port group.")
    mode: PortgroupMode | None = settable("Mode of the bond.", since=v1(26))
    properties: dict[str, Any] = settable("Property of the bond.", since=v1(26))
    physical_network: str | None = settable(
        "Physical network that the ports of the group are connected to.", since=v1(102)
    )
    category: str | None = settable("Category of the port group.", since=v1(103))
    dynamic_portgroup: bool = field(
        "Whether Ironic has made it for an instance.", since=v1(111), detailed=False
    )
    links: list[Link] = field("Links to the port group.", detailed=False)
    ports: list[Link] = field("Links to its ports.", detailed=False)


class PortgroupManager(PortgroupCalls[Portgroup]):
    """Calls for port groups."""

    resource_class = Portgroup

    def get_by_address(
        self, address: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Portgroup:
        """Return the port group with a MAC address.

        :param address: the address.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get_by("address", address, fields, **call)

    def list_ports(
        self, portgroup_id: str | Portgroup, *page: Any, **options: Unpack[ListOptions]
    ) -> list[Port]:
        """Return the ports of a port group; since version 1.24.

        :param portgroup_id: the UUID or name of the port group.
        :raises NotFound: if the port group does not exist.
        """
        return self._list_children(PortManager, "portgroup", portgroup_id, **options)
