"""``/v1/ports``, also below nodes and port groups."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions, tables
from fake_server.baremetal.api import listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import local_links, port_fields
from fake_server.baremetal.api.lookup import (
    check_inspection,
    check_parent_node,
    find_any_node,
    find_linked_node,
    find_portgroup,
)
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.conductor import port_changes
from fake_server.baremetal.errors import (
    Conflict,
    Invalid,
    MalformedRequestURI,
    NodeNotFound,
    NotAcceptable,
    NotAuthorized,
    PortgroupNotFound,
    PortNotFound,
)
from fake_server.baremetal.models import node_resources, nodes, portgroups, ports
from fake_server.baremetal.resource_fields import PORTS
from fake_server.common.formats import is_uuid

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.models.paging import Page
    from fake_server.db.store import Record

_COMMON: dict[str, Any] = {
    "node": arguments.uuid_or_name,
    "node_uuid": arguments.uuid,
    "address": arguments.mac_address,
    "marker": arguments.uuid,
    "limit": arguments.integer,
    "sort_key": arguments.string,
    "sort_dir": arguments.string,
    "portgroup": arguments.uuid_or_name,
    "shard": arguments.string_list,
    "description_contains": arguments.string,
    "conductor_groups": arguments.string_list,
}
#: Fields that always have a value.
_NOT_NULL = ("pxe_enabled", "available_for_dynamic_portgroup")


class PortsController(Controller):
    """The ports of all nodes, or of one node or port group.

    :param node_ident: the node when it is addressed below one.
    :param portgroup_ident: the port group when it is addressed below one.
    """

    custom_actions: ClassVar = {"detail": ("GET",)}

    def __init__(self, node_ident: str | None = None, portgroup_ident: str | None = None) -> None:
        self.node_ident = node_ident
        self.portgroup_ident = portgroup_ident

    @expose(cacheable=True, **_COMMON, fields=arguments.string_list, detail=arguments.boolean)
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List ports."""
        query["project"] = self._check_listing(ctx)
        query["node"] = self.node_ident or query.get("node")
        query["portgroup"] = self.portgroup_ident or query.get("portgroup")
        fields, detail = query.get("fields"), query.get("detail")
        if fields is not None and ctx.minor < microversions.FIELDS:
            raise NotAcceptable()
        port_fields.check_version(ctx, fields)
        _check_query(ctx, query)
        fields = listing.choose_fields(ctx, fields, detail, PORTS.listed)
        _check_node_name(ctx, query)
        following = {} if detail is None else {"detail": detail}
        return self._list(ctx, query, "ports", fields, **following)

    @expose(cacheable=True, **_COMMON)
    def detail(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List ports with all their fields."""
        query["project"] = self._check_listing(ctx)
        _check_query(ctx, query)
        _check_node_name(ctx, query)
        listing.check_parent(ctx, "ports")
        return self._list(ctx, query, "ports/detail", None)

    @expose(cacheable=True, port_ident=arguments.uuid_or_name, fields=arguments.string_list)
    def get_one(
        self, ctx: Context, port_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a port."""
        self._refuse_nested()
        found = _find(ctx, port_ident, "get")
        if fields is not None and ctx.minor < microversions.FIELDS:
            raise NotAcceptable()
        port_fields.check_version(ctx, fields)
        return port_fields.show(ctx, found, fields)

    @expose(201, body="port", port=port_fields.port)
    def post(self, ctx: Context, port: dict[str, Any]) -> dict[str, Any]:
        """Create a port."""
        self._refuse_nested()
        node = _node_of_new_port(ctx, port)
        port_fields.check_version(ctx, port)
        group = _group_of_new_port(ctx, node, port)
        link = port.get("local_link_connection")
        if port.get("is_smartnic") and not local_links.fits_smart_nic(link):
            raise Invalid("Smart NIC port must have port_id and hostname in local_link_connection")
        if port.get("physical_network") == "":
            raise Invalid("A non-empty value is required when setting physical_network")
        if group and port.get("pxe_enabled") and not group["standalone_ports_supported"]:
            raise Conflict(
                f"Port group {group['uuid']} doesn't support standalone ports. This port cannot "
                "be created as a member of that portgroup as the port's 'pxe_enabled' field was "
                "set to True."
            )
        # Ironic checks them only here, and fails.
        for name in _NOT_NULL:
            if port.get(name, True) is None:
                raise Invalid(f"Field {name} can't be null: use true or false.")
        created = port_changes.create_port(ctx.session, node, port)
        ctx.location = ctx.link("ports", created["uuid"])
        return port_fields.show(ctx, created)

    @expose(body="patch", port_ident=arguments.uuid_or_name, patch=patches.patch)
    def patch(self, ctx: Context, port_ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a port."""
        self._refuse_nested()
        patches.check_fields(ctx, patch, PORTS.patchable)
        port_fields.check_patch(ctx, patch)
        found = _find(ctx, port_ident, "update")
        node = nodes.get_by_id(ctx.session, found["node_id"])
        asked = patches.values(patch, "/node_uuid")
        if asked:
            node = find_linked_node(ctx, asked[0], node["owner"], "node_uuid")
        document = node_resources.as_document(tables.ports, found)
        del document["node_id"]
        group_id = document.pop("portgroup_id")
        document |= {"portgroup_uuid": found["portgroup_uuid"], "node_uuid": found["node_uuid"]}
        patched = patches.apply(document, patch)
        patched["node_uuid"] = node["uuid"]
        if patches.begins_at(patch, "/portgroup_uuid"):
            group_id = _group_id(ctx, patched.get("portgroup_uuid"))
        settable = {name: patched[name] for name in patched if name in PORTS.settable}
        port_fields.port("patch", settable)
        settable.setdefault("available_for_dynamic_portgroup", True)
        for name in _NOT_NULL:
            if settable.get(name) is None:
                raise Invalid(f"Field {name} can't be removed or null: use true or false.")
        changes = node_resources.changes(tables.ports, document, settable, PORTS.changeable)
        if node["id"] != found["node_id"]:
            changes["node_id"] = node["id"]
        if group_id != found["portgroup_id"]:
            changes["portgroup_id"] = group_id
        check_inspection(ctx, node, f'port "{found["uuid"]}" on "{node["uuid"]}"')
        _check_physical_network(ctx, patch, settable.get("physical_network"), group_id)
        # An object that is taken away counts as changed though nothing was in it.
        link = "local_link_connection"
        touched = (link,) if settable.get(link) is None else ()
        updated = port_changes.update_port(ctx.session, node, found, changes, touched)
        return port_fields.show(ctx, updated)

    @expose(204, port_uuid=arguments.uuid)
    def delete(self, ctx: Context, port_uuid: str) -> None:
        """Remove a port."""
        self._refuse_nested()
        found = _find(ctx, port_uuid, "delete")
        node = nodes.get_by_id(ctx.session, found["node_id"])
        port_changes.delete_port(ctx.session, node, found)

    def _refuse_nested(self) -> None:
        if self.node_ident or self.portgroup_ident:
            raise MalformedRequestURI()

    def _check_listing(self, ctx: Context) -> str | None:
        """Return the project whose ports are listed; none for all.

        Parents that aren't there are refused; only their UUIDs count here.
        """
        if self.portgroup_ident:
            group = portgroups.get_by_uuid(ctx.session, self.portgroup_ident)
            missing = PortgroupNotFound(portgroup=self.portgroup_ident)
            permissions.check_belonging(ctx, "baremetal:node:get", group, missing)
        elif self.node_ident:
            check_parent_node(ctx, self.node_ident)
        return permissions.check_listing(ctx, "port")

    def _list(
        self,
        ctx: Context,
        query: dict[str, Any],
        resource: str,
        fields: list[str] | None,
        **following: Any,
    ) -> dict[str, Any]:
        sort_key, sort_dir = query.get("sort_key", "id"), query.get("sort_dir", "asc")
        page = listing.page(query.get("limit"), sort_key, sort_dir, ())
        if query.get("marker"):
            marker = ports.get_by_uuid(ctx.session, query["marker"])
            page = dataclasses.replace(page, marker=marker)
        listing.check_sortable(sort_key, PORTS.unsortable)
        rows = [row for row in self._fetch(ctx, query, page) if row["node_uuid"] is not None]
        return listing.collection(
            ctx,
            "ports",
            rows,
            [port_fields.show(ctx, row, fields) for row in rows],
            page.limit,
            resource,
            fields,
            sort_key=sort_key,
            sort_dir=sort_dir,
            **following,
        )

    def _fetch(self, ctx: Context, query: dict[str, Any], page: Page) -> list[Record]:
        node = self.node_ident or query.get("node_uuid") or query.get("node")
        group = self.portgroup_ident or query.get("portgroup")
        address, shards = query.get("address"), query.get("shard")
        if sum(bool(choice) for choice in (node, group, shards)) > 1:
            raise NotAuthorized("Operation not permitted.")
        conductor_groups = query.get("conductor_groups")
        if conductor_groups and (node or group or address):
            raise Invalid(
                "Filtering by conductor_groups cannot be combined with node_ident, "
                "portgroup_ident, or node address filters."
            )
        if address and not (node or group):
            return ports.fetch_by_address(ctx.session, address, query["project"])
        parent = not (node or group)
        return ports.fetch(
            ctx.session,
            page,
            portgroup_id=find_portgroup(ctx, group)["id"] if group else None,
            node_id=find_any_node(ctx, node)["id"] if node and not group else None,
            shards=shards if parent else None,
            conductor_groups=conductor_groups if parent and not shards else None,
            description_contains=query.get("description_contains"),
            project=query["project"],
        )


def _find(ctx: Context, ident: str, action: str) -> Record:
    """Return the port that a request names, if the caller may do that to it."""
    found = ports.get(ctx.session, ident)
    missing = PortNotFound(port=ident)
    permissions.check_belonging(ctx, f"baremetal:port:{action}", found, missing)
    return found


def _check_query(ctx: Context, query: dict[str, Any]) -> None:
    port_fields.check_version(ctx, [query.get("sort_key", "id")])
    if query.get("portgroup") and ctx.minor < microversions.PORTGROUPS_OF_NODE:
        raise NotAcceptable()
    if query.get("shard") is not None:
        microversions.require(ctx.minor, microversions.SHARDS)


def _check_node_name(ctx: Context, query: dict[str, Any]) -> None:
    node = query.get("node")
    if query.get("node_uuid") or not node or is_uuid(node):
        return
    if ctx.minor < microversions.NODE_NAMES:
        raise NotAcceptable()


def _node_of_new_port(ctx: Context, port: dict[str, Any]) -> Record:
    """Take the node out of a port to create, and leave its ``id`` there."""
    uuid, ident = port.pop("node_uuid", None), port.pop("node_ident", None)
    if ident and ctx.minor < microversions.PORT_NODE_NAME:
        raise NotAcceptable()
    try:
        node = find_any_node(ctx, ident or uuid)
        permissions.check_addition(ctx, "baremetal:port:create", node)
    except NodeNotFound:
        permissions.check_addition(ctx, "baremetal:port:create", None)
        error = NodeNotFound(node=uuid)
        error.code = 400
        raise error from None
    port["node_id"] = node["id"]
    return node


def _group_of_new_port(ctx: Context, node: Record, port: dict[str, Any]) -> Record | None:
    """Take the port group out of a port to create, and leave its ``id`` there."""
    uuid = port.pop("portgroup_uuid", None)
    if not uuid:
        return None
    try:
        group = portgroups.get(ctx.session, uuid)
    except PortgroupNotFound as exc:
        exc.code = 400
        raise
    if group["node_id"] != node["id"]:
        raise Invalid("Port can not be added to a portgroup belonging to a different node.")
    port["portgroup_id"] = group["id"]
    return group


def _group_id(ctx: Context, uuid: Any) -> int | None:
    if not uuid:
        return None
    try:
        return int(portgroups.get_by_uuid(ctx.session, uuid)["id"])
    except PortgroupNotFound as exc:
        exc.code = 400
        raise


def _check_physical_network(
    ctx: Context, patch: patches.Patch, network: str | None, group_id: int | None
) -> None:
    if not patches.begins_at(patch, "/physical_network"):
        return
    if network == "":
        raise Invalid("A non-empty value is required when setting physical_network")
    if group_id is not None and ctx.minor >= microversions.PORTGROUP_PHYSICAL_NETWORK:
        raise Invalid("physical_network cannot be changed while the port belongs to a portgroup.")
