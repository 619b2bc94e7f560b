"""``/v1/volume/connectors``, also below a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import list_query, patches
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.volume_items import VolumeItems
from fake_server.baremetal.api.list_query import ListArgument, ListQuery, expose_list
from fake_server.baremetal.models import volume
from fake_server.baremetal.schemas import DETAIL, checked, fields_schema
from fake_server.common.schemas import Schema, object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

_FIELDS = (
    "connector_id",
    "created_at",
    "extra",
    "links",
    "node_uuid",
    "type",
    "updated_at",
    "uuid",
)
PROPERTIES: Schema = {
    "connector_id": {"type": "string"},
    "extra": {"type": ["object", "null"]},
    "node_uuid": {"type": "string"},
    "type": {"type": "string"},
    "uuid": {"type": ["string", "null"]},
}
REQUIRED = ("connector_id", "node_uuid", "type")
_CONNECTOR = arguments.chain(
    checked(object_schema(PROPERTIES, *REQUIRED)),
    arguments.mapping(node_uuid=arguments.uuid, uuid=arguments.uuid),
)
LIST = {
    "node": list_query.NODE,
    **list_query.PAGE,
    **list_query.chosen(_FIELDS),
    "project": ListArgument(),
}
_SHOW_QUERY = object_schema({"detail": DETAIL, "fields": fields_schema(_FIELDS)})


class VolumeConnectorsController(VolumeItems):
    """The volume connectors of all nodes or of one."""

    model = volume.CONNECTORS
    resource = "volume/connectors"
    own_fields = ("connector_id", "extra", "type")
    default_fields = ("uuid", "node_uuid", "type", "connector_id")
    unsortable = ("extra",)
    patchable = ("connector_id", "extra", "node_uuid", "type")

    def list_key(self, ctx: Context) -> str:
        """Return the key of the list in an answer."""
        return ctx.session.dialect.connectors_key

    def validate(self, values: dict[str, Any]) -> None:
        """Check what a patch has made of an item."""
        _CONNECTOR("patch", values)

    @expose_list(LIST, cacheable=True, since=microversions.VOLUME)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List connectors."""
        return self.list_items(ctx, query)

    @expose(
        cacheable=True,
        since=microversions.VOLUME,
        query=_SHOW_QUERY,
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
