"""``/v1/nodes/{node}/bios``, ``/firmware`` and ``/inventory``: what is known of the hardware."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.resources import NodeController
from fake_server.baremetal.arguments import DETAIL, NAME_TEXT, ArgumentChecker, fields_schema
from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.baremetal.fields import times
from fake_server.baremetal.models import hardware
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_BRIEF = ("name", "value")
REGISTRY = (
    "allowable_values",
    "attribute_type",
    "lower_bound",
    "max_length",
    "min_length",
    "read_only",
    "reset_required",
    "unique",
    "upper_bound",
)
#: Fields that may be chosen, in the order in which errors name them.
_SELECTABLE = (
    "allowable_values",
    "attribute_type",
    "created_at",
    "lower_bound",
    "links",
    "max_length",
    "min_length",
    "name",
    "node_uuid",
    "read_only",
    "reset_required",
    "unique",
    "updated_at",
    "value",
)
_NO_QUERY = ArgumentChecker(object_schema({}))
_BIOS_QUERY = ArgumentChecker(
    object_schema({"fields": fields_schema(_SELECTABLE), "detail": DETAIL})
)
_NAME = ArgumentChecker(object_schema({"setting_name": NAME_TEXT}, "setting_name"))
#: Fields of firmware components.
VERSIONS = ("component", "initial_version", "current_version", "last_version_flashed")
IDENTITY = ("vendor", "model", "serial_number")
_FIRMWARE_QUERY = object_schema(
    {
        "fields": fields_schema(("created_at", "updated_at", *VERSIONS, *IDENTITY)),
        "detail": {"type": "boolean"},
    }
)


class NodeBiosController(NodeController):
    """The BIOS settings of a node."""

    since = microversions.BIOS

    @expose(policy="node:bios:get", detail=arguments.boolean, fields=arguments.string_list)
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List the settings."""
        has_registry = ctx.minor >= microversions.BIOS_REGISTRY
        if query:
            (_BIOS_QUERY if has_registry else _NO_QUERY).whole(query)
        node = self.node(ctx)
        fields, detail = query.get("fields"), query.get("detail")
        if fields is not None and detail:
            raise InvalidParameterValue(
                "Can not specify ?detail=True and fields in the same request."
            )
        shown = (*_BRIEF, *REGISTRY) if detail else fields or _BRIEF
        found = hardware.bios_settings(ctx.session, node)
        return {"bios": [_show(ctx, self.node_ident, row, shown) for row in found]}

    @expose(policy="node:bios:get")
    def get_one(self, ctx: Context, setting_name: str, **_query: Any) -> dict[str, Any]:
        """Show one setting."""
        _NAME.whole({"setting_name": setting_name})
        if _query:
            _NO_QUERY.whole(_query)
        node = self.node(ctx)
        found = hardware.bios_setting(ctx.session, node, setting_name)
        detailed = ctx.minor >= microversions.BIOS_REGISTRY
        shown = (*_BRIEF, *REGISTRY) if detailed else _BRIEF
        return {setting_name: _show(ctx, node["uuid"], found, shown)}


class NodeFirmwareController(NodeController):
    """The firmware components of a node."""

    since = microversions.FIRMWARE

    @expose(
        policy="node:firmware:get",
        query=_FIRMWARE_QUERY,
        detail=arguments.as_it_is,
        fields=arguments.string_list,
    )
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List the components."""
        node = self.node(ctx)
        fields = query.get("fields")
        has_identity = ctx.minor >= microversions.FIRMWARE_IDENTITY
        if fields is not None and not has_identity and set(fields) & set(IDENTITY):
            refused = ", ".join(sorted(set(fields) & set(IDENTITY)))
            raise InvalidParameterValue(
                f"Fields {refused} are not allowed in this API version. They require at least API "
                f"version 1.{microversions.FIRMWARE_IDENTITY}."
            )
        shown = fields or ((*VERSIONS, *IDENTITY) if has_identity else VERSIONS)
        return {
            "firmware": [
                {
                    **{name: row[name] for name in shown},
                    **times(row),
                }
                for row in hardware.firmware(ctx.session, node)
            ]
        }


class NodeInventoryController(NodeController):
    """The inventory of a node."""

    @expose(policy="node:inventory:get")
    def get(self, ctx: Context) -> dict[str, Any]:
        """Show the inventory and what else the ramdisk reported."""
        found = hardware.inventory(ctx.session, self.node(ctx))
        return {"inventory": found["inventory_data"], "plugin_data": found["plugin_data"]}


def _show(ctx: Context, node: str, setting: Record, fields: Sequence[str]) -> dict[str, Any]:
    return {
        **{name: setting[name] for name in fields if name in setting},
        **times(setting),
        "links": ctx.links("nodes", f"{node}/bios/{setting['name']}"),
    }
