"""Ports: the network interfaces of nodes.

API reference, section "Ports".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import Field, Filter, ResourceType, SettableField
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import PortFields, PortFilters
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import Link, Patch
    from baremetalclient.v1.portgroup import Portgroup
    from baremetalclient.v1.types import SortDirection


RESOURCE_TYPE = ResourceType(
    name="port",
    plural="ports",
    path="ports",
    list_key="ports",
    detail="path",
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        SettableField("address", "Address"),
        Field("created_at", "Created At", "datetime"),
        SettableField("extra", "Extra", "object", sortable=False),
        SettableField("node_uuid", "Node UUID", "uuid", sortable=False),
        SettableField("category", "Category", since=v1(101)),
        SettableField("vendor", "Vendor", since=v1(100)),
        SettableField(
            "local_link_connection", "Local Link Connection", "object", v1(19), sortable=False
        ),
        SettableField("portgroup_uuid", "Portgroup UUID", "uuid", v1(24), sortable=False),
        SettableField("pxe_enabled", "PXE boot enabled", "boolean", v1(19)),
        SettableField("physical_network", "Physical Network", since=v1(34)),
        Field("updated_at", "Updated At", "datetime"),
        Field("internal_info", "Internal Info", "object", v1(18), sortable=False),
        SettableField("is_smartnic", "Is Smart NIC port", "boolean", v1(53)),
        SettableField("name", "Name", since=v1(88)),
        SettableField("description", "Description", since=v1(97), detailed=False),
        SettableField(
            "available_for_dynamic_portgroup",
            "Available For Dynamic Portgroup",
            "boolean",
            v1(111),
            detailed=False,
        ),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "address"),
    filters=(
        Filter("address"),
        Filter("node"),
        Filter("portgroup", since=v1(24)),
        Filter("shards", "shard", since=v1(82), many="name of a shard"),
        Filter("description_contains", since=v1(97)),
        Filter("conductor_groups", since=v1(99), many="conductor group"),
    ),
)


class Port(Resource):
    """A port."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    uuid: str
    address: str
    created_at: str
    extra: dict[str, Any]
    node_uuid: str
    category: str | None
    vendor: str | None
    local_link_connection: dict[str, Any]
    portgroup_uuid: str | None
    pxe_enabled: bool
    physical_network: str | None
    updated_at: str | None
    internal_info: dict[str, Any]
    is_smartnic: bool | None
    name: str | None
    description: str | None
    available_for_dynamic_portgroup: bool
    links: list[Link]


class PortManager(manager.Manager[Port]):
    """Calls for ports."""

    resource_class = Port

    def list(
        self,
        address: str | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        node: str | Node | None = None,
        portgroup: str | Portgroup | None = None,
        *,
        shards: Sequence[str] | None = None,
        description_contains: str | None = None,
        conductor_groups: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Port]:
        """Return ports; see :class:`.Manager` for the arguments of all lists.

        :param address: only the one with this MAC address.
        :param node: only those of this node, by UUID or name.
        :param portgroup: only those of this port group, by UUID or name; since version 1.24.
        :param shards: only those of nodes in one of these shards; since version 1.82.
        :param description_contains: only those with this text in their description; since version
            1.97.
        :param conductor_groups: only those of nodes in one of these groups; since version 1.99.
        """
        filters = {
            "address": address,
            "node": node,
            "portgroup": portgroup,
            "shards": shards,
            "description_contains": description_contains,
            "conductor_groups": conductor_groups,
        }
        return self._list(filters, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[PortFilters]) -> Iterator[Port]:
        """Yield all matching ports, holding one page of the server in memory at a time.

        :param options: the filters of :meth:`list`, the arguments of all lists but ``limit``, and
            the options of every call.
        """
        return self._iterate(**options)

    def get(
        self, port_id: str | Port, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Port:
        """Return a port.

        :param port_id: its UUID or, since version 1.88, name.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(port_id, fields, **call)

    def get_by_address(
        self, address: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Port:
        """Return the port with a MAC address.

        :param address: the address.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get_by("address", address, fields, **call)

    def create(self, **attributes: Unpack[PortFields]) -> Port:
        """Create a port.

        :param attributes: ``address`` and ``node_uuid``, and any other fields that can be set;
            and the options of every call.
        :raises InvalidAttribute: if a port does not have one of the fields.
        :raises Conflict: if the UUID, the name or the address is taken.
        """
        return self._create(**attributes)

    def update(self, port_id: str | Port, patch: Patch, **call: Unpack[CallOptions]) -> Port:
        """Change a port.

        :param port_id: its UUID or name.
        :param patch: a JSON patch.
        :returns: the changed port.
        """
        return self._update(port_id, patch, **call)

    def delete(self, port_id: str | Port, **call: Unpack[CallOptions]) -> None:
        """Delete a port.

        :param port_id: its UUID or name.
        """
        self._delete(port_id, **call)
