"""``/v1/nodes/{node}/firmware``: firmware components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import listing
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.baremetal.models import firmware
from fake_server.baremetal.schemas import fields_schema
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

VERSIONS = ("component", "initial_version", "current_version", "last_version_flashed")
IDENTITY = ("vendor", "model", "serial_number")
_QUERY = object_schema(
    {
        "fields": fields_schema(("created_at", "updated_at", *VERSIONS, *IDENTITY)),
        "detail": {"type": "boolean"},
    }
)


class NodeFirmwareController(Controller):
    """The firmware components of a node."""

    def __init__(self, node_ident: str) -> None:
        self.node_ident = node_ident

    @expose(
        since=microversions.FIRMWARE,
        query=_QUERY,
        detail=arguments.as_it_is,
        fields=arguments.string_list,
    )
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List the components."""
        node = find_node(ctx, self.node_ident, "firmware:get")
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
                    **listing.times(row),
                }
                for row in firmware.fetch(ctx.session, node)
            ]
        }
