"""``/v3/types/ID/encryption`` and ``/v3/volumes/ID/encryption``: how volumes are encrypted."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import views
from fake_server.block_storage.errors import EncryptionNotFound
from fake_server.block_storage.models import encryption, types, volumes
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
_REQUIRED = ("provider", "control_location")
_LOCATIONS = ("front-end", "back-end")
_LARGEST = 2**31 - 1


@ROUTES.add("GET", "/types/{ident}/encryption")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show how volumes of a type are encrypted."""
    return encode(200, _shown(_asked(ctx, ident, "get")))


@ROUTES.add("GET", "/types/{ident}/encryption/{key}")
def show_item(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Show one thing about how volumes of a type are encrypted."""
    found = _asked(ctx, ident, "get")
    shown = _shown(found)
    if key not in shown:
        raise EncryptionNotFound(found["id"])
    return encode(200, {key: shown[key]})


@ROUTES.add("POST", "/types/{ident}/encryption")
def create(ctx: BlockStorageContext, ident: str) -> Response:
    """Encrypt the volumes of a type."""
    found, wanted = _asked(ctx, ident, "create"), _wanted(ctx)
    for name in _REQUIRED:
        if name not in wanted:
            raise BadRequest(
                f"Invalid input for field/attribute encryption. Value: {wanted}. '{name}' is a "
                "required property"
            )
    row = encryption.create(ctx.tx, ctx.clock, found, wanted)
    given = {**wanted, **{name: row[name] for name in ("volume_type_id", "encryption_id")}}
    return encode(200, {"encryption": given})


@ROUTES.add("PUT", "/types/{ident}/encryption/{key}")
def update(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Encrypt the volumes of a type in another way; which key is named doesn't matter."""
    found, wanted = _asked(ctx, ident, "update"), _wanted(ctx)
    encryption.update(ctx.tx, ctx.clock, found, wanted)
    return encode(200, {"encryption": wanted})


@ROUTES.add("DELETE", "/types/{ident}/encryption/{key}")
def delete(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Stop encrypting the volumes of a type; which key is named doesn't matter."""
    encryption.delete(ctx.tx, _asked(ctx, ident, "delete"))
    return Response(202)


@ROUTES.add("GET", "/volumes/{ident}/encryption")
def show_of_volume(ctx: BlockStorageContext, ident: str) -> Response:
    """Show how a volume is encrypted."""
    return encode(200, _of_volume(ctx, ident))


@ROUTES.add("GET", "/volumes/{ident}/encryption/{key}")
def show_item_of_volume(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Show one thing about how a volume is encrypted."""
    shown = _of_volume(ctx, ident)
    if key not in shown:
        raise NotFound
    return encode(200, shown[key])


def _asked(ctx: BlockStorageContext, ident: str, action: str) -> Record:
    """Return the type that a request is about."""
    ctx.require_admin(f"volume_extension:volume_type_encryption:{action}")
    return types.find(ctx.tx, ident)


def _wanted(ctx: BlockStorageContext) -> dict[str, Any]:
    """Return the values of the body; raise BadRequest for what an encryption can't be."""
    given = ctx.body("encryption")
    wanted: dict[str, Any] = {name: given[name] for name in encryption.NAMES if name in given}
    if "provider" in wanted:
        ctx.text(wanted, "provider", required=True)
    ctx.text(wanted, "cipher")
    if wanted.get("control_location", _LOCATIONS[0]) not in _LOCATIONS:
        raise BadRequest(
            "Invalid input for field/attribute control_location. Value: "
            f"{wanted['control_location']}. It has to be one of {', '.join(_LOCATIONS)}"
        )
    if wanted.get("key_size") is not None:
        size = parse_integer(wanted["key_size"], minimum=0, maximum=_LARGEST, strict=True)
        if size is None:
            raise BadRequest(
                f"Invalid input for field/attribute key_size. Value: {wanted['key_size']}. It has "
                "to be a number of bits"
            )
        wanted["key_size"] = size
    return wanted


def _shown(found: Record) -> dict[str, Any]:
    if found["encryption"] is None:
        return {}
    moments = {
        name: views.timestamp(datetime.fromisoformat(text)) if text else None
        for name, text in found["encryption"].items()
        if name.endswith("_at")
    }
    return {**found["encryption"], **moments, "deleted": False, "deleted_at": None}


def _of_volume(ctx: BlockStorageContext, ident: str) -> dict[str, Any]:
    volume = volumes.find(ctx.tx, ctx.clock, ident, ctx.visible_project)
    found = volumes.type_of(ctx.tx, volume)
    used = (found or {}).get("encryption") or {}
    shown = {name: used[name] for name in encryption.NAMES if name in used}
    return {"encryption_key_id": volume["encryption_key_id"], **shown}
