"""``/v1/chassis``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions, tables
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.nodes import NodesController
from fake_server.baremetal.api.list_query import ListQuery, expose_list
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.errors import NotAcceptable
from fake_server.baremetal.models import chassis as chassis_model
from fake_server.baremetal.models import node_resources
from fake_server.baremetal.resource_fields import CHASSIS
from fake_server.baremetal.schemas import UUID_TEXT, ArgumentChecker, checked, fields_schema
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_FIELDS = CHASSIS.names("nodes")
_CHASSIS = arguments.chain(checked(CHASSIS.schema()), CHASSIS.converter())
_FIELDS_QUERY = {"fields": fields_schema(_FIELDS)}
_PATH = ArgumentChecker(object_schema({"chassis_uuid": UUID_TEXT}, "chassis_uuid"))


class ChassisController(Controller):
    """All chassis."""

    custom_actions: ClassVar = {"detail": ("GET",)}
    children: ClassVar = {"nodes": NodesController(of_chassis=True)}

    @expose_list({**list_query.PAGE, **list_query.chosen(_FIELDS)}, cacheable=True)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List chassis."""
        permissions.check(ctx, "baremetal:chassis:get")
        _check_fields_allowed(ctx, query.fields)
        fields = query.choose_fields(ctx, CHASSIS.listed)
        return _list(ctx, query, "chassis", fields)

    @expose_list(list_query.PAGE, cacheable=True)
    def detail(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List chassis with all their fields."""
        permissions.check(ctx, "baremetal:chassis:get")
        listing.check_parent(ctx, "chassis")
        return _list(ctx, query, "chassis/detail", None)

    @expose(
        cacheable=True,
        query=object_schema(_FIELDS_QUERY),
        chassis_uuid=arguments.uuid,
        fields=arguments.string_list,
    )
    def get_one(
        self, ctx: Context, chassis_uuid: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a chassis."""
        permissions.check(ctx, "baremetal:chassis:get")
        _check_fields_allowed(ctx, fields)
        return listing.chosen(_show(ctx, chassis_model.get(ctx.session, chassis_uuid)), fields)

    @expose(201, body="chassis", chassis=_CHASSIS)
    def post(self, ctx: Context, chassis: dict[str, Any]) -> dict[str, Any]:
        """Create a chassis."""
        permissions.check(ctx, "baremetal:chassis:create")
        created = chassis_model.create(ctx.session, chassis)
        ctx.location = ctx.link("chassis", created["uuid"])
        return _show(ctx, created)

    @expose(body="patch", chassis_uuid=arguments.string, patch=patches.patch)
    def patch(self, ctx: Context, chassis_uuid: str, patch: patches.Patch) -> dict[str, Any]:
        """Change a chassis."""
        _PATH.whole({"chassis_uuid": chassis_uuid})
        permissions.check(ctx, "baremetal:chassis:update")
        patches.check_fields(ctx, patch, CHASSIS.patchable)
        found = chassis_model.get(ctx.session, chassis_uuid)
        document = node_resources.as_document(tables.chassis, found)
        patched = patches.apply(document, patch)
        settable = {name: patched[name] for name in CHASSIS.settable if name in patched}
        _CHASSIS("patch", settable)
        changes = node_resources.changes(tables.chassis, document, settable, CHASSIS.changeable)
        return _show(ctx, chassis_model.update(ctx.session, found, changes))

    @expose(204, chassis_uuid=arguments.uuid)
    def delete(self, ctx: Context, chassis_uuid: str) -> None:
        """Remove a chassis."""
        permissions.check(ctx, "baremetal:chassis:delete")
        chassis_model.delete(ctx.session, chassis_model.get(ctx.session, chassis_uuid))


def _list(
    ctx: Context, query: ListQuery, resource: str, fields: list[str] | None
) -> dict[str, Any]:
    page = query.page(partial(chassis_model.get, ctx.session))
    listing.check_sortable(page.sort_key, CHASSIS.unsortable)
    rows = chassis_model.fetch(ctx.session, page)
    return listing.answer(
        ctx, "chassis", rows, _show, page, fields, query.detail, resource=resource
    )


def _show(ctx: Context, found: Record) -> dict[str, Any]:
    uuid = found["uuid"]
    return {
        **listing.identity(found),
        **CHASSIS.shown(found),
        "links": ctx.links("chassis", uuid),
        # Ironic wraps these links in one list more than others.
        "nodes": [ctx.links("chassis", f"{uuid}/nodes")],
    }


def _check_fields_allowed(ctx: Context, fields: list[str] | None) -> None:
    if fields is not None and ctx.minor < microversions.FIELDS:
        raise NotAcceptable()
