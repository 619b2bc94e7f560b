"""Port groups: ports of a node combined by link aggregation.

API reference, section "Portgroups"; since version 1.23.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import Field, Filter, ResourceType, SettableField
from baremetalclient.microversion import v1
from baremetalclient.v1.port import Port, PortManager

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import PortgroupFields, PortgroupFilters
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import Link, Patch
    from baremetalclient.v1.types import PortgroupMode, SortDirection


RESOURCE_TYPE = ResourceType(
    name="port group",
    plural="port groups",
    path="portgroups",
    list_key="portgroups",
    since=v1(23),
    detail="path",
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        SettableField("address", "Address"),
        Field("created_at", "Created At", "datetime"),
        SettableField("extra", "Extra", "object", sortable=False),
        SettableField("standalone_ports_supported", "Standalone Ports Supported", "boolean"),
        SettableField("node_uuid", "Node UUID", "uuid", sortable=False),
        SettableField("name", "Name"),
        Field("updated_at", "Updated At", "datetime"),
        Field("internal_info", "Internal Info", "object", sortable=False),
        SettableField("mode", "Mode", since=v1(26)),
        SettableField("properties", "Properties", "object", v1(26), sortable=False),
        SettableField("physical_network", "Physical Network", since=v1(102)),
        SettableField("category", "Category", since=v1(103)),
        Field("dynamic_portgroup", "Dynamic Portgroup", "boolean", v1(111), detailed=False),
        Field("links", "Links", "links", sortable=False, detailed=False),
        Field("ports", "Ports", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "address", "name"),
    filters=(
        Filter("node", since=v1(24)),
        Filter("address"),
        Filter("shards", "shard", since=v1(106), many="name of a shard"),
        Filter("conductor_groups", since=v1(99), many="conductor group"),
    ),
)


class Portgroup(Resource):
    """A port group."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    uuid: str
    address: str | None
    created_at: str
    extra: dict[str, Any]
    standalone_ports_supported: bool
    node_uuid: str
    name: str | None
    updated_at: str | None
    internal_info: dict[str, Any]
    mode: PortgroupMode | None
    properties: dict[str, Any]
    physical_network: str | None
    category: str | None
    dynamic_portgroup: bool
    links: list[Link]
    ports: list[Link]


class PortgroupManager(manager.Manager[Portgroup]):
    """Calls for port groups."""

    resource_class = Portgroup

    def list(
        self,
        node: str | Node | None = None,
        address: str | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        shards: Sequence[str] | None = None,
        *,
        conductor_groups: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Portgroup]:
        """Return port groups; see :class:`.Manager` for the arguments of all lists.

        :param node: only those of this node, by UUID or name.
        :param address: only the one with this MAC address.
        :param shards: only those of nodes in one of these shards; since version 1.106.
        :param conductor_groups: only those of nodes in one of these groups; since version 1.99.
        """
        filters = {
            "node": node,
            "address": address,
            "shards": shards,
            "conductor_groups": conductor_groups,
        }
        return self._list(filters, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[PortgroupFilters]) -> Iterator[Portgroup]:
        """Yield all matching port groups, holding one page of the server in memory at a time.

        :param options: the filters of :meth:`list`, the arguments of all lists but ``limit``, and
            the options of every call.
        """
        return self._iterate(**options)

    def get(
        self,
        portgroup_id: str | Portgroup,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> Portgroup:
        """Return a port group.

        :param portgroup_id: its UUID or name.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(portgroup_id, fields, **call)

    def get_by_address(
        self, address: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Portgroup:
        """Return the port group with a MAC address.

        :param address: the address.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get_by("address", address, fields, **call)

    def create(self, **attributes: Unpack[PortgroupFields]) -> Portgroup:
        """Create a port group.

        :param attributes: ``node_uuid`` and any other fields that can be set; and the options of
            every call.
        :raises InvalidAttribute: if a port group does not have one of the fields.
        :raises Conflict: if the UUID, the name or the address is taken.
        """
        return self._create(**attributes)

    def update(
        self, portgroup_id: str | Portgroup, patch: Patch, **call: Unpack[CallOptions]
    ) -> Portgroup:
        """Change a port group.

        :param portgroup_id: its UUID or name.
        :param patch: a JSON patch.
        :returns: the changed port group.
        """
        return self._update(portgroup_id, patch, **call)

    def delete(self, portgroup_id: str | Portgroup, **call: Unpack[CallOptions]) -> None:
        """Delete a port group.

        :param portgroup_id: its UUID or name.
        """
        self._delete(portgroup_id, **call)

    def list_ports(
        self,
        portgroup_id: str | Portgroup,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> builtins.list[Port]:
        """Return the ports of a port group; since version 1.24.

        :param portgroup_id: the UUID or name of the port group.
        :raises NotFound: if the port group does not exist.
        """
        page = (limit, marker, sort_key, sort_dir, detail, fields)
        return self._list_children(PortManager, "portgroup", portgroup_id, *page, **call)
