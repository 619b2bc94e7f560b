"""``/v1/volume/connectors`` and ``/v1/volume/targets``, also below a node."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.list_query import ListArgument, ListQuery, expose_list
from fake_server.baremetal.api.lookup import find_any_node, find_linked_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.errors import (
    Invalid,
    InvalidInput,
    InvalidParameterValue,
    MalformedRequestURI,
    NodeNotFound,
)
from fake_server.baremetal.models import node_resources, nodes, volume
from fake_server.baremetal.resource_fields import VOLUME_CONNECTORS, VOLUME_TARGETS
from fake_server.baremetal.schemas import DETAIL, checked, fields_schema
from fake_server.common import masking
from fake_server.common.formats import is_uuid
from fake_server.common.schemas import Schema, object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.fields import Fields
    from fake_server.baremetal.models.volume import VolumeModel
    from fake_server.db.store import Record


#: What is shown of a target's properties to who may not see them.
_REDACTED = {
    "redacted_contents": "** Value redacted: Requires permission "
    "baremetal:volume:view_target_properties access. Permission denied. **"
}


def converter(fields: Fields, schema: Schema | None = None) -> arguments.Converter:
    """Return what checks and converts an item, new or patched.

    :param schema: the schema of an item, if it differs from that of the fields.
    """
    return arguments.chain(checked(schema or fields.schema()), fields.converter())


def list_arguments(fields: Fields) -> dict[str, ListArgument]:
    """Return the arguments of a list of items."""
    shown = list_query.chosen(fields.names())
    return {"node": list_query.NODE, **list_query.PAGE, **shown, "project": ListArgument()}


def show_query(fields: Fields) -> Schema:
    """Return the schema of the arguments that show an item."""
    return object_schema({"detail": DETAIL, "fields": fields_schema(fields.names())})


class VolumeItems(Controller):
    """A list of volume resources, of all nodes or of one.

    :param node_ident: the node when it is addressed below one; then it is only a list.
    """

    model: ClassVar[VolumeModel]
    #: The last part of their address; the dialect has a key for lists of them.
    plural: ClassVar[str]
    fields: ClassVar[Fields]
    #: Checks what a patch has made of an item.
    converter: ClassVar[arguments.Converter]
    #: Whether lists below a node take its name, and their links to the next page remember it.
    takes_names: ClassVar[bool] = False

    def __init__(self, node_ident: str | None = None) -> None:
        self.node_ident = node_ident
        self.resource = f"volume/{self.plural}"

    def show(self, ctx: Context, item: Record) -> dict[str, Any]:
        """Return all that the API shows of an item."""
        shown = {**listing.identity(item), **self.fields.shown(item)}
        if "properties" in shown:
            shown["properties"] = self._masked(ctx, shown["properties"])
        shown["links"] = ctx.links(self.resource, item["uuid"])
        return shown

    def list_items(self, ctx: Context, query: ListQuery, **filters: Any) -> dict[str, Any]:
        """Answer a list, of one node if ``node`` or the address names one.

        :param filters: values that columns must have; the next page has them, too.
        """
        session = ctx.session
        if self.node_ident is not None and not self.takes_names:
            parent = nodes.get_by_uuid(session, self.node_ident)
            permissions.check_visible(ctx, parent, self.node_ident)
        project = permissions.check_listing(ctx, "volume")
        fields, detail = query.fields, query.detail
        if fields is None and not detail:
            fields = list(self.fields.listed)
        if fields and detail:
            raise InvalidParameterValue("Can't fetch a subset of fields with 'detail' set")
        page = query.page(partial(self.model.get, session))
        listing.check_sortable(page.sort_key, self.fields.unsortable)
        ident = self.node_ident or query.filters.get("node")
        node_id = find_any_node(ctx, ident)["id"] if ident else None
        items = self.model.fetch(session, page, node_id, project, **filters)
        following: dict[str, Any] = {"sort_key": page.sort_key, "sort_dir": page.sort_dir}
        if detail:
            following["detail"] = detail
        if self.takes_names and ident:
            following["node"] = ident
        following |= filters
        return listing.collection(
            ctx,
            getattr(session.dialect, f"{self.plural}_key"),
            items,
            [listing.only(self.show(ctx, item), fields) for item in items],
            page.limit,
            self.resource,
            fields,
            **following,
        )

    def show_item(self, ctx: Context, uuid: str, fields: list[str] | None) -> dict[str, Any]:
        """Answer one item."""
        item = self._find(ctx, uuid, "get")
        self._refuse_nested()
        return listing.chosen(self.show(ctx, item), fields)

    def create_item(self, ctx: Context, values: dict[str, Any]) -> dict[str, Any]:
        """Create an item and answer it."""
        node_uuid = values.pop("node_uuid")
        try:
            node = nodes.get_by_uuid(ctx.session, node_uuid)
            permissions.check_addition(ctx, "baremetal:volume:create", node)
        except NodeNotFound:
            permissions.check_addition(ctx, "baremetal:volume:create", None)
            raise InvalidInput(fieldname="node_uuid", value=node_uuid) from None
        self._refuse_nested()
        item = self.model.create(ctx.session, node, values)
        ctx.location = ctx.link(self.resource, item["uuid"])
        return self.show(ctx, item)

    def patch_item(self, ctx: Context, uuid: str, operations: patches.Patch) -> dict[str, Any]:
        """Change an item and answer it."""
        item = self._find(ctx, uuid, "update")
        self._refuse_nested()
        patches.check_fields(ctx, operations, self.fields.patchable)
        node = self._patched_node(ctx, item, patches.values(operations, "/node_uuid"))
        document = node_resources.as_document(self.model.table, item)
        del document["node_id"]
        document["node_uuid"] = None
        patched = patches.apply(document, operations)
        patched["node_uuid"] = node["uuid"]
        settable = {name: patched[name] for name in self.fields.settable if name in patched}
        type(self).converter("patch", settable)
        changes = node_resources.changes(
            self.model.table, document, settable, self.fields.changeable
        )
        return self.show(ctx, self.model.update(ctx.session, item, node, changes))

    def delete_item(self, ctx: Context, uuid: str) -> None:
        """Remove an item."""
        item = self._find(ctx, uuid, "delete")
        self._refuse_nested()
        self.model.delete(ctx.session, item, nodes.get_by_id(ctx.session, item["node_id"]))

    def _find(self, ctx: Context, uuid: str, action: str) -> Record:
        """Return the item that a request names, if the caller may do that to it."""
        item = self.model.get(ctx.session, uuid)
        missing = self.model.missing(uuid)
        permissions.check_belonging(ctx, f"baremetal:volume:{action}", item, missing)
        return item

    def _masked(self, ctx: Context, properties: dict[str, Any]) -> dict[str, Any]:
        if not permissions.permits(ctx, "baremetal:volume:view_target_properties"):
            return dict(_REDACTED)
        if ctx.session.settings.show_volume_secrets:
            return properties
        masked = masking.mask(properties)
        for name in ctx.session.dialect.secret_properties:
            if name in masked:
                masked[name] = masking.MASK
        return masked

    def _refuse_nested(self) -> None:
        if self.node_ident is not None:
            raise MalformedRequestURI()

    def _patched_node(self, ctx: Context, item: Record, asked: list[Any]) -> Record:
        """Return the node that an item belongs to after a patch."""
        for value in asked:
            if not is_uuid(value):
                raise Invalid(f"Expected a UUID for node_uuid, but received {value}.")
        current = nodes.get_by_id(ctx.session, item["node_id"])
        if not asked:
            return current
        return find_linked_node(ctx, asked[0], current["owner"], "node_uuid")


_CONNECTOR = converter(VOLUME_CONNECTORS)
CONNECTORS_LIST = list_arguments(VOLUME_CONNECTORS)


class VolumeConnectorsController(VolumeItems):
    """The volume connectors of all nodes or of one."""

    model = volume.CONNECTORS
    plural = "connectors"
    fields = VOLUME_CONNECTORS
    converter = _CONNECTOR

    @expose_list(CONNECTORS_LIST, cacheable=True, since=microversions.VOLUME)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List connectors."""
        return self.list_items(ctx, query)

    @expose(
        cacheable=True,
        since=microversions.VOLUME,
        query=show_query(VOLUME_CONNECTORS),
        connector_uuid=arguments.uuid,
        fields=arguments.string_list,
    )
    def get_one(
        self, ctx: Context, connector_uuid: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a connector."""
        return self.show_item(ctx, connector_uuid, fields)

    @expose(201, since=microversions.VOLUME, body="connector", connector=_CONNECTOR)
    def post(self, ctx: Context, connector: dict[str, Any]) -> dict[str, Any]:
        """Create a connector."""
        return self.create_item(ctx, connector)

    @expose(
        since=microversions.VOLUME, body="patch", connector_uuid=arguments.uuid, patch=patches.patch
    )
    def patch(self, ctx: Context, connector_uuid: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a connector."""
        return self.patch_item(ctx, connector_uuid, patch)

    @expose(204, since=microversions.VOLUME, connector_uuid=arguments.uuid)
    def delete(self, ctx: Context, connector_uuid: str) -> None:
        """Remove a connector."""
        self.delete_item(ctx, connector_uuid)


_TARGET = converter(VOLUME_TARGETS)
TARGETS_LIST = list_arguments(VOLUME_TARGETS)


class VolumeTargetsController(VolumeItems):
    """The volume targets of all nodes or of one."""

    model = volume.TARGETS
    plural = "targets"
    fields = VOLUME_TARGETS
    converter = _TARGET

    @expose_list(TARGETS_LIST, cacheable=True, since=microversions.VOLUME)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List targets."""
        return self.list_items(ctx, query)

    @expose(
        cacheable=True,
        since=microversions.VOLUME,
        query=show_query(VOLUME_TARGETS),
        target_uuid=arguments.uuid,
        fields=arguments.string_list,
    )
    def get_one(
        self, ctx: Context, target_uuid: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a target."""
        return self.show_item(ctx, target_uuid, fields)

    @expose(201, since=microversions.VOLUME, body="target", target=_TARGET)
    def post(self, ctx: Context, target: dict[str, Any]) -> dict[str, Any]:
        """Create a target."""
        return self.create_item(ctx, target)

    @expose(
        since=microversions.VOLUME, body="patch", target_uuid=arguments.uuid, patch=patches.patch
    )
    def patch(self, ctx: Context, target_uuid: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a target."""
        return self.patch_item(ctx, target_uuid, patch)

    @expose(204, since=microversions.VOLUME, target_uuid=arguments.uuid)
    def delete(self, ctx: Context, target_uuid: str) -> None:
        """Remove a target."""
        self.delete_item(ctx, target_uuid)
