"""Ports: the network interfaces of nodes.

API reference, section "Ports".
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource import manager
from baremetalclient._resource.schema import Field, Filter, Resource
from baremetalclient.microversion import Version

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions


def _v(minor: int) -> Version:
    return Version(1, minor)


_Settable = partial(Field, creatable=True, updatable=True)

RESOURCE = Resource(
    name="port",
    plural="ports",
    path="ports",
    list_key="ports",
    detail="path",
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        _Settable("address", "Address"),
        Field("created_at", "Created At", "datetime"),
        _Settable("extra", "Extra", "object", sortable=False),
        _Settable("node_uuid", "Node UUID", "uuid", sortable=False),
        _Settable("category", "Category", since=_v(101)),
        _Settable("vendor", "Vendor", since=_v(100)),
        _Settable(
            "local_link_connection", "Local Link Connection", "object", _v(19), sortable=False
        ),
        _Settable("portgroup_uuid", "Portgroup UUID", "uuid", _v(24), sortable=False),
        _Settable("pxe_enabled", "PXE boot enabled", "boolean", _v(19)),
        _Settable("physical_network", "Physical Network", since=_v(34)),
        Field("updated_at", "Updated At", "datetime"),
        Field("internal_info", "Internal Info", "object", _v(18), sortable=False),
        _Settable("is_smartnic", "Is Smart NIC port", "boolean", _v(53)),
        _Settable("name", "Name", since=_v(88)),
        _Settable("description", "Description", since=_v(97), detailed=False),
        _Settable(
            "available_for_dynamic_portgroup",
            "Available For Dynamic Portgroup",
            "boolean",
            _v(111),
            detailed=False,
        ),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "address"),
    filters=(
        Filter("address"),
        Filter("node"),
        Filter("portgroup", since=_v(24)),
        Filter("shards", "shard", since=_v(82), many="name of a shard"),
        Filter("description_contains", since=_v(97)),
        Filter("conductor_groups", since=_v(99), many="conductor group"),
    ),
)


class Port(manager.View):
    """A port."""

    __slots__ = ()
    resource = RESOURCE


class PortManager(manager.Manager[Port]):
    """Calls about ports."""

    resource = RESOURCE
    view = Port

    def list(
        self,
        address: str | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        node: str | None = None,
        portgroup: str | None = None,
        *,
        shards: Sequence[str] | None = None,
        description_contains: str | None = None,
        conductor_groups: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Port]:
        """Return ports.

        :param address: only the one with this MAC address.
        :param limit: how many at most; 0 for all, None for one page of the server.
        :param marker: the UUID after which to begin.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param detail: whether to return all fields.
        :param fields: the fields to return.
        :param node: only those of this node, by UUID or name.
        :param portgroup: only those of this port group, by UUID or name; since version 1.24.
        :param shards: only those of nodes in one of these shards; since version 1.82.
        :param description_contains: only those with this text in their description; since version
            1.97.
        :param conductor_groups: only those of nodes in one of these groups; since version 1.99.
        :param call: the options of every call.
        :raises InvalidAttribute: if both details and certain fields are asked for.
        """
        return self._list(
            {
                "address": address,
                "node": node,
                "portgroup": portgroup,
                "shards": shards,
                "description_contains": description_contains,
                "conductor_groups": conductor_groups,
            },
            limit,
            marker,
            sort_key,
            sort_dir,
            detail=detail,
            fields=fields,
            **call,
        )

    def get(
        self, port_id: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Port:
        """Return a port.

        :param port_id: its UUID or, since version 1.88, name.
        :param fields: the fields to return, None for all.
        :param call: the options of every call.
        :raises NotFound: if there is none.
        """
        return self._get(port_id, fields, **call)

    def get_by_address(
        self, address: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Port:
        """Return the port with a MAC address.

        :param address: the address.
        :param fields: the fields to return, None for all.
        :param call: the options of every call.
        :raises NotFound: if there is none.
        """
        found = self._list({"address": address}, detail=fields is None, fields=fields, **call)
        if len(found) != 1:
            raise exc.NotFound(f"No port has the address {address!r}.")
        return found[0]

    def create(self, **attributes: Any) -> Port:
        """Create a port.

        :param attributes: ``address`` and ``node_uuid``, and any other fields that can be set;
            besides, the options of every call.
        :raises InvalidAttribute: if a port has no such field.
        :raises Conflict: if the UUID, the name or the address is taken.
        """
        return self._create(attributes)

    def update(self, port_id: str, patch: manager.Patch, **call: Unpack[CallOptions]) -> Port:
        """Change a port.

        :param port_id: its UUID or name.
        :param patch: a JSON patch.
        :param call: the options of every call.
        :returns: the port as it is afterwards.
        """
        return self._update(port_id, patch, **call)

    def delete(self, port_id: str, **call: Unpack[CallOptions]) -> None:
        """Delete a port.

        :param port_id: its UUID or name.
        :param call: the options of every call.
        """
        self._delete(port_id, **call)
