"""``/v1/volume/targets``, also below a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import patches
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import volume_items
from fake_server.baremetal.api.list_query import ListQuery, expose_list
from fake_server.baremetal.models import volume
from fake_server.baremetal.resource_fields import VOLUME_TARGETS

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

_TARGET = volume_items.converter(VOLUME_TARGETS)
LIST = volume_items.list_arguments(VOLUME_TARGETS)


class VolumeTargetsController(volume_items.VolumeItems):
    """The volume targets of all nodes or of one."""

    model = volume.TARGETS
    plural = "targets"
    fields = VOLUME_TARGETS
    converter = _TARGET

    @expose_list(LIST, cacheable=True, since=microversions.VOLUME)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List targets."""
        return self.list_items(ctx, query)

    @expose(
        cacheable=True,
        since=microversions.VOLUME,
        query=volume_items.show_query(VOLUME_TARGETS),
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
