"""``/v3/types/ID/encryption`` and ``/v3/volumes/ID/encryption``: how volumes are encrypted."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import schemas, views
from fake_server.block_storage.errors import EncryptionNotFound
from fake_server.block_storage.models import encryption, types, volumes
from fake_server.block_storage.policies import POLICIES
from fake_server.common.errors import NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.common.schemas import Checker
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_POLICY = "volume_extension:volume_type_encryption"
_OF_VOLUME = "volume_extension:volume_encryption_metadata"


@ROUTES.add("GET", "/types/{ident}/encryption", f"{_POLICY}:get")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show how volumes of a type are encrypted."""
    return encode(200, _shown(_asked(ctx, ident, "get")))


@ROUTES.add("GET", "/types/{ident}/encryption/{key}", f"{_POLICY}:get")
def show_item(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Show one thing about how volumes of a type are encrypted."""
    found = _asked(ctx, ident, "get")
    shown = _shown(found)
    if key not in shown:
        raise EncryptionNotFound(found["id"])
    return encode(200, {key: shown[key]})


@ROUTES.add("POST", "/types/{ident}/encryption", f"{_POLICY}:create")
def create(ctx: BlockStorageContext, ident: str) -> Response:
    """Encrypt the volumes of a type."""
    wanted = _wanted(ctx, schemas.CREATE_ENCRYPTION)
    row = encryption.create(ctx.tx, ctx.clock, _asked(ctx, ident, "create"), wanted)
    given = {**wanted, **{name: row[name] for name in ("volume_type_id", "encryption_id")}}
    return encode(200, {"encryption": given})


@ROUTES.add("PUT", "/types/{ident}/encryption/{key}", f"{_POLICY}:update")
def update(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Encrypt the volumes of a type in another way; which key is named doesn't matter."""
    wanted = _wanted(ctx, schemas.UPDATE_ENCRYPTION)
    encryption.update(ctx.tx, ctx.clock, _asked(ctx, ident, "update"), wanted)
    return encode(200, {"encryption": wanted})


@ROUTES.add("DELETE", "/types/{ident}/encryption/{key}", f"{_POLICY}:delete")
def delete(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Stop encrypting the volumes of a type; which key is named doesn't matter."""
    encryption.delete(ctx.tx, _asked(ctx, ident, "delete"))
    return Response(202)


@ROUTES.add("GET", "/volumes/{ident}/encryption", _OF_VOLUME)
def show_of_volume(ctx: BlockStorageContext, ident: str) -> Response:
    """Show how a volume is encrypted."""
    return encode(200, _of_volume(ctx, ident))


@ROUTES.add("GET", "/volumes/{ident}/encryption/{key}", _OF_VOLUME)
def show_item_of_volume(ctx: BlockStorageContext, ident: str, key: str) -> Response:
    """Show one thing about how a volume is encrypted."""
    shown = _of_volume(ctx, ident)
    if key not in shown:
        raise NotFound
    return encode(200, shown[key])


def _asked(ctx: BlockStorageContext, ident: str, action: str) -> Record:
    """Return the type that a request is about."""
    ctx.require(f"{_POLICY}:{action}")
    return types.find(ctx.tx, ident)


def _wanted(ctx: BlockStorageContext, checker: Checker) -> dict[str, Any]:
    """Return what the body says of an encryption; the number of bits may be text."""
    given = ctx.json(checker)["encryption"]
    wanted = {name: given[name] for name in encryption.NAMES if name in given}
    if wanted.get("key_size") is not None:
        wanted["key_size"] = int(wanted["key_size"])
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
    volume = ctx.named_volume(ident, _OF_VOLUME)
    found = volumes.type_of(ctx.tx, volume)
    used = (found or {}).get("encryption") or {}
    shown = {name: used[name] for name in encryption.NAMES if name in used}
    return {"encryption_key_id": volume["encryption_key_id"], **shown}
