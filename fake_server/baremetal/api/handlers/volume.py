"""``/v1/volume``, also below a node: connectors, targets, and the links to both.

The controllers of dialect ``spec`` are those of the specification *Volume connection information*.
The released API has no filters and no paths ``detail``, accepts any text and requires a boot index
of every target.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, errors, microversions
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import PerClass, expose
from fake_server.baremetal.api.list_query import ListArgument, ListQuery
from fake_server.baremetal.api.lookup import find_any_node
from fake_server.baremetal.api.resources import CHANGE, CREATION, NodeResourceController
from fake_server.baremetal.api.routing import Controller, Found
from fake_server.baremetal.arguments import DETAIL, checked, fields_schema
from fake_server.baremetal.models import volume
from fake_server.baremetal.models.model import of_nodes
from fake_server.baremetal.models.nodes import NODES
from fake_server.common import masking
from fake_server.common.formats import is_uuid
from fake_server.common.schemas import Schema, object_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.fields import Fields
    from fake_server.baremetal.models.volume import VolumeModel
    from fake_server.db.store import Record

#: What is shown of a target's properties to who may not see them.
_REDACTED = {
    "redacted_contents": "** Value redacted: Requires permission "
    "baremetal:volume:view_target_properties access. Permission denied. **"
}


def _converter(fields: Fields, schema: Schema | None = None) -> arguments.Converter:
    """Return what checks and converts an item, new or patched.

    :param schema: the schema of an item, if it differs from that of the fields.
    """
    return arguments.chain(checked(schema or fields.schema()), fields.converter())


_CONNECTOR_TYPES = ("iqn", "ip", "mac", "wwnn", "wwpn", "net-id")
_FILTER = ListArgument({"type": ["string", "integer"]}, arguments.string)


def _text(length: int) -> Schema:
    return {"type": "string", "maxLength": length}


class VolumeItems(NodeResourceController):
    """A list of volume resources, of all nodes or of one."""

    kind = "volume"
    model: ClassVar[VolumeModel]
    #: The last part of their address; the dialect has a key for lists of them.
    plural: ClassVar[str]
    #: Arguments of lists that are columns.
    filters: ClassVar[Mapping[str, ListArgument]] = {}
    #: Whether lists below a node take its name, and their links to the next page remember it.
    takes_names: ClassVar[bool] = False
    since = microversions.VOLUME
    cacheable = True
    ident = arguments.uuid

    @classmethod
    def listed(cls) -> Mapping[str, ListArgument]:
        """Return the arguments of lists."""
        more = {"project": ListArgument(), **cls.filters}
        return {"node": list_query.NODE, **super().listed(), **more}

    @classmethod
    def shown_query(cls) -> Schema:
        """Return the schema of the query for a single item."""
        return object_schema({"detail": DETAIL, "fields": fields_schema(cls.names())})

    @expose(policy="volume:list", listed=PerClass(lambda cls: cls.listed()))
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List items, of one node if ``node`` or the address names one."""
        session = ctx.session
        if self.node_ident is not None and not self.takes_names:
            parent = NODES.get_by_uuid(session, self.node_ident)
            permissions.check_visible(ctx, parent, self.node_ident)
        project = permissions.check_listing(ctx, "volume")
        fields, detail = query.fields, query.detail
        if fields is None and not detail:
            fields = list(self.model.fields.listed)
        if fields and detail:
            raise errors.InvalidParameterValue("Can't fetch a subset of fields with 'detail' set")
        page = self.page_by_marker(ctx, query)
        ident = self.node_ident or query.filters.get("node")
        node_id = find_any_node(ctx, ident)["id"] if ident else None
        filters = {name: query.filters[name] for name in self.filters if name in query.filters}
        conditions = of_nodes(self.model.table, node_id=node_id, project=project)
        conditions += [self.model.table.c[name] == value for name, value in filters.items()]
        items = self.model.fetch(session, page, *conditions)
        following: dict[str, Any] = {"sort_key": page.sort_key, "sort_dir": page.sort_dir}
        if detail:
            following["detail"] = detail
        if self.takes_names and ident:
            following["node"] = ident
        return listing.collection(
            ctx,
            getattr(session.dialect, f"{self.plural}_key"),
            items,
            [listing.only(self.show(ctx, item), fields) for item in items],
            page.limit,
            self.path,
            fields,
            **following,
            **filters,
        )

    @CREATION
    def post(self, ctx: Context, values: dict[str, Any]) -> dict[str, Any]:
        """Create an item."""
        uuid = values.pop("node_uuid")
        try:
            node = self.find_new_node(ctx, lambda: NODES.get_by_uuid(ctx.session, uuid))
        except errors.NodeNotFound:
            raise errors.InvalidInput(fieldname="node_uuid", value=uuid) from None
        self.refuse_nested()
        row = self.model.create(ctx.session, {**values, "node_id": node["id"]})
        shown = self.created(ctx, row)
        # Who creates a target is shown its properties, whatever else it may see.
        return shown | ({"properties": _properties(ctx, row)} if "properties" in shown else {})

    @CHANGE
    def patch(self, ctx: Context, ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change an item."""
        item = self.find(ctx, ident, "update")
        patches.check_fields(ctx, patch, self.model.fields.patchable)
        for value in patches.values(patch, "/node_uuid"):
            if not is_uuid(value):
                raise errors.Invalid(f"Expected a UUID for node_uuid, but received {value}.")
        node = self.find_patched_node(ctx, item, patch)
        document = self.model.document(item)
        # As in Ironic, patches find no node in it.
        patched = self.patched({**document, "node_uuid": None}, node, patch)
        changes = self.changes(document, self.settable(patched))
        return self.show(ctx, self.model.move(ctx.session, item, node, changes))

    def delete(self, ctx: Context, ident: str) -> None:
        """Remove an item."""
        item = self.find(ctx, ident, "delete")
        self.model.remove(ctx.session, item, NODES.get_by_id(ctx.session, item["node_id"]))

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the properties of a target, as far as the caller may see them."""
        if "properties" not in row:
            return {}
        if not permissions.permits(ctx, "baremetal:volume:view_target_properties"):
            return {"properties": dict(_REDACTED)}
        return {"properties": _properties(ctx, row)}


class VolumeConnectorsController(VolumeItems):
    """The volume connectors of all nodes or of one."""

    model = volume.CONNECTORS
    get = volume.CONNECTORS.get_by_uuid
    plural = "connectors"
    path = "volume/connectors"
    called: ClassVar = {"ident": "connector_uuid", "values": "connector"}
    converter = _converter(volume.CONNECTORS.fields)


class VolumeTargetsController(VolumeItems):
    """The volume targets of all nodes or of one."""

    model = volume.TARGETS
    get = volume.TARGETS.get_by_uuid
    plural = "targets"
    path = "volume/targets"
    called: ClassVar = {"ident": "target_uuid", "values": "target"}
    converter = _converter(volume.TARGETS.fields)


class DocumentedItems(VolumeItems):
    """Those of the specification."""

    takes_names = True

    @expose(policy="volume:list", action="GET", listed=PerClass(lambda cls: cls.listed()))
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List items with all their fields."""
        listing.check_parent(ctx, self.plural)
        return self.get_all(ctx, replace(query, detail=True))


class SpecConnectorsController(DocumentedItems, VolumeConnectorsController):
    """The volume connectors of all nodes or of one."""

    filters: ClassVar = {"type": _FILTER, "connector_id": _FILTER}
    converter = _converter(
        volume.CONNECTORS.fields,
        volume.CONNECTORS.fields.schema(
            connector_id=_text(255), type={"type": "string", "enum": list(_CONNECTOR_TYPES)}
        ),
    )


class SpecTargetsController(DocumentedItems, VolumeTargetsController):
    """The volume targets of all nodes or of one."""

    filters: ClassVar = {
        "volume_type": _FILTER,
        "volume_id": _FILTER,
        "boot_index": _FILTER._replace(converter=arguments.integer),
    }
    converter = _converter(
        volume.TARGETS.fields,
        volume.TARGETS.fields.schema(
            boot_index={"type": ["integer", "null"]}, volume_id=_text(36), volume_type=_text(64)
        )
        | {"required": ["node_uuid", "volume_id", "volume_type"]},
    )


#: Controllers by dialect and segment.
_BELOW: dict[str, dict[str, type[VolumeItems]]] = {
    "released": {"connectors": VolumeConnectorsController, "targets": VolumeTargetsController},
    "documented": {"connectors": SpecConnectorsController, "targets": SpecTargetsController},
}


class VolumeController(Controller):
    """The root of volume resources.

    :param node_ident: the node it was addressed below.
    """

    has_lookup = True

    def __init__(self, node_ident: str | None = None) -> None:
        self.node_ident = node_ident

    @expose(policy="volume:get", since=microversions.VOLUME)
    def get(self, ctx: Context) -> dict[str, Any]:
        """Show the links."""
        permissions.check(ctx)
        resource, start = "volume", ""
        if self.node_ident is not None:
            resource, start = "nodes", f"{self.node_ident}/volume/"
        return {
            "links": ctx.links(resource, start),
            "connectors": ctx.links(resource, f"{start}connectors"),
            "targets": ctx.links(resource, f"{start}targets"),
        }

    def lookup(self, ctx: Context, ident: str, *remainder: str) -> Found:
        """Find the controller of connectors or targets."""
        if ctx.minor < microversions.VOLUME:
            raise errors.RoutingError(ctx.session.dialect.hidden_status)
        controller = _BELOW[ctx.session.dialect.volume_lists].get(ident)
        return (controller(self.node_ident), remainder) if controller else None


def _properties(ctx: Context, target: Record) -> dict[str, Any]:
    """Return the properties of a target, without what is secret."""
    properties: dict[str, Any] = target["properties"] or {}
    if ctx.session.settings.show_volume_secrets:
        return properties
    secret = dict.fromkeys(ctx.session.dialect.secret_properties, masking.MASK)
    hidden = {name: mask for name, mask in secret.items() if name in properties}
    return {**masking.mask(properties), **hidden}
