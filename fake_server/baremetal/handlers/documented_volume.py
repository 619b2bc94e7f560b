"""Volume resources as the document on volume connection information has them.

The released API filters nothing, knows no addresses ``detail``, takes any text and wants a boot
index of every target; these controllers are the document's where that differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .. import arguments, listing, microversions
from ..handler import expose
from ..schemas import Schema, checked, object_schema
from . import volume_connectors, volume_targets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..context import Context

_CONNECTOR_TYPES = ("iqn", "ip", "mac", "wwnn", "wwpn", "net-id")
_LIST: dict[str, Any] = {
    "node": arguments.uuid_or_name,
    "marker": arguments.uuid,
    "limit": arguments.integer,
    "sort_key": arguments.string,
    "sort_dir": arguments.string,
    "fields": arguments.string_list,
    "detail": arguments.boolean,
}
_CONNECTOR_FILTERS: dict[str, Any] = {
    "type": arguments.string,
    "connector_id": arguments.string,
}
_TARGET_FILTERS: dict[str, Any] = {
    "volume_type": arguments.string,
    "volume_id": arguments.string,
    "boot_index": arguments.integer,
}


def _text(length: int) -> Schema:
    return {"type": "string", "maxLength": length}


def _with_filters(query: Schema, filters: Iterable[str]) -> Schema:
    added = {name: {"type": ["string", "integer"]} for name in filters}
    properties = {**query["properties"], **added}
    return {**query, "properties": properties}


_uuids = arguments.mapping(node_uuid=arguments.uuid, uuid=arguments.uuid)
_CONNECTOR = arguments.chain(
    checked(
        object_schema(
            {
                **volume_connectors.PROPERTIES,
                "connector_id": _text(255),
                "type": {"type": "string", "enum": list(_CONNECTOR_TYPES)},
            },
            *volume_connectors.REQUIRED,
        )
    ),
    _uuids,
)
_TARGET = arguments.chain(
    checked(
        object_schema(
            {
                **volume_targets.PROPERTIES,
                "boot_index": {"type": ["integer", "null"]},
                "volume_id": _text(36),
                "volume_type": _text(64),
            },
            *(name for name in volume_targets.REQUIRED if name != "boot_index"),
        )
    ),
    _uuids,
)


class DocumentedConnectorsController(volume_connectors.VolumeConnectorsController):
    """The volume connectors of all nodes or of one."""

    custom_actions: ClassVar = {"detail": ("GET",)}
    takes_names = True

    def validate(self, values: dict[str, Any]) -> None:
        """Check what a patch has made of a connector."""
        _CONNECTOR("patch", values)

    @expose(
        since=microversions.VOLUME,
        query=_with_filters(volume_connectors.LIST_QUERY, _CONNECTOR_FILTERS),
        **_LIST,
        **_CONNECTOR_FILTERS,
    )
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List connectors."""
        return self.list_items(ctx, **_as_arguments(query))

    @expose(
        since=microversions.VOLUME,
        query=_with_filters(volume_connectors.LIST_QUERY, _CONNECTOR_FILTERS),
        **_LIST,
        **_CONNECTOR_FILTERS,
    )
    def detail(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List connectors with all their fields."""
        listing.check_parent(ctx, "connectors")
        return self.list_items(ctx, **_as_arguments({**query, "detail": True}))

    @expose(201, since=microversions.VOLUME, body="connector", connector=_CONNECTOR)
    def post(self, ctx: Context, connector: dict[str, Any]) -> dict[str, Any]:
        """Create a connector."""
        return self.create_item(ctx, connector)


class DocumentedTargetsController(volume_targets.VolumeTargetsController):
    """The volume targets of all nodes or of one."""

    custom_actions: ClassVar = {"detail": ("GET",)}
    takes_names = True

    def validate(self, values: dict[str, Any]) -> None:
        """Check what a patch has made of a target."""
        _TARGET("patch", values)

    @expose(
        since=microversions.VOLUME,
        query=_with_filters(volume_targets.LIST_QUERY, _TARGET_FILTERS),
        **_LIST,
        **_TARGET_FILTERS,
    )
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List targets."""
        return self.list_items(ctx, **_as_arguments(query))

    @expose(
        since=microversions.VOLUME,
        query=_with_filters(volume_targets.LIST_QUERY, _TARGET_FILTERS),
        **_LIST,
        **_TARGET_FILTERS,
    )
    def detail(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List targets with all their fields."""
        listing.check_parent(ctx, "targets")
        return self.list_items(ctx, **_as_arguments({**query, "detail": True}))

    @expose(201, since=microversions.VOLUME, body="target", target=_TARGET)
    def post(self, ctx: Context, target: dict[str, Any]) -> dict[str, Any]:
        """Create a target."""
        return self.create_item(ctx, target)


def _as_arguments(query: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a list with the defaults of those that weren't given."""
    defaults = {**dict.fromkeys(_LIST), "sort_key": "id", "sort_dir": "asc"}
    return {**defaults, **query}
