"""``/v1/portgroups``, also below a node."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions, tables
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import portgroup_fields
from fake_server.baremetal.api.handlers.ports import PortsController
from fake_server.baremetal.api.list_query import ListArgument, ListQuery, expose_list
from fake_server.baremetal.api.lookup import (
    check_inspection,
    check_parent_node,
    find_addressed_portgroup,
    find_any_node,
    find_linked_node,
    names_node,
)
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.conductor import port_changes
from fake_server.baremetal.errors import (
    ApiError,
    Invalid,
    MalformedRequestURI,
    NodeNotFound,
    NotAcceptable,
    PortgroupNotFound,
    RoutingError,
)
from fake_server.baremetal.models import node_resources, nodes, portgroups
from fake_server.baremetal.resource_fields import PORTGROUPS
from fake_server.baremetal.schemas import SORT_DIRECTION, UUID_OR_NAME, UUID_TEXT, fields_schema
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.models.paging import Page
    from fake_server.db.store import Record

_NAMES = PORTGROUPS.names("ports")
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
_SHOW_QUERY = object_schema({"fields": fields_schema(_NAMES)})


class PortgroupsController(Controller):
    """The port groups of all nodes or of one.

    :param node_ident: the node when it is addressed below one; then it only lists.
    """

    custom_actions: ClassVar = {"detail": ("GET",)}
    has_lookup = True

    def __init__(self, node_ident: str | None = None) -> None:
        self.node_ident = node_ident

    @expose_list(_LIST, cacheable=True, since=microversions.PORTGROUPS)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List port groups."""
        project = self._check_listing(ctx)
        _check_shard(ctx, query)
        portgroup_fields.check_version(ctx, query.fields)
        portgroup_fields.check_version(ctx, [query.sort_key])
        fields = query.choose_fields(ctx, PORTGROUPS.listed)
        return self._list(ctx, query, project, "portgroups", fields)

    @expose_list(_DETAILED, cacheable=True, since=microversions.PORTGROUPS)
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List port groups with all their fields."""
        project = self._check_listing(ctx)
        _check_shard(ctx, query)
        portgroup_fields.check_version(ctx, [query.sort_key])
        listing.check_parent(ctx, "portgroups")
        return self._list(ctx, query, project, "portgroups/detail", None)

    @expose(
        cacheable=True,
        since=microversions.PORTGROUPS,
        query=_SHOW_QUERY,
        fields=arguments.string_list,
    )
    def get_one(
        self, ctx: Context, portgroup_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a port group."""
        _find(ctx, portgroup_ident, "get")
        self._refuse_nested()
        portgroup_fields.check_version(ctx, fields)
        found = find_addressed_portgroup(ctx, portgroup_ident)
        listing.check_known(fields or (), portgroup_fields.show_all(ctx, found))
        return listing.only(portgroup_fields.show(ctx, found), fields)

    @expose(
        201, since=microversions.PORTGROUPS, body="portgroup", portgroup=portgroup_fields.portgroup
    )
    def post(self, ctx: Context, portgroup: dict[str, Any]) -> dict[str, Any]:
        """Create a port group."""
        try:
            node = nodes.get_by_uuid(ctx.session, portgroup.pop("node_uuid"))
            permissions.check_addition(ctx, "baremetal:portgroup:create", node)
        except NodeNotFound as exc:
            permissions.check_addition(ctx, "baremetal:portgroup:create", None)
            exc.code = 400
            raise
        self._refuse_nested()
        if ctx.minor < microversions.PORTGROUP_MODE and (
            portgroup.get("mode") or portgroup.get("properties")
        ):
            raise NotAcceptable()
        name = portgroup.get("name")
        if name and not names_node(ctx, name):
            raise ApiError(f"Cannot create portgroup with invalid name '{name}'")
        if portgroup.get("standalone_ports_supported", True) is None:
            raise Invalid("Field standalone_ports_supported can't be null: use true or false.")
        created = portgroups.create(ctx.session, {**portgroup, "node_id": node["id"]})
        ctx.location = ctx.link("portgroups", created["uuid"])
        return portgroup_fields.show(ctx, created)

    @expose(since=microversions.PORTGROUPS, body="patch", patch=patches.patch)
    def patch(self, ctx: Context, portgroup_ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a port group."""
        found = _find(ctx, portgroup_ident, "update")
        self._refuse_nested()
        if ctx.minor < microversions.PORTGROUP_MODE and (
            patches.begins_at(patch, "/mode") or patches.begins_at(patch, "/properties")
        ):
            raise NotAcceptable()
        patches.check_fields(ctx, patch, PORTGROUPS.patchable)
        _check_names(ctx, portgroup_ident, patch)
        node = nodes.get_by_id(ctx.session, found["node_id"])
        asked = patches.values(patch, "/node_uuid")
        if asked:
            node = find_linked_node(ctx, asked[0], node["owner"], "node_uuid")
        changes = _changes(found, node, patch)
        check_inspection(ctx, node, f'portgroup "{found["uuid"]}" on node "{node["uuid"]}"')
        changed = port_changes.update_portgroup(ctx.session, node, found, changes)
        if patches.begins_at(patch, "/physical_network"):
            # As in Ironic, the first of several values counts.
            networks = patches.values(patch, "/physical_network")
            network = networks[0] if networks else None
            changed = portgroups.move(ctx.session, changed, network)
        return portgroup_fields.show(ctx, changed)

    @expose(204, since=microversions.PORTGROUPS)
    def delete(self, ctx: Context, portgroup_ident: str) -> None:
        """Remove a port group."""
        found = _find(ctx, portgroup_ident, "delete")
        self._refuse_nested()
        node = nodes.get_by_id(ctx.session, found["node_id"])
        port_changes.delete_portgroup(ctx.session, node, found)

    def lookup(
        self, ctx: Context, ident: str, *remainder: str
    ) -> tuple[Controller, Sequence[str]] | None:
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

    def _refuse_nested(self) -> None:
        if self.node_ident:
            raise MalformedRequestURI()

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
        page = query.page(partial(portgroups.get_by_uuid, ctx.session))
        listing.check_sortable(page.sort_key, PORTGROUPS.unsortable)
        rows = self._fetch(ctx, query.filters, project, page)
        show = portgroup_fields.show_all
        return listing.answer(
            ctx, "portgroups", rows, show, page, fields, query.detail, resource=resource
        )

    def _fetch(
        self, ctx: Context, filters: Mapping[str, Any], project: str | None, page: Page
    ) -> list[Record]:
        node, address = self.node_ident or filters.get("node"), filters.get("address")
        shards, groups = filters.get("shard"), filters.get("conductor_groups")
        if sum(bool(choice) for choice in (node, address, shards, groups)) > 1:
            raise Invalid("Filtering by node, address, or shard simultaneously is not supported.")
        if node:
            node_id = find_any_node(ctx, node)["id"]
            return portgroups.fetch(ctx.session, page, node_id=node_id, project=project)
        if address:
            return portgroups.fetch_by_address(ctx.session, address, project)
        return portgroups.fetch(
            ctx.session, page, shards=shards, conductor_groups=groups, project=project
        )


def _find(ctx: Context, ident: str, action: str) -> Record:
    """Return the port group that a request names, if the caller may do that to it."""
    found = portgroups.get(ctx.session, ident)
    missing = PortgroupNotFound(portgroup=ident)
    permissions.check_belonging(ctx, f"baremetal:portgroup:{action}", found, missing)
    return found


def _changes(found: Record, node: Record, patch: patches.Patch) -> dict[str, Any]:
    """Return the columns that a patch changes, with their new values."""
    document = node_resources.as_document(tables.portgroups, found)
    del document["node_id"]
    document["node_uuid"] = found["node_uuid"]
    patched = patches.apply(document, patch)
    patched["node_uuid"] = node["uuid"]
    if "mode" not in patched:
        raise ApiError("'mode' is a mandatory attribute and can not be removed")
    settable = {name: patched[name] for name in patched if name in PORTGROUPS.settable}
    portgroup_fields.portgroup("patch", settable)
    if settable.get("standalone_ports_supported") is None:
        raise Invalid(
            "Field standalone_ports_supported can't be removed or null: use true or false."
        )
    changes = node_resources.changes(tables.portgroups, document, settable, PORTGROUPS.changeable)
    if node["id"] != found["node_id"]:
        changes["node_id"] = node["id"]
    return changes


def _check_names(ctx: Context, ident: str, patch: patches.Patch) -> None:
    for name in patches.values(patch, "/name"):
        if name and not names_node(ctx, name):
            raise ApiError(f"Portgroup {ident}: Cannot change name to invalid name '{name}'")


def _check_shard(ctx: Context, query: ListQuery) -> None:
    if query.filters.get("shard") is not None:
        microversions.require(ctx.minor, microversions.PORTGROUP_SHARD)
