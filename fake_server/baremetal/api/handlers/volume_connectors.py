"""``/v1/volume/connectors``, also below a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import patches
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import volume_items
from fake_server.baremetal.api.list_query import ListQuery, expose_list
from fake_server.baremetal.models import volume
from fake_server.baremetal.resource_fields import VOLUME_CONNECTORS

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

_CONNECTOR = volume_items.converter(VOLUME_CONNECTORS)
LIST = volume_items.list_arguments(VOLUME_CONNECTORS)


class VolumeConnectorsController(volume_items.VolumeItems):
    """The volume connectors of all nodes or of one."""

    model = volume.CONNECTORS
    plural = "connectors"
    fields = VOLUME_CONNECTORS
    converter = _CONNECTOR

    @expose_list(LIST, cacheable=True, since=microversions.VOLUME)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List connectors."""
        return self.list_items(ctx, query)

    @expose(
        cacheable=True,
        since=microversions.VOLUME,
        query=volume_items.show_query(VOLUME_CONNECTORS),
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
