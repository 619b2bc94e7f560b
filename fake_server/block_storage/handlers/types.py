"""``/v3/types``: kinds of volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.block_storage import schemas, views
from fake_server.block_storage.models import projects, types
from fake_server.block_storage.models.filters import has
from fake_server.block_storage.policies import POLICIES
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_SPECS = "volume_extension:types_extra_specs"
_ACCESS = "volume_extension:volume_type_access"


@ROUTES.add("GET", "/types", "volume_extension:type_get_all")
def list_types(ctx: BlockStorageContext) -> Response:
    """List the types that a client sees; administrators choose whether private ones are shown."""
    ctx.require("volume_extension:type_get_all")
    rows = types.fetch(ctx.tx, ctx.visible_project)
    filters = ctx.filters("volume_type")
    asked = filters.get("is_public", "true")
    if ctx.caller is not None and ctx.is_admin and asked.lower() != "none":
        is_public = parse_boolean(asked)
        if is_public is None:
            raise BadRequest(f"Invalid is_public filter [{asked}]")
        rows = [row for row in rows if row["is_public"] == is_public]
    wanted = filters.get("extra_specs")
    rows = [row for row in rows if wanted is None or has(row["extra_specs"], wanted)]
    return ctx.listed(rows, "volume_types", lambda row: views.volume_type(ctx, row))


@ROUTES.add("GET", "/types/default", "volume_extension:type_get")
def show_default(ctx: BlockStorageContext) -> Response:
    """Show the type of volumes that ask for none."""
    ctx.require("volume_extension:type_get")
    row = types.named(ctx.tx, projects.default_type(ctx.tx, ctx.project_id))
    return encode(200, {"volume_type": views.volume_type(ctx, row, short=True)})


@ROUTES.add("POST", "/types", "volume_extension:type_create")
def create(ctx: BlockStorageContext) -> Response:
    """Create a type."""
    wanted = ctx.json(schemas.CREATE_TYPE)["volume_type"]
    ctx.require("volume_extension:type_create")
    row = types.create(
        ctx.tx,
        wanted["name"].strip(),
        description=wanted.get("description"),
        extra_specs=wanted.get("extra_specs") or {},
        is_public=parse_boolean(wanted.get("os-volume-type-access:is_public", True)),
    )
    return encode(200, {"volume_type": views.changed_volume_type(ctx, row)})


@ROUTES.add("GET", "/types/{ident}", "volume_extension:type_get")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show a type."""
    row = types.find(ctx.tx, ident, ctx.visible_project)
    ctx.require("volume_extension:type_get")
    return encode(200, {"volume_type": views.volume_type(ctx, row)})


@ROUTES.add("PUT", "/types/{ident}", "volume_extension:type_update")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Rename or describe a type, or make it public."""
    changes = ctx.json(schemas.UPDATE_TYPE)["volume_type"]
    ctx.require("volume_extension:type_update")
    if all(value is None for value in changes.values()):
        raise BadRequest(
            "Specify volume type name, description, is_public or a combination thereof."
        )
    if not (changes.get("name") or "x").strip():
        raise BadRequest("Volume type name can not be empty.")
    if "is_public" in changes:
        changes["is_public"] = parse_boolean(changes["is_public"])
    row = types.update(ctx.tx, types.find(ctx.tx, ident), changes)
    return encode(200, {"volume_type": views.changed_volume_type(ctx, row, short=True)})


@ROUTES.add("DELETE", "/types/{ident}", "volume_extension:type_delete")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove a type."""
    types.delete(ctx.tx, _found(ctx, ident, "volume_extension:type_delete"))
    return Response(202)


@ROUTES.add("GET", "/types/{ident}/extra_specs", f"{_SPECS}:index")
def show_specs(ctx: BlockStorageContext, ident: str) -> Response:
    """Show the extra specs of a type."""
    row = _found(ctx, ident, f"{_SPECS}:index")
    return encode(200, {"extra_specs": views.extra_specs(ctx, row)})


@ROUTES.add("POST", "/types/{ident}/extra_specs", f"{_SPECS}:create")
def add_specs(ctx: BlockStorageContext, ident: str) -> Response:
    """Add extra specs to a type."""
    added = ctx.json(schemas.EXTRA_SPECS)["extra_specs"]
    found = _found(ctx, ident, f"{_SPECS}:create")
    types.change_specs(ctx.tx, found, {**found["extra_specs"], **added})
    return encode(200, {"extra_specs": added})


@ROUTES.add("GET", "/types/{ident}/extra_specs/{key}", f"{_SPECS}:show")
def show_spec(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Show an extra spec of a type."""
    row = _found(ctx, ident, f"{_SPECS}:show")
    return encode(200, {key: _spec(ident, views.extra_specs(ctx, row), key)})


@ROUTES.add("PUT", "/types/{ident}/extra_specs/{key}", f"{_SPECS}:update")
def set_spec(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Set an extra spec of a type."""
    wanted = ctx.json(schemas.EXTRA_SPEC)
    found = _found(ctx, ident, f"{_SPECS}:update")
    if list(wanted) != [key]:
        raise BadRequest("Request body and URI mismatch")
    types.change_specs(ctx.tx, found, {**found["extra_specs"], **wanted})
    return encode(200, wanted)


@ROUTES.add("DELETE", "/types/{ident}/extra_specs/{key}", f"{_SPECS}:delete")
def remove_spec(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Remove an extra spec of a type."""
    found = _found(ctx, ident, f"{_SPECS}:delete")
    _spec(ident, found["extra_specs"], key)
    left = {name: value for name, value in found["extra_specs"].items() if name != key}
    types.change_specs(ctx.tx, found, left)
    return Response(202)


@ROUTES.add("GET", "/types/{ident}/os-volume-type-access", f"{_ACCESS}:get_all_for_type")
def list_access(ctx: BlockStorageContext, ident: str) -> Response:
    """List the projects that use a type which isn't public."""
    found = _found(ctx, ident, f"{_ACCESS}:get_all_for_type")
    rows = [
        {"volume_type_id": found["id"], "project_id": project}
        for project in types.projects_of(ctx.tx, found)
    ]
    return encode(200, {"volume_type_access": rows})


@ROUTES.add(
    "POST", "/types/{ident}/action", f"{_ACCESS}:addProjectAccess", f"{_ACCESS}:removeProjectAccess"
)
def act(ctx: BlockStorageContext, ident: str) -> Response:
    """Give a type to a project, or take it away."""
    name, details = ctx.action(schemas.TYPE_ACTIONS)
    change = types.give if name == "addProjectAccess" else types.take
    change(ctx.tx, _found(ctx, ident, f"{_ACCESS}:{name}"), details["project"])
    return Response(202)


def _found(ctx: BlockStorageContext, ident: str, policy: str) -> Record:
    ctx.require(policy)
    return types.find(ctx.tx, ident, ctx.visible_project)


def _spec(ident: str, specs: dict[str, str], key: str) -> str:
    if key not in specs:
        raise NotFound(f"Volume Type {ident} has no extra specs with key {key}.")
    return specs[key]
