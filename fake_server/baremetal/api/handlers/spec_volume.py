"""Volume resources in dialect ``spec``, as in the specification *Volume connection information*.

The released API has no filters and no paths ``detail``, accepts any text and requires a boot
index of every target; these controllers are the document's where that differs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import listing
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import volume_items
from fake_server.baremetal.api.list_query import ListArgument, ListQuery, expose_list
from fake_server.baremetal.resource_fields import VOLUME_CONNECTORS, VOLUME_TARGETS

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.common.schemas import Schema

_CONNECTOR_TYPES = ("iqn", "ip", "mac", "wwnn", "wwpn", "net-id")
_FILTER = {"type": ["string", "integer"]}
_CONNECTORS = {
    **volume_items.CONNECTORS_LIST,
    "type": ListArgument(_FILTER, arguments.string),
    "connector_id": ListArgument(_FILTER, arguments.string),
}
_TARGETS = {
    **volume_items.TARGETS_LIST,
    "volume_type": ListArgument(_FILTER, arguments.string),
    "volume_id": ListArgument(_FILTER, arguments.string),
    "boot_index": ListArgument(_FILTER, arguments.integer),
}


def _text(length: int) -> Schema:
    return {"type": "string", "maxLength": length}


_CONNECTOR = volume_items.converter(
    VOLUME_CONNECTORS,
    VOLUME_CONNECTORS.schema(
        connector_id=_text(255), type={"type": "string", "enum": list(_CONNECTOR_TYPES)}
    ),
)
_TARGET = volume_items.converter(
    VOLUME_TARGETS,
    VOLUME_TARGETS.schema(
        boot_index={"type": ["integer", "null"]}, volume_id=_text(36), volume_type=_text(64)
    )
    | {"required": ["node_uuid", "volume_id", "volume_type"]},
)


class SpecConnectorsController(volume_items.VolumeConnectorsController):
    """The volume connectors of all nodes or of one."""

    custom_actions: ClassVar = {"detail": ("GET",)}
    takes_names = True
    converter = _CONNECTOR

    @expose_list(_CONNECTORS, since=microversions.VOLUME)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List connectors."""
        return self.list_items(ctx, query, **_filters(query))

    @expose_list(_CONNECTORS, since=microversions.VOLUME)
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List connectors with all their fields."""
        listing.check_parent(ctx, "connectors")
        return self.list_items(ctx, replace(query, detail=True), **_filters(query))

    @expose(201, since=microversions.VOLUME, body="connector", connector=_CONNECTOR)
    def post(self, ctx: Context, connector: dict[str, Any]) -> dict[str, Any]:
        """Create a connector."""
        return self.create_item(ctx, connector)


class SpecTargetsController(volume_items.VolumeTargetsController):
    """The volume targets of all nodes or of one."""

    custom_actions: ClassVar = {"detail": ("GET",)}
    takes_names = True
    converter = _TARGET

    @expose_list(_TARGETS, since=microversions.VOLUME)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List targets."""
        return self.list_items(ctx, query, **_filters(query))

    @expose_list(_TARGETS, since=microversions.VOLUME)
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List targets with all their fields."""
        listing.check_parent(ctx, "targets")
        return self.list_items(ctx, replace(query, detail=True), **_filters(query))

    @expose(201, since=microversions.VOLUME, body="target", target=_TARGET)
    def post(self, ctx: Context, target: dict[str, Any]) -> dict[str, Any]:
        """Create a target."""
        return self.create_item(ctx, target)


def _filters(query: ListQuery) -> dict[str, Any]:
    """Return the filters by columns that a query gives."""
    return {name: value for name, value in query.filters.items() if name != "node"}
