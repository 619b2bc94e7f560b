"""``/v1/volume/targets``, also below a node."""

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
    "boot_index",
    "created_at",
    "extra",
    "links",
    "node_uuid",
    "properties",
    "updated_at",
    "uuid",
    "volume_id",
    "volume_type",
)
PROPERTIES: Schema = {
    "boot_index": {"type": "integer"},
    "extra": {"type": ["object", "null"]},
    "node_uuid": {"type": "string"},
    "properties": {"type": ["object", "null"]},
    "volume_id": {"type": "string"},
    "volume_type": {"type": "string"},
    "uuid": {"type": ["string", "null"]},
}
REQUIRED = ("boot_index", "node_uuid", "volume_id", "volume_type")
_TARGET = arguments.chain(
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


class VolumeTargetsController(VolumeItems):
    """The volume targets of all nodes or of one."""

    model = volume.TARGETS
    resource = "volume/targets"
    own_fields = ("boot_index", "extra", "properties", "volume_id", "volume_type")
    default_fields = ("uuid", "node_uuid", "volume_type", "boot_index", "volume_id")
    unsortable = ("extra", "properties")
    patchable = ("boot_index", "extra", "node_uuid", "properties", "volume_id", "volume_type")

    def list_key(self, ctx: Context) -> str:
        """Return the key of the list in an answer."""
        return ctx.session.dialect.targets_key

    def validate(self, values: dict[str, Any]) -> None:
        """Check what a patch has made of an item."""
        _TARGET("patch", values)

    @expose_list(LIST, cacheable=True, since=microversions.VOLUME)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List targets."""
        return self.list_items(ctx, query)

    @expose(
        cacheable=True,
        since=microversions.VOLUME,
        query=_SHOW_QUERY,
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
