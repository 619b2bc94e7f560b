"""``/v3/types``: kinds of volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import views
from fake_server.block_storage.errors import BadRequest, NotFound
from fake_server.block_storage.models import types
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import Call, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/types")
def list_types(call: Call) -> Response:
    """List all types."""
    return encode(
        200, {"volume_types": [views.volume_type(call, row) for row in types.fetch(call.tx)]}
    )


@ROUTES.add("GET", "/types/default")
def show_default(call: Call) -> Response:
    """Show the type of volumes that ask for none."""
    return show(call, types.DEFAULT)


@ROUTES.add("POST", "/types")
def create(call: Call) -> Response:
    """Create a type."""
    call.require_admin("volume_extension:type_create")
    wanted = call.body("volume_type")
    name = call.text(wanted, "name", required=True) or ""
    if not name.strip():
        raise BadRequest("Invalid input for field/attribute name: it is empty.")
    row = types.create(
        call.tx,
        name,
        call.text(wanted, "description"),
        _specs(wanted.get("extra_specs") or {}),
        is_public=wanted.get("os-volume-type-access:is_public", True) is not False,
    )
    return encode(200, {"volume_type": views.volume_type(call, row)})


@ROUTES.add("GET", "/types/{ident}")
def show(call: Call, ident: str) -> Response:
    """Show a type."""
    return encode(200, {"volume_type": views.volume_type(call, types.find(call.tx, ident))})


@ROUTES.add("DELETE", "/types/{ident}")
def delete(call: Call, ident: str) -> Response:
    """Remove a type."""
    call.require_admin("volume_extension:type_delete")
    types.delete(call.tx, types.find(call.tx, ident))
    return Response(202)


@ROUTES.add("GET", "/types/{ident}/extra_specs")
def show_specs(call: Call, ident: str) -> Response:
    """Show the extra specs of a type."""
    return encode(200, {"extra_specs": types.find(call.tx, ident)["extra_specs"]})


@ROUTES.add("POST", "/types/{ident}/extra_specs")
def add_specs(call: Call, ident: str) -> Response:
    """Add extra specs to a type."""
    call.require_admin("volume_extension:types_extra_specs:create")
    found = types.find(call.tx, ident)
    added = _specs(call.body("extra_specs"))
    types.change_specs(call.tx, found, {**found["extra_specs"], **added})
    return encode(200, {"extra_specs": added})


@ROUTES.add("DELETE", "/types/{ident}/extra_specs/{key}")
def remove_spec(call: Call, ident: str, key: str) -> Response:
    """Remove an extra spec of a type."""
    call.require_admin("volume_extension:types_extra_specs:delete")
    found = types.find(call.tx, ident)
    if key not in found["extra_specs"]:
        raise NotFound(f"Volume Type {ident} has no extra specs with key {key}.")
    left = {name: value for name, value in found["extra_specs"].items() if name != key}
    types.change_specs(call.tx, found, left)
    return Response(202)


def _specs(specs: Any) -> dict[str, str]:
    if not isinstance(specs, dict) or not all(isinstance(value, str) for value in specs.values()):
        raise BadRequest("Invalid input for field/attribute extra_specs: texts by name are needed.")
    return specs
