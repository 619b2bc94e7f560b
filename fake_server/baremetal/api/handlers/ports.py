"""``/v1/ports``, also below nodes and port groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, errors, microversions
from fake_server.baremetal.api import listing, local_links, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.list_query import ListArgument, ListQuery, expose_list
from fake_server.baremetal.api.local_links import OVN_KEYS
from fake_server.baremetal.api.lookup import (
    check_inspection,
    check_parent_node,
    find_any_node,
    find_portgroup,
)
from fake_server.baremetal.api.resources import NodeResourceController
from fake_server.baremetal.arguments import checked
from fake_server.baremetal.conductor import port_changes
from fake_server.baremetal.models.model import of_nodes
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.models.portgroups import PORTGROUPS
from fake_server.baremetal.models.ports import PORTS
from fake_server.common.formats import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.models.paging import Page
    from fake_server.db.store import Record

_DETAILED = {
    name: ListArgument(converter=converter)
    for name, converter in (
        ("node", arguments.uuid_or_name),
        ("node_uuid", arguments.uuid),
        ("address", arguments.mac_address),
        ("marker", arguments.uuid),
        ("limit", arguments.integer),
        ("sort_key", arguments.string),
        ("sort_dir", arguments.string),
        ("portgroup", arguments.uuid_or_name),
        ("shard", arguments.string_list),
        ("description_contains", arguments.string),
        ("conductor_groups", arguments.string_list),
    )
}
_LIST = {
    **_DETAILED,
    "fields": ListArgument(converter=arguments.string_list),
    "detail": ListArgument(converter=arguments.boolean),
}
#: Fields that always have a value.
_NOT_NULL = ("pxe_enabled", "available_for_dynamic_portgroup")
_LINK = "local_link_connection"
#: A key of it that not every version takes.
_NETWORK_TYPE = f"{_LINK}/network_type"
#: Fields of which a patch is checked against the version.
_CHECKED_IN_PATCHES = (
    "pxe_enabled",
    _LINK,
    "portgroup_uuid",
    "physical_network",
    "is_smartnic",
    _NETWORK_TYPE,
)
_PORT = arguments.chain(
    checked(
        PORTS.fields.schema()
        | {"oneOf": [{"required": ["node_ident"]}, {"required": ["node_uuid"]}]}
    ),
    PORTS.fields.converter(
        local_link_connection=local_links.local_link, node_ident=arguments.as_it_is
    ),
)


class PortsController(NodeResourceController):
    """The ports of all nodes, or of one node or port group.

    :param portgroup_ident: the port group when it is addressed below one.
    """

    custom_actions: ClassVar = {"detail": ("GET",)}
    model = PORTS
    path = "ports"
    converter = _PORT
    kind = "port"
    get = PORTS.get

    def __init__(self, node_ident: str | None = None, portgroup_ident: str | None = None) -> None:
        super().__init__(node_ident)
        self.portgroup_ident = portgroup_ident

    @expose_list(_LIST, checked=False, cacheable=True)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List ports."""
        project, filters = self._check_listing(ctx), self._filters(query)
        _check_fields(ctx, query.fields)
        _check_query(ctx, query, filters)
        fields = query.choose_fields(ctx, PORTS.fields.listed)
        _check_node_name(ctx, filters)
        return self._list(ctx, query, filters, project, "ports", fields)

    @expose_list(_DETAILED, checked=False, cacheable=True)
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List ports with all their fields."""
        project = self._check_listing(ctx)
        _check_query(ctx, query, query.filters)
        _check_node_name(ctx, query.filters)
        listing.check_parent(ctx, "ports")
        return self._list(ctx, query, self._filters(query), project, "ports/detail", None)

    @expose(cacheable=True, port_ident=arguments.uuid_or_name, fields=arguments.string_list)
    def get_one(
        self, ctx: Context, port_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a port."""
        self.refuse_nested()
        found = self.find(ctx, port_ident, "get")
        _check_fields(ctx, fields)
        return self.show_fields(ctx, found, fields)

    @expose(201, body="port", port=_PORT)
    def post(self, ctx: Context, port: dict[str, Any]) -> dict[str, Any]:
        """Create a port."""
        self.refuse_nested()
        node = self._node_of_new(ctx, port)
        _check_version(ctx, port)
        group = _group_of_new_port(ctx, node, port)
        if port.get("is_smartnic") and not local_links.fits_smart_nic(port.get(_LINK)):
            raise errors.Invalid(
                "Smart NIC port must have port_id and hostname in local_link_connection"
            )
        if port.get("physical_network") == "":
            raise errors.Invalid("A non-empty value is required when setting physical_network")
        if group and port.get("pxe_enabled") and not group["standalone_ports_supported"]:
            raise errors.Conflict(
                f"Port group {group['uuid']} doesn't support standalone ports. This port cannot "
                "be created as a member of that portgroup as the port's 'pxe_enabled' field was "
                "set to True."
            )
        # Ironic checks them only here, and fails.
        for name in _NOT_NULL:
            if port.get(name, True) is None:
                raise errors.Invalid(f"Field {name} can't be null: use true or false.")
        return self.created(ctx, port_changes.create_port(ctx.session, node, port))

    @expose(body="patch", port_ident=arguments.uuid_or_name, patch=patches.patch)
    def patch(self, ctx: Context, port_ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a port."""
        self.refuse_nested()
        patches.check_fields(ctx, patch, PORTS.fields.patchable)
        _check_patch(ctx, patch)
        found = self.find(ctx, port_ident, "update")
        node = self.find_patched_node(ctx, found, patch)
        document = PORTS.document(found)
        group_id = document.pop("portgroup_id")
        document["portgroup_uuid"] = found["portgroup_uuid"]
        patched = self.patched(document, node, patch)
        if patches.begins_at(patch, "/portgroup_uuid"):
            uuid = patched.get("portgroup_uuid")
            group_id = _find_group(ctx, PORTGROUPS.get_by_uuid, uuid)["id"] if uuid else None
        settable = self.settable(patched)
        _PORT("patch", settable)
        settable.setdefault("available_for_dynamic_portgroup", True)
        for name in _NOT_NULL:
            if settable.get(name) is None:
                raise errors.Invalid(f"Field {name} can't be removed or null: use true or false.")
        changes = PORTS.changes(document, settable) | self.moved(found, node)
        if group_id != found["portgroup_id"]:
            changes["portgroup_id"] = group_id
        check_inspection(ctx, node, f'port "{found["uuid"]}" on "{node["uuid"]}"')
        _check_physical_network(ctx, patch, settable.get("physical_network"), group_id)
        # An object that is taken away counts as changed though nothing was in it.
        touched = (_LINK,) if settable.get(_LINK) is None else ()
        updated = port_changes.update_port(ctx.session, node, found, changes, touched)
        return self.show(ctx, updated)

    @expose(204, port_uuid=arguments.uuid)
    def delete(self, ctx: Context, port_uuid: str) -> None:
        """Remove a port."""
        self.refuse_nested()
        found = self.find(ctx, port_uuid, "delete")
        node = NODES.get_by_id(ctx.session, found["node_id"])
        port_changes.delete_port(ctx.session, node, found)

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the link to a switch, unless the version doesn't know its kind."""
        link = row[_LINK] or {}
        return {_LINK: {} if any(key in link for key in OVN_KEYS) and not _knows_ovn(ctx) else link}

    def refuse_nested(self) -> None:
        """Raise MalformedRequestURI for a single port below a node or a port group."""
        if self.node_ident or self.portgroup_ident:
            raise errors.MalformedRequestURI()

    def _check_listing(self, ctx: Context) -> str | None:
        """Return the project whose ports are listed; none for all.

        Parents that aren't there are refused; only their UUIDs count here.
        """
        if self.portgroup_ident:
            group = PORTGROUPS.get_by_uuid(ctx.session, self.portgroup_ident)
            missing = PORTGROUPS.missing(self.portgroup_ident)
            permissions.check_belonging(ctx, "baremetal:node:get", group, missing)
        elif self.node_ident:
            check_parent_node(ctx, self.node_ident)
        return permissions.check_listing(ctx, "port")

    def _filters(self, query: ListQuery) -> Mapping[str, Any]:
        """Return the filters of a query and of the address."""
        above = {"node": self.node_ident, "portgroup": self.portgroup_ident}
        return {**query.filters, **{name: ident for name, ident in above.items() if ident}}

    def _list(
        self,
        ctx: Context,
        query: ListQuery,
        filters: Mapping[str, Any],
        project: str | None,
        resource: str,
        fields: list[str] | None,
    ) -> dict[str, Any]:
        page = self.page_by_marker(ctx, query)
        found = self._fetch(ctx, filters, project, page)
        rows = [row for row in found if row["node_uuid"] is not None]
        following: dict[str, Any] = {"sort_key": page.sort_key, "sort_dir": page.sort_dir}
        if query.detail is not None:
            following["detail"] = query.detail
        shown = [self.show_fields(ctx, row, fields) for row in rows]
        return listing.collection(
            ctx, "ports", rows, shown, page.limit, resource, fields, **following
        )

    def _fetch(
        self, ctx: Context, filters: Mapping[str, Any], project: str | None, page: Page
    ) -> list[Record]:
        node = self.node_ident or filters.get("node_uuid") or filters.get("node")
        group, address = filters.get("portgroup"), filters.get("address")
        shards, conductor_groups = filters.get("shard"), filters.get("conductor_groups")
        if sum(bool(choice) for choice in (node, group, shards)) > 1:
            raise errors.NotAuthorized("Operation not permitted.")
        if conductor_groups and (node or group or address):
            raise errors.Invalid(
                "Filtering by conductor_groups cannot be combined with node_ident, "
                "portgroup_ident, or node address filters."
            )
        if address and not (node or group):
            return PORTS.fetch_by_address(ctx.session, address, project)
        parent, columns = not (node or group), PORTS.table.c
        conditions = of_nodes(
            PORTS.table,
            node_id=find_any_node(ctx, node)["id"] if node and not group else None,
            shards=shards if parent else None,
            conductor_groups=conductor_groups if parent and not shards else None,
            project=project,
        )
        if group:
            conditions.append(columns.portgroup_id == find_portgroup(ctx, group)["id"])
        if text := filters.get("description_contains"):
            conditions.append(columns.description.like(f"%{text}%"))
        return PORTS.fetch(ctx.session, page, *conditions)

    def _node_of_new(self, ctx: Context, port: dict[str, Any]) -> Record:
        """Take the node out of a port to create, and leave its ``id`` there."""
        uuid, ident = port.pop("node_uuid", None), port.pop("node_ident", None)
        if ident:
            ctx.require(microversions.PORT_NODE_NAME)
        try:
            node = self.find_new_node(ctx, lambda: find_any_node(ctx, ident or uuid))
        except errors.NodeNotFound:
            raise errors.NodeNotFound(node=uuid).with_code(400) from None
        port["node_id"] = node["id"]
        return node


def _check_fields(ctx: Context, fields: list[str] | None) -> None:
    if fields is not None:
        ctx.require(microversions.FIELDS)
    _check_version(ctx, fields)


def _check_version(ctx: Context, fields: Container[str] | None) -> None:
    """Refuse fields that the request's version lacks.

    :param fields: names, or a port to create.
    :raises NotAcceptable: if one isn't known.
    """
    if fields is None:
        return
    for name, since in PORTS.fields.asked.items():
        if name in fields:
            ctx.require(since)
    link = (fields.get(_LINK) if isinstance(fields, dict) else None) or {}
    if _NETWORK_TYPE in fields or "network_type" in link:
        ctx.require(microversions.NETWORK_TYPE)
    if OVN_KEYS[0] in link and not _knows_ovn(ctx):
        raise errors.NotAcceptable()


def _check_patch(ctx: Context, operations: patches.Patch) -> None:
    """Raise NotAcceptable for a patch of fields that the request's version lacks."""
    touched = set()
    for name in _CHECKED_IN_PATCHES:
        path = f"/{name}"
        for operation in operations:
            removed = operation["op"] == "remove" and operation["path"].startswith(f"{path}/")
            if operation["path"] == path or removed:
                touched.add(name)
    _check_version(ctx, touched)


def _knows_ovn(ctx: Context) -> bool:
    return microversions.OVN_LINKS <= ctx.minor < microversions.OVN_LINKS_REMOVED


def _check_query(ctx: Context, query: ListQuery, filters: Mapping[str, Any]) -> None:
    _check_version(ctx, [query.sort_key])
    if filters.get("portgroup"):
        ctx.require(microversions.PORTGROUPS_OF_NODE)
    if filters.get("shard") is not None:
        ctx.require(microversions.SHARDS, microversions.NAMED)


def _check_node_name(ctx: Context, filters: Mapping[str, Any]) -> None:
    node = filters.get("node")
    if filters.get("node_uuid") or not node or is_uuid(node):
        return
    ctx.require(microversions.NODE_NAMES)


def _group_of_new_port(ctx: Context, node: Record, port: dict[str, Any]) -> Record | None:
    """Take the port group out of a port to create, and leave its ``id`` there."""
    uuid = port.pop("portgroup_uuid", None)
    if not uuid:
        return None
    group = _find_group(ctx, PORTGROUPS.get, uuid)
    if group["node_id"] != node["id"]:
        raise errors.Invalid("Port can not be added to a portgroup belonging to a different node.")
    port["portgroup_id"] = group["id"]
    return group


def _find_group(ctx: Context, find: Callable[..., Record], uuid: Any) -> Record:
    """Return the port group that a request names, refusing the request if there is none."""
    try:
        return find(ctx.session, uuid)
    except errors.NotFound as exc:
        raise exc.with_code(400) from None


def _check_physical_network(
    ctx: Context, patch: patches.Patch, network: str | None, group_id: int | None
) -> None:
    if not patches.begins_at(patch, "/physical_network"):
        return
    if network == "":
        raise errors.Invalid("A non-empty value is required when setting physical_network")
    if group_id is not None and ctx.minor >= microversions.PORTGROUP_PHYSICAL_NETWORK:
        raise errors.Invalid(
            "physical_network cannot be changed while the port belongs to a portgroup."
        )
