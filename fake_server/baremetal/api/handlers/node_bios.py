"""``/v1/nodes/{node}/bios``: BIOS settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import listing
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.baremetal.models import bios_settings
from fake_server.baremetal.schemas import DETAIL, NAME_TEXT, ArgumentChecker, fields_schema
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
_QUERY = ArgumentChecker(object_schema({"fields": fields_schema(_SELECTABLE), "detail": DETAIL}))
_NAME = ArgumentChecker(object_schema({"setting_name": NAME_TEXT}, "setting_name"))


class NodeBiosController(Controller):
    """The BIOS settings of a node."""

    def __init__(self, node_ident: str) -> None:
        self.node_ident = node_ident

    @expose(since=microversions.BIOS, detail=arguments.boolean, fields=arguments.string_list)
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List the settings."""
        has_registry = ctx.minor >= microversions.BIOS_REGISTRY
        if query:
            (_QUERY if has_registry else _NO_QUERY).whole(query)
        node = find_node(ctx, self.node_ident, "bios:get")
        fields, detail = query.get("fields"), query.get("detail")
        if fields is not None and detail:
            raise InvalidParameterValue(
                "Can not specify ?detail=True and fields in the same request."
            )
        shown = (*_BRIEF, *REGISTRY) if detail else fields or _BRIEF
        found = bios_settings.fetch(ctx.session, node)
        return {"bios": [_show(ctx, self.node_ident, row, shown) for row in found]}

    @expose(since=microversions.BIOS)
    def get_one(self, ctx: Context, setting_name: str, **_query: Any) -> dict[str, Any]:
        """Show one setting."""
        _NAME.whole({"setting_name": setting_name})
        if _query:
            _NO_QUERY.whole(_query)
        node = find_node(ctx, self.node_ident, "bios:get")
        found = bios_settings.get(ctx.session, node, setting_name)
        detailed = ctx.minor >= microversions.BIOS_REGISTRY
        shown = (*_BRIEF, *REGISTRY) if detailed else _BRIEF
        return {setting_name: _show(ctx, node["uuid"], found, shown)}


def _show(ctx: Context, node: str, setting: Record, fields: Sequence[str]) -> dict[str, Any]:
    return {
        **{name: setting[name] for name in fields if name in setting},
        **listing.times(setting),
        "links": ctx.links("nodes", f"{node}/bios/{setting['name']}"),
    }
