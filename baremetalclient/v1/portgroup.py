"""Port groups: ports of a node that act as one, as in link aggregation.

API reference, section "Portgroups"; since version 1.23.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._resource import manager
from baremetalclient._resource.schema import Field, Filter, Resource
from baremetalclient.microversion import Version
from baremetalclient.v1.port import Port, PortManager

if TYPE_CHECKING:
    import builtins
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions


def _v(minor: int) -> Version:
    return Version(1, minor)


_Settable = partial(Field, creatable=True, updatable=True)

RESOURCE = Resource(
    name="port group",
    plural="port groups",
    path="portgroups",
    list_key="portgroups",
    since=_v(23),
    detail="path",
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        _Settable("address", "Address"),
        Field("created_at", "Created At", "datetime"),
        _Settable("extra", "Extra", "object", sortable=False),
        _Settable("standalone_ports_supported", "Standalone Ports Supported", "boolean"),
        _Settable("node_uuid", "Node UUID", "uuid", sortable=False),
        _Settable("name", "Name"),
        Field("updated_at", "Updated At", "datetime"),
        Field("internal_info", "Internal Info", "object", sortable=False),
        _Settable("mode", "Mode", since=_v(26)),
        _Settable("properties", "Properties", "object", _v(26), sortable=False),
        _Settable("physical_network", "Physical Network", since=_v(102)),
        _Settable("category", "Category", since=_v(103)),
        Field("dynamic_portgroup", "Dynamic Portgroup", "boolean", _v(111), detailed=False),
        Field("links", "Links", "links", sortable=False, detailed=False),
        Field("ports", "Ports", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "address", "name"),
    filters=(
        Filter("node", since=_v(24)),
        Filter("address"),
        Filter("shards", "shard", since=_v(106), many="name of a shard"),
        Filter("conductor_groups", since=_v(99), many="conductor group"),
    ),
)


class Portgroup(manager.View):
    """A port group."""

    __slots__ = ()
    resource = RESOURCE


class PortgroupManager(manager.Manager[Portgroup]):
    """Calls about port groups."""

    resource = RESOURCE
    view = Portgroup

    def list(
        self,
        node: str | None = None,
        address: str | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        shards: Sequence[str] | None = None,
        *,
        conductor_groups: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Portgroup]:
        """Return port groups.

        :param node: only those of this node, by UUID or name.
        :param address: only the one with this MAC address.
        :param limit: how many at most; 0 for all, None for one page of the server.
        :param marker: the UUID after which to begin.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param detail: whether to return all fields.
        :param fields: the fields to return.
        :param shards: only those of nodes in one of these shards; since version 1.106.
        :param conductor_groups: only those of nodes in one of these groups; since version 1.99.
        :param call: the options of every call.
        :raises InvalidAttribute: if both details and certain fields are asked for.
        """
        return self._list(
            {
                "node": node,
                "address": address,
                "shards": shards,
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
        self, portgroup_id: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Portgroup:
        """Return a port group.

        :param portgroup_id: its UUID or name.
        :param fields: the fields to return, None for all.
        :param call: the options of every call.
        :raises NotFound: if there is none.
        """
        return self._get(portgroup_id, fields, **call)

    def get_by_address(
        self, address: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Portgroup:
        """Return the port group with a MAC address.

        :param address: the address.
        :param fields: the fields to return, None for all.
        :param call: the options of every call.
        :raises NotFound: if there is none.
        """
        found = self._list({"address": address}, detail=fields is None, fields=fields, **call)
        if len(found) != 1:
            raise exc.NotFound(f"No port group has the address {address!r}.")
        return found[0]

    def create(self, **attributes: Any) -> Portgroup:
        """Create a port group.

        :param attributes: ``node_uuid`` and any other fields that can be set; besides, the options
            of every call.
        :raises InvalidAttribute: if a port group has no such field.
        :raises Conflict: if the UUID, the name or the address is taken.
        """
        return self._create(attributes)

    def update(
        self, portgroup_id: str, patch: manager.Patch, **call: Unpack[CallOptions]
    ) -> Portgroup:
        """Change a port group.

        :param portgroup_id: its UUID or name.
        :param patch: a JSON patch.
        :param call: the options of every call.
        :returns: the port group as it is afterwards.
        """
        return self._update(portgroup_id, patch, **call)

    def delete(self, portgroup_id: str, **call: Unpack[CallOptions]) -> None:
        """Delete a port group.

        :param portgroup_id: its UUID or name.
        :param call: the options of every call.
        """
        self._delete(portgroup_id, **call)

    def list_ports(
        self,
        portgroup_id: str,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> builtins.list[Port]:
        """Return the ports of a port group; since version 1.24.

        :param portgroup_id: the UUID or name of the port group.
        :param marker: the UUID of the port after which to begin.
        :param limit: how many at most; 0 for all, None for one page of the server.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param detail: whether to return all fields.
        :param fields: the fields to return.
        :param call: the options of every call.
        :raises NotFound: if there is no such port group.
        """
        urls.segment(portgroup_id, "port group")
        return PortManager(self.http).list(
            portgroup=portgroup_id,
            marker=marker,
            limit=limit,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            **call,
        )
