"""``/v1/chassis``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.nodes import NodesController
from fake_server.baremetal.api.list_query import ListQuery, expose_list
from fake_server.baremetal.api.resources import ResourceController
from fake_server.baremetal.errors import NotAcceptable
from fake_server.baremetal.models.chassis import CHASSIS
from fake_server.baremetal.schemas import UUID_TEXT, ArgumentChecker, checked, fields_schema
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_FIELDS = CHASSIS.fields.names("nodes")
_CHASSIS = arguments.chain(checked(CHASSIS.fields.schema()), CHASSIS.fields.converter())
_PATH = ArgumentChecker(object_schema({"chassis_uuid": UUID_TEXT}, "chassis_uuid"))


class ChassisController(ResourceController):
    """All chassis."""

    custom_actions: ClassVar = {"detail": ("GET",)}
    children: ClassVar = {"nodes": NodesController(of_chassis=True)}
    model = CHASSIS
    path = "chassis"
    converter = _CHASSIS

    @expose_list({**list_query.PAGE, **list_query.chosen(_FIELDS)}, cacheable=True)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List chassis."""
        permissions.check(ctx, "baremetal:chassis:get")
        _check_fields_allowed(ctx, query.fields)
        fields = query.choose_fields(ctx, CHASSIS.fields.listed)
        return self._list(ctx, query, "chassis", fields)

    @expose_list(list_query.PAGE, cacheable=True)
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List chassis with all their fields."""
        permissions.check(ctx, "baremetal:chassis:get")
        listing.check_parent(ctx, "chassis")
        return self._list(ctx, query, "chassis/detail", None)

    @expose(
        cacheable=True,
        query=object_schema({"fields": fields_schema(_FIELDS)}),
        chassis_uuid=arguments.uuid,
        fields=arguments.string_list,
    )
    def get_one(
        self, ctx: Context, chassis_uuid: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a chassis."""
        permissions.check(ctx, "baremetal:chassis:get")
        _check_fields_allowed(ctx, fields)
        return self.show_fields(ctx, CHASSIS.get_by_uuid(ctx.session, chassis_uuid), fields)

    @expose(201, body="chassis", chassis=_CHASSIS)
    def post(self, ctx: Context, chassis: dict[str, Any]) -> dict[str, Any]:
        """Create a chassis."""
        permissions.check(ctx, "baremetal:chassis:create")
        return self.created(ctx, CHASSIS.create(ctx.session, chassis))

    @expose(body="patch", chassis_uuid=arguments.string, patch=patches.patch)
    def patch(self, ctx: Context, chassis_uuid: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a chassis."""
        _PATH.whole({"chassis_uuid": chassis_uuid})
        permissions.check(ctx, "baremetal:chassis:update")
        patches.check_fields(ctx, patch, CHASSIS.fields.patchable)
        found = CHASSIS.get_by_uuid(ctx.session, chassis_uuid)
        document = CHASSIS.document(found)
        changes = self.changes(document, self.settable(patches.apply(document, patch)))
        return self.show(ctx, CHASSIS.update(ctx.session, found, changes))

    @expose(204, chassis_uuid=arguments.uuid)
    def delete(self, ctx: Context, chassis_uuid: str) -> None:
        """Remove a chassis."""
        permissions.check(ctx, "baremetal:chassis:delete")
        CHASSIS.delete(ctx.session, CHASSIS.get_by_uuid(ctx.session, chassis_uuid))

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the links to its nodes, which Ironic wraps in one list more than others."""
        return {"nodes": [ctx.links("chassis", f"{row['uuid']}/nodes")]}

    def _list(
        self, ctx: Context, query: ListQuery, resource: str, fields: list[str] | None
    ) -> dict[str, Any]:
        page = self.page_by_marker(ctx, query)
        rows = CHASSIS.fetch(ctx.session, page)
        return listing.answer(
            ctx, "chassis", rows, self.show, page, fields, query.detail, resource=resource
        )


def _check_fields_allowed(ctx: Context, fields: list[str] | None) -> None:
    if fields is not None and ctx.minor < microversions.FIELDS:
        raise NotAcceptable()
