"""``/v1/ports``, also below nodes and port groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, errors, microversions
from fake_server.baremetal.api import (
    listing,
    local_links,
    patches,
    permissions,
    port_queries,
    port_versions,
)
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.local_links import OVN_KEYS
from fake_server.baremetal.api.lookup import check_inspection, check_parent_node, find_any_node
from fake_server.baremetal.api.port_versions import LINK
from fake_server.baremetal.api.resources import CHANGE, CREATION, NodeResourceController
from fake_server.baremetal.arguments import checked
from fake_server.baremetal.conductor import port_changes
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.models.portgroups import PORTGROUPS
from fake_server.baremetal.models.ports import PORTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.api.list_query import ListQuery
    from fake_server.db.store import Record

#: Fields that always have a value.
_NOT_NULL = ("pxe_enabled", "available_for_dynamic_portgroup")
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

    cacheable = True
    called: ClassVar = {"ident": "port_ident", "values": "port"}
    model = PORTS
    path = "ports"
    converter = _PORT
    kind = "port"
    get = PORTS.get

    def __init__(self, node_ident: str | None = None, portgroup_ident: str | None = None) -> None:
        super().__init__(node_ident)
        self.portgroup_ident = portgroup_ident

    @expose(policy="port:list", listed=port_queries.COMMON, checked=False)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List ports."""
        project, filters = self._check_listing(ctx), self._filters(query)
        port_versions.check_fields(ctx, query.fields)
        port_queries.check_query(ctx, query, filters)
        fields = query.choose_fields(ctx, PORTS.fields.listed)
        port_queries.check_node_name(ctx, filters)
        return self._list(ctx, query, filters, project, "ports", fields)

    @expose(policy="port:list", action="GET", listed=port_queries.OF_DETAIL, checked=False)
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List ports with all their fields."""
        project = self._check_listing(ctx)
        port_queries.check_query(ctx, query, query.filters)
        port_queries.check_node_name(ctx, query.filters)
        listing.check_parent(ctx, "ports")
        return self._list(ctx, query, self._filters(query), project, "ports/detail", None)

    @expose(policy="port:get", ident=arguments.uuid_or_name)
    def get_one(self, ctx: Context, ident: str, fields: list[str] | None = None) -> dict[str, Any]:
        """Show a port."""
        self.refuse_nested()
        found = self.find(ctx, ident, "get")
        port_versions.check_fields(ctx, fields)
        return self.show_fields(ctx, found, fields)

    @CREATION
    def post(self, ctx: Context, values: dict[str, Any]) -> dict[str, Any]:
        """Create a port."""
        self.refuse_nested()
        node = self._node_of_new(ctx, values)
        port_versions.check_version(ctx, values)
        group = _group_of_new_port(ctx, node, values)
        if values.get("is_smartnic") and not local_links.fits_smart_nic(values.get(LINK)):
            raise errors.Invalid(
                "Smart NIC port must have port_id and hostname in local_link_connection"
            )
        if values.get("physical_network") == "":
            raise errors.Invalid("A non-empty value is required when setting physical_network")
        if group and values.get("pxe_enabled") and not group["standalone_ports_supported"]:
            raise errors.Conflict(
                f"Port group {group['uuid']} doesn't support standalone ports. This port cannot "
                "be created as a member of that portgroup as the port's 'pxe_enabled' field was "
                "set to True."
            )
        # Ironic checks them only here, and fails.
        for name in _NOT_NULL:
            if values.get(name, True) is None:
                raise errors.Invalid(f"Field {name} can't be null: use true or false.")
        return self.created(ctx, port_changes.create_port(ctx.session, node, values))

    @CHANGE
    def patch(self, ctx: Context, ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a port."""
        self.refuse_nested()
        patches.check_fields(ctx, patch, PORTS.fields.patchable)
        port_versions.check_patch(ctx, patch)
        found = self.find(ctx, ident, "update")
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
        touched = (LINK,) if settable.get(LINK) is None else ()
        updated = port_changes.update_port(ctx.session, node, found, changes, touched)
        return self.show(ctx, updated)

    @expose(204, policy="port:delete", port_uuid=arguments.uuid)
    def delete(self, ctx: Context, port_uuid: str) -> None:
        """Remove a port."""
        self.refuse_nested()
        found = self.find(ctx, port_uuid, "delete")
        node = NODES.get_by_id(ctx.session, found["node_id"])
        port_changes.delete_port(ctx.session, node, found)

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the link to a switch, unless the version doesn't know its kind."""
        link = row[LINK] or {}
        unknown = any(key in link for key in OVN_KEYS) and not port_versions.knows_ovn(ctx)
        return {LINK: {} if unknown else link}

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
        if self.node_ident:
            filters = {**filters, "node_uuid": self.node_ident}
        found = port_queries.fetch(ctx, filters, project, page)
        rows = [row for row in found if row["node_uuid"] is not None]
        following: dict[str, Any] = {"sort_key": page.sort_key, "sort_dir": page.sort_dir}
        if query.detail is not None:
            following["detail"] = query.detail
        shown = [self.show_fields(ctx, row, fields) for row in rows]
        return listing.collection(
            ctx, "ports", rows, shown, page.limit, resource, fields, **following
        )

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
