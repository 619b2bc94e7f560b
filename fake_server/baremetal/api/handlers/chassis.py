"""``/v1/chassis``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import list_query, listing, patches
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.nodes import NodesController
from fake_server.baremetal.api.resources import PlainController, ResourceController
from fake_server.baremetal.arguments import UUID_TEXT, ArgumentChecker, checked
from fake_server.baremetal.models.chassis import CHASSIS
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.api.list_query import ListQuery
    from fake_server.db.store import Record

_PATH = ArgumentChecker(object_schema({"chassis_uuid": UUID_TEXT}, "chassis_uuid"))


class ChassisController(PlainController):
    """All chassis."""

    children: ClassVar = {"nodes": NodesController(of_chassis=True)}
    model = CHASSIS
    path = kind = "chassis"
    called: ClassVar = {"ident": "chassis_uuid", "values": "chassis"}
    ident = arguments.uuid
    cacheable = True
    converter = arguments.chain(checked(CHASSIS.fields.schema()), CHASSIS.fields.converter())
    page = ResourceController.page_by_marker

    @classmethod
    def names(cls) -> list[str]:
        """Return the fields that can be asked for."""
        return CHASSIS.fields.names("nodes")

    @expose(policy="chassis:get", action="GET", listed=list_query.PAGE)
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List chassis with all their fields."""
        listing.check_parent(ctx, "chassis")
        return self.list_page(ctx, query, None, "chassis/detail")

    @expose(policy="chassis:update", body="patch", ident=arguments.string, patch=patches.patch)
    def patch(self, ctx: Context, ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a chassis."""
        _PATH.whole({"chassis_uuid": ident})
        return super().patch(ctx, ident, patch)

    def find(self, ctx: Context, ident: str, action: str) -> Record:
        """Return the chassis with a UUID."""
        return CHASSIS.get_by_uuid(ctx.session, ident)

    def check_asked(self, ctx: Context, fields: list[str] | None, sort_key: str = "id") -> None:
        """Refuse to choose fields before they could be chosen."""
        if fields is not None:
            ctx.require(microversions.FIELDS)

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the links to its nodes, which Ironic wraps in one list more than others."""
        return {"nodes": [ctx.links("chassis", f"{row['uuid']}/nodes")]}
