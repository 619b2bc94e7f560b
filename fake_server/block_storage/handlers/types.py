"""``/v3/types``: kinds of volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import views
from fake_server.block_storage.models import projects, types
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/types")
def list_types(ctx: BlockStorageContext) -> Response:
    """List all types."""
    return encode(
        200,
        {
            "volume_types": [
                views.volume_type(ctx, row) for row in types.fetch(ctx.tx, ctx.visible_project)
            ]
        },
    )


@ROUTES.add("GET", "/types/default")
def show_default(ctx: BlockStorageContext) -> Response:
    """Show the type of volumes that ask for none."""
    return show(ctx, projects.default_type(ctx.tx, ctx.project_id))


@ROUTES.add("POST", "/types")
def create(ctx: BlockStorageContext) -> Response:
    """Create a type."""
    ctx.require_admin("volume_extension:type_create")
    wanted = ctx.body("volume_type")
    name = ctx.text(wanted, "name", required=True) or ""
    if not name.strip():
        raise BadRequest("Invalid input for field/attribute name: it is empty.")
    row = types.create(
        ctx.tx,
        name,
        description=ctx.text(wanted, "description"),
        extra_specs=_specs(wanted.get("extra_specs") or {}),
        is_public=wanted.get("os-volume-type-access:is_public", True) is not False,
    )
    return encode(200, {"volume_type": views.new_volume_type(ctx, row)})


@ROUTES.add("GET", "/types/{ident}")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show a type."""
    return encode(200, {"volume_type": views.volume_type(ctx, _found(ctx, ident))})


@ROUTES.add("PUT", "/types/{ident}")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Rename or describe a type, or make it public."""
    ctx.require_admin("volume_extension:type_update")
    wanted = ctx.body("volume_type")
    changes: dict[str, Any] = {}
    for name in ("name", "description"):
        if name in wanted:
            changes[name] = ctx.text(wanted, name, required=name == "name")
    if "is_public" in wanted:
        changes["is_public"] = bool(parse_boolean(wanted["is_public"]))
    if not changes:
        raise BadRequest(
            "Specify volume type name, description, is_public or a combination thereof."
        )
    if not (changes.get("name") or "x").strip():
        raise BadRequest("Volume type name can not be empty.")
    row = types.update(ctx.tx, types.find(ctx.tx, ident), changes)
    shown = views.new_volume_type(ctx, row)
    del shown["os-volume-type-access:is_public"]
    return encode(200, {"volume_type": shown})


@ROUTES.add("DELETE", "/types/{ident}")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove a type."""
    ctx.require_admin("volume_extension:type_delete")
    types.delete(ctx.tx, types.find(ctx.tx, ident))
    return Response(202)


@ROUTES.add("GET", "/types/{ident}/extra_specs")
def show_specs(ctx: BlockStorageContext, ident: str) -> Response:
    """Show the extra specs of a type."""
    return encode(200, {"extra_specs": _found(ctx, ident)["extra_specs"]})


@ROUTES.add("GET", "/types/{ident}/extra_specs/{key}")
def show_spec(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Show an extra spec of a type."""
    specs = _found(ctx, ident)["extra_specs"]
    _check_spec(ident, specs, key)
    return encode(200, {key: specs[key]})


@ROUTES.add("PUT", "/types/{ident}/extra_specs/{key}")
def set_spec(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Set an extra spec of a type."""
    ctx.require_admin("volume_extension:types_extra_specs:update")
    found, wanted = types.find(ctx.tx, ident), _specs(decode(ctx.request))
    if list(wanted) != [key]:
        raise BadRequest("Request body and URI mismatch")
    types.change_specs(ctx.tx, found, {**found["extra_specs"], **wanted})
    return encode(200, wanted)


@ROUTES.add("GET", "/types/{ident}/os-volume-type-access")
def list_access(ctx: BlockStorageContext, ident: str) -> Response:
    """List the projects that use a type which isn't public."""
    ctx.require_admin("volume_extension:volume_type_access:get_all_for_type")
    found = types.find(ctx.tx, ident)
    rows = [
        {"volume_type_id": found["id"], "project_id": project}
        for project in types.projects_of(ctx.tx, found)
    ]
    return encode(200, {"volume_type_access": rows})


@ROUTES.add("POST", "/types/{ident}/action")
def act(ctx: BlockStorageContext, ident: str) -> Response:
    """Give a type to a project, or take it away."""
    ctx.require_admin("volume_extension:volume_type_access:addProjectAccess")
    found, body = types.find(ctx.tx, ident), decode(ctx.request)
    for name, change in (("addProjectAccess", types.give), ("removeProjectAccess", types.take)):
        if isinstance(body.get(name), dict):
            change(ctx.tx, found, ctx.text(body[name], "project", required=True) or "")
            return Response(202)
    raise BadRequest("There is no such action; there are: addProjectAccess, removeProjectAccess.")


@ROUTES.add("POST", "/types/{ident}/extra_specs")
def add_specs(ctx: BlockStorageContext, ident: str) -> Response:
    """Add extra specs to a type."""
    ctx.require_admin("volume_extension:types_extra_specs:create")
    found = types.find(ctx.tx, ident)
    added = _specs(ctx.body("extra_specs"))
    types.change_specs(ctx.tx, found, {**found["extra_specs"], **added})
    return encode(200, {"extra_specs": added})


@ROUTES.add("DELETE", "/types/{ident}/extra_specs/{key}")
def remove_spec(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Remove an extra spec of a type."""
    ctx.require_admin("volume_extension:types_extra_specs:delete")
    found = types.find(ctx.tx, ident)
    _check_spec(ident, found["extra_specs"], key)
    left = {name: value for name, value in found["extra_specs"].items() if name != key}
    types.change_specs(ctx.tx, found, left)
    return Response(202)


def _found(ctx: BlockStorageContext, ident: str) -> Record:
    return types.find(ctx.tx, ident, ctx.visible_project)


def _check_spec(ident: str, specs: dict[str, str], key: str) -> None:
    if key not in specs:
        raise NotFound(f"Volume Type {ident} has no extra specs with key {key}.")


def _specs(specs: Any) -> dict[str, str]:
    if not isinstance(specs, dict) or not all(isinstance(value, str) for value in specs.values()):
        raise BadRequest("Invalid input for field/attribute extra_specs: texts by name are needed.")
    return specs
