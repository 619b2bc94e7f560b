"""``/v1/portgroups``, also below a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.ports import PortsController
from fake_server.baremetal.api.list_query import ListArgument, ListQuery
from fake_server.baremetal.api.lookup import (
    check_inspection,
    check_parent_node,
    find_addressed_portgroup,
    find_any_node,
    names_node,
)
from fake_server.baremetal.api.resources import CREATION, NodeResourceController
from fake_server.baremetal.arguments import (
    SORT_DIRECTION,
    UUID_OR_NAME,
    UUID_TEXT,
    checked,
    fields_schema,
)
from fake_server.baremetal.conductor import port_changes
from fake_server.baremetal.errors import ApiError, Invalid, RoutingError
from fake_server.baremetal.models.model import of_nodes
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.models.portgroups import PORTGROUPS
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.api.routing import Found
    from fake_server.baremetal.models.paging import Page
    from fake_server.db.store import Record

_NAMES = PORTGROUPS.fields.names("ports")
_WORDS = ListArgument({"type": "array", "items": {"type": "string"}}, arguments.string_list)
_DETAILED: dict[str, ListArgument] = {
    "node": ListArgument(UUID_OR_NAME),
    "address": ListArgument({"type": "string", "format": "mac-address"}),
    "marker": ListArgument(UUID_TEXT),
    "limit": list_query.PAGE["limit"],
    "sort_key": ListArgument({"type": "string"}),
    "sort_dir": ListArgument(SORT_DIRECTION),
    "shard": _WORDS,
    "conductor_groups": _WORDS,
}
_LIST = {**_DETAILED, **list_query.chosen(_NAMES)}
_PORTGROUP = arguments.chain(checked(PORTGROUPS.fields.schema()), PORTGROUPS.fields.converter())
_SHOW_QUERY = object_schema({"fields": fields_schema(_NAMES)})


class PortgroupsController(NodeResourceController):
    """The port groups of all nodes or of one."""

    since = microversions.PORTGROUPS
    cacheable = True
    called: ClassVar = {"ident": "portgroup_ident", "values": "portgroup"}
    has_lookup = True
    model = PORTGROUPS
    path = "portgroups"
    converter = _PORTGROUP
    kind = "portgroup"
    get = PORTGROUPS.get

    @expose(policy="portgroup:list", listed=_LIST)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List port groups."""
        project = self._check_listing(ctx)
        _check_shard(ctx, query)
        _check_version(ctx, query.fields)
        _check_version(ctx, [query.sort_key])
        fields = query.choose_fields(ctx, PORTGROUPS.fields.listed)
        return self._list(ctx, query, project, "portgroups", fields)

    @expose(policy="portgroup:list", action="GET", listed=_DETAILED)
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List port groups with all their fields."""
        project = self._check_listing(ctx)
        _check_shard(ctx, query)
        _check_version(ctx, [query.sort_key])
        listing.check_parent(ctx, "portgroups")
        return self._list(ctx, query, project, "portgroups/detail", None)

    @expose(policy="portgroup:get", query=_SHOW_QUERY)
    def get_one(self, ctx: Context, ident: str, fields: list[str] | None = None) -> dict[str, Any]:
        """Show a port group."""
        self.find(ctx, ident, "get")
        _check_version(ctx, fields)
        found = find_addressed_portgroup(ctx, ident)
        return self.show_fields(ctx, found, fields)

    @CREATION
    def post(self, ctx: Context, values: dict[str, Any]) -> dict[str, Any]:
        """Create a port group."""
        uuid = values.pop("node_uuid")
        node = self.find_new_node(ctx, lambda: NODES.get_by_uuid(ctx.session, uuid))
        self.refuse_nested()
        if values.get("mode") or values.get("properties"):
            ctx.require(microversions.PORTGROUP_MODE)
        name = values.get("name")
        if name and not names_node(ctx, name):
            raise ApiError(f"Cannot create portgroup with invalid name '{name}'")
        if values.get("standalone_ports_supported", True) is None:
            raise Invalid("Field standalone_ports_supported can't be null: use true or false.")
        return self.created(ctx, PORTGROUPS.create(ctx.session, {**values, "node_id": node["id"]}))

    @expose(policy="portgroup:update", body="patch", patch=patches.patch)
    def patch(self, ctx: Context, ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a port group."""
        found = self.find(ctx, ident, "update")
        if patches.begins_at(patch, "/mode") or patches.begins_at(patch, "/properties"):
            ctx.require(microversions.PORTGROUP_MODE)
        patches.check_fields(ctx, patch, PORTGROUPS.fields.patchable)
        for name in patches.values(patch, "/name"):
            if name and not names_node(ctx, name):
                raise ApiError(f"Portgroup {ident}: Cannot change name to invalid name '{name}'")
        node = self.find_patched_node(ctx, found, patch)
        changes = self._changes(found, node, patch)
        check_inspection(ctx, node, f'portgroup "{found["uuid"]}" on node "{node["uuid"]}"')
        changed = port_changes.update_portgroup(ctx.session, node, found, changes)
        if patches.begins_at(patch, "/physical_network"):
            # As in Ironic, the first of several values counts.
            networks = patches.values(patch, "/physical_network")
            network = networks[0] if networks else None
            changed = PORTGROUPS.move(ctx.session, changed, network)
        return self.show(ctx, changed)

    @expose(204, policy="portgroup:delete")
    def delete(self, ctx: Context, ident: str) -> None:
        """Remove a port group."""
        found = self.find(ctx, ident, "delete")
        node = NODES.get_by_id(ctx.session, found["node_id"])
        port_changes.delete_portgroup(ctx.session, node, found)

    def lookup(self, ctx: Context, ident: str, *remainder: str) -> Found:
        """Find the controller of the ports of a group."""
        try:
            arguments.uuid_or_name("portgroup", ident)
        except Invalid as exc:
            raise RoutingError(400, str(exc)) from None
        if not remainder or remainder[0] != "ports":
            return None
        if ctx.minor < microversions.PORTGROUPS_OF_NODE:
            raise RoutingError(404)
        return PortsController(self.node_ident, ident), remainder[1:]

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the links to its ports."""
        return {"ports": ctx.links("portgroups", f"{row['uuid']}/ports")}

    def _check_listing(self, ctx: Context) -> str | None:
        """Return the project whose port groups are listed; none for all.

        A parent that isn't there is refused; only its UUID counts here.
        """
        if self.node_ident:
            check_parent_node(ctx, self.node_ident)
        return permissions.check_listing(ctx, "portgroup")

    def _list(
        self,
        ctx: Context,
        query: ListQuery,
        project: str | None,
        resource: str,
        fields: list[str] | None,
    ) -> dict[str, Any]:
        page = self.page_by_marker(ctx, query)
        rows = self._fetch(ctx, query.filters, project, page)
        # Lists show all fields in every version.
        return listing.answer(
            ctx, "portgroups", rows, self.show_all, page, fields, query.detail, resource=resource
        )

    def _fetch(
        self, ctx: Context, filters: Mapping[str, Any], project: str | None, page: Page
    ) -> list[Record]:
        node, address = self.node_ident or filters.get("node"), filters.get("address")
        shards, groups = filters.get("shard"), filters.get("conductor_groups")
        if sum(bool(choice) for choice in (node, address, shards, groups)) > 1:
            raise Invalid("Filtering by node, address, or shard simultaneously is not supported.")
        if address:
            return PORTGROUPS.fetch_by_address(ctx.session, address, project)
        conditions = of_nodes(
            PORTGROUPS.table,
            node_id=find_any_node(ctx, node)["id"] if node else None,
            shards=shards,
            conductor_groups=groups,
            project=project,
        )
        return PORTGROUPS.fetch(ctx.session, page, *conditions)

    def _changes(self, found: Record, node: Record, patch: patches.Patch) -> dict[str, Any]:
        """Return the columns that a patch changes, with their new values."""
        document = PORTGROUPS.document(found)
        patched = self.patched(document, node, patch)
        if "mode" not in patched:
            raise ApiError("'mode' is a mandatory attribute and can not be removed")
        settable = self.settable(patched)
        _PORTGROUP("patch", settable)
        if settable.get("standalone_ports_supported") is None:
            raise Invalid(
                "Field standalone_ports_supported can't be removed or null: use true or false."
            )
        changes = PORTGROUPS.changes(document, settable)
        return changes | self.moved(found, node)


def _check_version(ctx: Context, fields: Iterable[str] | None) -> None:
    for name in fields or ():
        ctx.require(PORTGROUPS.fields.asked.get(name, 1))


def _check_shard(ctx: Context, query: ListQuery) -> None:
    if query.filters.get("shard") is not None:
        ctx.require(microversions.PORTGROUP_SHARD, microversions.NAMED)
