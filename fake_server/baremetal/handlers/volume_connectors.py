"""``/v1/volume/connectors``, also below a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import arguments, microversions, patches
from ..handler import expose
from ..models import volume
from ..schemas import (
    DETAIL,
    SORT_DIRECTION,
    UUID_OR_NAME,
    UUID_TEXT,
    Schema,
    checked,
    fields_schema,
    object_schema,
)
from .volume_items import VolumeItems

if TYPE_CHECKING:
    from ..context import Context

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
LIST_QUERY = object_schema(
    {
        "detail": DETAIL,
        "fields": fields_schema(_FIELDS),
        "limit": {"type": "integer"},
        "marker": UUID_TEXT,
        "node": UUID_OR_NAME,
        "sort_dir": SORT_DIRECTION,
        "sort_key": {"type": "string"},
    }
)
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

    @expose(
        lasting=True,
        since=microversions.VOLUME,
        query=LIST_QUERY,
        node=arguments.uuid_or_name,
        marker=arguments.uuid,
        limit=arguments.integer,
        sort_key=arguments.string,
        sort_dir=arguments.string,
        fields=arguments.string_list,
        detail=arguments.boolean,
    )
    def get_all(
        self,
        ctx: Context,
        node: str | None = None,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str = "id",
        sort_dir: str = "asc",
        fields: list[str] | None = None,
        detail: bool | None = None,
        project: str | None = None,
    ) -> dict[str, Any]:
        """List connectors."""
        return self.list_items(ctx, node, marker, limit, sort_key, sort_dir, fields, detail)

    @expose(
        lasting=True,
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
        since=microversions.VOLUME,
        body="patch",
        connector_uuid=arguments.uuid,
        patch=patches.patch,
    )
    def patch(self, ctx: Context, connector_uuid: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a connector."""
        return self.patch_item(ctx, connector_uuid, patch)

    @expose(204, since=microversions.VOLUME, connector_uuid=arguments.uuid)
    def delete(self, ctx: Context, connector_uuid: str) -> None:
        """Remove a connector."""
        self.delete_item(ctx, connector_uuid)
