"""``/v3/types``: kinds of volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import views
from fake_server.block_storage.models import types
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/types")
def list_types(ctx: BlockStorageContext) -> Response:
    """List all types."""
    return encode(
        200, {"volume_types": [views.volume_type(ctx, row) for row in types.fetch(ctx.tx)]}
    )


@ROUTES.add("GET", "/types/default")
def show_default(ctx: BlockStorageContext) -> Response:
    """Show the type of volumes that ask for none."""
    return show(ctx, types.DEFAULT)


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
    return encode(200, {"volume_type": views.volume_type(ctx, row)})


@ROUTES.add("GET", "/types/{ident}")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show a type."""
    return encode(200, {"volume_type": views.volume_type(ctx, types.find(ctx.tx, ident))})


@ROUTES.add("DELETE", "/types/{ident}")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove a type."""
    ctx.require_admin("volume_extension:type_delete")
    types.delete(ctx.tx, types.find(ctx.tx, ident))
    return Response(202)


@ROUTES.add("GET", "/types/{ident}/extra_specs")
def show_specs(ctx: BlockStorageContext, ident: str) -> Response:
    """Show the extra specs of a type."""
    return encode(200, {"extra_specs": types.find(ctx.tx, ident)["extra_specs"]})


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
    if key not in found["extra_specs"]:
        raise NotFound(f"Volume Type {ident} has no extra specs with key {key}.")
    left = {name: value for name, value in found["extra_specs"].items() if name != key}
    types.change_specs(ctx.tx, found, left)
    return Response(202)


def _specs(specs: Any) -> dict[str, str]:
    if not isinstance(specs, dict) or not all(isinstance(value, str) for value in specs.values()):
        raise BadRequest("Invalid input for field/attribute extra_specs: texts by name are needed.")
    return specs
