"""``/v1/portgroups``, also below a node."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

from .. import arguments, listing, microversions, patches, permissions, tables
from ..conductor import connectivity
from ..errors import (
    ApiError,
    Invalid,
    MalformedRequestURI,
    NodeNotFound,
    NotAcceptable,
    PortgroupNotFound,
    RoutingError,
)
from ..handler import expose
from ..models import belongings, nodes, portgroups
from ..routing import Controller
from ..schemas import (
    DETAIL,
    SORT_DIRECTION,
    UUID_OR_NAME,
    UUID_TEXT,
    checked,
    fields_schema,
    object_schema,
)
from .lookup import (
    check_inspection,
    check_parent_node,
    find_addressed_portgroup,
    find_any_node,
    find_linked_node,
    names_node,
)
from .ports import PortsController

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...store import Record
    from ..context import Context
    from ..models.paging import Page

_DEFAULT_FIELDS = ("uuid", "address", "name")
_UNSORTABLE = ("extra", "internal_info", "properties")
#: Fields that a patch may touch, in the order in which errors name them.
_PATCHABLE = (
    "address",
    "extra",
    "mode",
    "name",
    "node_uuid",
    "properties",
    "standalone_ports_supported",
    "physical_network",
    "category",
)
#: Minor version that introduced a field, and that may ask for it.
_SINCE = {
    "mode": 26,
    "properties": 26,
    "dynamic_portgroup": 111,
}
#: Minor version that shows a field that others may ask for already.
_SHOWN_SINCE = {**_SINCE, "physical_network": 102, "category": 103}

_SCHEMA = object_schema(
    {
        "address": {"type": ["string", "null"]},
        "category": {"type": ["string", "null"], "maxLength": 80},
        "extra": {"type": ["object", "null"]},
        "mode": {"type": ["string", "null"]},
        "name": {"type": ["string", "null"]},
        "node_uuid": {"type": "string"},
        "physical_network": {"type": ["string", "null"], "maxLength": 64},
        "properties": {"type": ["object", "null"]},
        "standalone_ports_supported": {"type": ["string", "boolean", "null"]},
        "uuid": {"type": ["string", "null"]},
    },
    "node_uuid",
)
_SETTABLE: frozenset[str] = frozenset(_SCHEMA["properties"])
_PORTGROUP = arguments.chain(
    checked(_SCHEMA),
    arguments.mapping(
        address=arguments.mac_address,
        node_uuid=arguments.uuid,
        standalone_ports_supported=arguments.boolean,
        uuid=arguments.uuid,
    ),
)
_FIELDS_QUERY = {
    "fields": fields_schema(
        (
            "address",
            "category",
            "created_at",
            "dynamic_portgroup",
            "extra",
            "internal_info",
            "links",
            "mode",
            "name",
            "node_uuid",
            "physical_network",
            "ports",
            "properties",
            "standalone_ports_supported",
            "updated_at",
            "uuid",
        )
    )
}
_WORDS = {"type": "array", "items": {"type": "string"}}
_LIST_QUERY = object_schema(
    {
        "address": {"type": "string", "format": "mac-address"},
        "conductor_groups": _WORDS,
        "detail": DETAIL,
        **_FIELDS_QUERY,
        "limit": {"type": "integer"},
        "marker": UUID_TEXT,
        "node": UUID_OR_NAME,
        "shard": _WORDS,
        "sort_dir": SORT_DIRECTION,
        "sort_key": {"type": "string"},
    }
)


_COMMON: dict[str, Any] = {
    "node": arguments.as_it_is,
    "address": arguments.as_it_is,
    "marker": arguments.as_it_is,
    "limit": arguments.integer,
    "sort_key": arguments.as_it_is,
    "sort_dir": arguments.as_it_is,
    "shard": arguments.string_list,
    "conductor_groups": arguments.string_list,
}


class PortgroupsController(Controller):
    """The port groups of all nodes or of one.

    :param node_ident: the node when it is addressed below one; then it only lists.
    """

    custom_actions: ClassVar = {"detail": ("GET",)}
    has_lookup = True

    def __init__(self, node_ident: str | None = None) -> None:
        self.node_ident = node_ident

    @expose(
        lasting=True,
        since=microversions.PORTGROUPS,
        query=_LIST_QUERY,
        **_COMMON,
        fields=arguments.string_list,
        detail=arguments.boolean,
    )
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List port groups."""
        query["project"] = self._check_listing(ctx)
        _check_shard(ctx, query)
        fields, detail = query.get("fields"), query.get("detail")
        _check_version(ctx, fields)
        _check_version(ctx, [query.get("sort_key", "id")])
        fields = listing.choose_fields(ctx, fields, detail, _DEFAULT_FIELDS)
        following = {} if detail is None else {"detail": detail}
        return self._list(ctx, query, "portgroups", fields, **following)

    @expose(lasting=True, since=microversions.PORTGROUPS, query=_LIST_QUERY, **_COMMON)
    def detail(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List port groups with all their fields."""
        query["project"] = self._check_listing(ctx)
        _check_shard(ctx, query)
        _check_version(ctx, [query.get("sort_key", "id")])
        listing.check_parent(ctx, "portgroups")
        return self._list(ctx, query, "portgroups/detail", None)

    @expose(
        lasting=True,
        since=microversions.PORTGROUPS,
        query=object_schema(_FIELDS_QUERY),
        fields=arguments.string_list,
    )
    def get_one(
        self, ctx: Context, portgroup_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a port group."""
        _find(ctx, portgroup_ident, "get")
        self._refuse_nested()
        _check_version(ctx, fields)
        found = find_addressed_portgroup(ctx, portgroup_ident)
        listing.check_known(fields or (), _show_all(ctx, found))
        return listing.only(_show(ctx, found), fields)

    @expose(201, since=microversions.PORTGROUPS, body="portgroup", portgroup=_PORTGROUP)
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
        return _show(ctx, created)

    @expose(since=microversions.PORTGROUPS, body="patch", patch=patches.patch)
    def patch(self, ctx: Context, portgroup_ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a port group."""
        found = _find(ctx, portgroup_ident, "update")
        self._refuse_nested()
        if ctx.minor < microversions.PORTGROUP_MODE and (
            patches.begins_at(patch, "/mode") or patches.begins_at(patch, "/properties")
        ):
            raise NotAcceptable()
        patches.check_fields(ctx, patch, _PATCHABLE)
        _check_names(ctx, portgroup_ident, patch)
        node = nodes.get_by_id(ctx.session, found["node_id"])
        asked = patches.values(patch, "/node_uuid")
        if asked:
            node = find_linked_node(ctx, asked[0], node["owner"], "node_uuid")
        changes = _changes(found, node, patch)
        check_inspection(ctx, node, f'portgroup "{found["uuid"]}" on node "{node["uuid"]}"')
        changed = connectivity.update_portgroup(ctx.session, node, found, changes)
        if patches.begins_at(patch, "/physical_network"):
            # As in Ironic, the first of several values counts.
            networks = patches.values(patch, "/physical_network")
            network = networks[0] if networks else None
            changed = portgroups.move(ctx.session, changed, network)
        return _show(ctx, changed)

    @expose(204, since=microversions.PORTGROUPS)
    def delete(self, ctx: Context, portgroup_ident: str) -> None:
        """Remove a port group."""
        found = _find(ctx, portgroup_ident, "delete")
        self._refuse_nested()
        node = nodes.get_by_id(ctx.session, found["node_id"])
        connectivity.delete_portgroup(ctx.session, node, found)

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
        query: dict[str, Any],
        resource: str,
        fields: list[str] | None,
        **following: Any,
    ) -> dict[str, Any]:
        sort_key, sort_dir = query.get("sort_key", "id"), query.get("sort_dir", "asc")
        page = listing.page(query.get("limit"), sort_key, sort_dir, ())
        if query.get("marker"):
            marker = portgroups.get_by_uuid(ctx.session, query["marker"])
            page = dataclasses.replace(page, marker=marker)
        listing.check_sortable(sort_key, _UNSORTABLE)
        rows = self._fetch(ctx, query, page)
        return listing.collection(
            ctx,
            "portgroups",
            rows,
            [listing.only(_show_all(ctx, row), fields) for row in rows],
            page.limit,
            resource,
            fields,
            sort_key=sort_key,
            sort_dir=sort_dir,
            **following,
        )

    def _fetch(self, ctx: Context, query: dict[str, Any], page: Page) -> list[Record]:
        node, address = self.node_ident or query.get("node"), query.get("address")
        shards, groups = query.get("shard"), query.get("conductor_groups")
        if sum(bool(choice) for choice in (node, address, shards, groups)) > 1:
            raise Invalid("Filtering by node, address, or shard simultaneously is not supported.")
        if node:
            node_id = find_any_node(ctx, node)["id"]
            return portgroups.fetch(ctx.session, page, node_id=node_id, project=query["project"])
        if address:
            return portgroups.fetch_by_address(ctx.session, address, query["project"])
        return portgroups.fetch(
            ctx.session, page, shards=shards, conductor_groups=groups, project=query["project"]
        )


def _find(ctx: Context, ident: str, action: str) -> Record:
    """Return the port group that a request names, if the caller may do that to it."""
    found = portgroups.get(ctx.session, ident)
    missing = PortgroupNotFound(portgroup=ident)
    permissions.check_belonging(ctx, f"baremetal:portgroup:{action}", found, missing)
    return found


def _changes(found: Record, node: Record, patch: patches.Patch) -> dict[str, Any]:
    """Return the columns that a patch changes, with their new values."""
    document = belongings.as_document(tables.portgroups, found)
    del document["node_id"]
    document["node_uuid"] = found["node_uuid"]
    patched = patches.apply(document, patch)
    patched["node_uuid"] = node["uuid"]
    if "mode" not in patched:
        raise ApiError("'mode' is a mandatory attribute and can not be removed")
    settable = {name: patched[name] for name in patched if name in _SETTABLE}
    _PORTGROUP("patch", settable)
    if settable.get("standalone_ports_supported") is None:
        raise Invalid(
            "Field standalone_ports_supported can't be removed or null: use true or false."
        )
    names = _SETTABLE - {"node_uuid"}
    changes = belongings.changes(tables.portgroups, document, settable, names)
    if node["id"] != found["node_id"]:
        changes["node_id"] = node["id"]
    return changes


def _check_names(ctx: Context, ident: str, patch: patches.Patch) -> None:
    for name in patches.values(patch, "/name"):
        if name and not names_node(ctx, name):
            raise ApiError(f"Portgroup {ident}: Cannot change name to invalid name '{name}'")


def _check_shard(ctx: Context, query: dict[str, Any]) -> None:
    if query.get("shard") is not None:
        microversions.require(ctx.minor, microversions.PORTGROUP_SHARD)


def _check_version(ctx: Context, fields: Iterable[str] | None) -> None:
    if any(ctx.minor < _SINCE.get(name, 1) for name in fields or ()):
        raise NotAcceptable()


def _show(ctx: Context, row: Record) -> dict[str, Any]:
    """Return what the request's version shows of a port group."""
    shown = _show_all(ctx, row)
    return {name: shown[name] for name in shown if _SHOWN_SINCE.get(name, 1) <= ctx.minor}


def _show_all(ctx: Context, row: Record) -> dict[str, Any]:
    """Return all fields of a port group; lists show them whatever the version."""
    uuid = row["uuid"]
    return {
        "uuid": uuid,
        "created_at": listing.timestamp(row["created_at"]),
        "updated_at": listing.timestamp(row["updated_at"]),
        "address": row["address"],
        "extra": row["extra"] or {},
        "internal_info": row["internal_info"] or {},
        "mode": row["mode"],
        "name": row["name"],
        "properties": row["properties"] or {},
        "standalone_ports_supported": row["standalone_ports_supported"],
        "node_uuid": row["node_uuid"],
        "physical_network": row["physical_network"],
        "category": row["category"],
        "dynamic_portgroup": row["dynamic_portgroup"],
        "links": ctx.links("portgroups", uuid),
        "ports": ctx.links("portgroups", f"{uuid}/ports"),
    }
