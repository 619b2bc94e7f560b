"""``/v3/qos-specs``: what quality of service volumes of a type have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage.models import qos, types
from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
_POLICY = "volume_extension:qos_specs_manage"


@ROUTES.add("GET", "/qos-specs")
def list_specs(ctx: BlockStorageContext) -> Response:
    """List QoS specs."""
    ctx.require_admin(f"{_POLICY}:get_all")
    return ctx.listed(qos.fetch(ctx.tx), "qos_specs", _view)


@ROUTES.add("POST", "/qos-specs")
def create(ctx: BlockStorageContext) -> Response:
    """Create QoS specs."""
    ctx.require_admin(f"{_POLICY}:create")
    wanted = ctx.metadata(ctx.body("qos_specs"))
    name, consumer = wanted.pop("name", ""), wanted.pop("consumer", "back-end")
    if not name.strip():
        raise BadRequest("Please specify a name for QoS specs.")
    return _shown(ctx, qos.create(ctx.tx, name, consumer, wanted))


@ROUTES.add("GET", "/qos-specs/{ident}")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show QoS specs."""
    ctx.require_admin(f"{_POLICY}:get")
    return _shown(ctx, qos.find(ctx.tx, ident))


@ROUTES.add("PUT", "/qos-specs/{ident}")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Add to QoS specs."""
    row, wanted = _found(ctx, ident), ctx.metadata(ctx.body("qos_specs"))
    consumer = wanted.get("consumer") or row["consumer"]
    added = {name: text for name, text in wanted.items() if name != "consumer"}
    qos.update(ctx.tx, row, consumer, {**row["specs"], **added})
    return encode(200, {"qos_specs": wanted})


@ROUTES.add("PUT", "/qos-specs/{ident}/delete_keys")
def remove_keys(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove keys of QoS specs."""
    row, keys = _found(ctx, ident), decode(ctx.request).get("keys")
    if not isinstance(keys, list):
        raise BadRequest("Missing required element 'keys' in request body.")
    left = {name: text for name, text in row["specs"].items() if name not in keys}
    qos.update(ctx.tx, row, row["consumer"], left)
    return Response(202)


@ROUTES.add("DELETE", "/qos-specs/{ident}")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove QoS specs."""
    ctx.require_admin(f"{_POLICY}:delete")
    force = bool(parse_boolean(ctx.request.query.get("force")))
    qos.delete(ctx.tx, qos.find(ctx.tx, ident), force=force)
    return Response(202)


@ROUTES.add("GET", "/qos-specs/{ident}/associations")
def list_associations(ctx: BlockStorageContext, ident: str) -> Response:
    """List the types that have QoS specs."""
    ctx.require_admin(f"{_POLICY}:get_all")
    rows = [
        {"association_type": "volume_type", "name": row["name"], "id": row["id"]}
        for row in qos.types_of(ctx.tx, qos.find(ctx.tx, ident))
    ]
    return encode(200, {"qos_associations": rows})


@ROUTES.add("GET", "/qos-specs/{ident}/associate")
def associate(ctx: BlockStorageContext, ident: str) -> Response:
    """Give a type QoS specs; Cinder changes this by a GET."""
    qos.associate(ctx.tx, _found(ctx, ident), _type(ctx))
    return Response(202)


@ROUTES.add("GET", "/qos-specs/{ident}/disassociate")
def disassociate(ctx: BlockStorageContext, ident: str) -> Response:
    """Take QoS specs from a type."""
    qos.disassociate(ctx.tx, _found(ctx, ident), _type(ctx))
    return Response(202)


@ROUTES.add("GET", "/qos-specs/{ident}/disassociate_all")
def disassociate_all(ctx: BlockStorageContext, ident: str) -> Response:
    """Take QoS specs from all types."""
    qos.disassociate(ctx.tx, _found(ctx, ident))
    return Response(202)


def _found(ctx: BlockStorageContext, ident: str) -> Record:
    """Return QoS specs that are to be changed."""
    ctx.require_admin(f"{_POLICY}:update")
    return qos.find(ctx.tx, ident)


def _type(ctx: BlockStorageContext) -> Record:
    ident = ctx.request.query.get("vol_type_id")
    if not isinstance(ident, str):
        raise BadRequest("Volume Type id must not be None.")
    return types.find(ctx.tx, ident)


def _view(row: Record) -> dict[str, Any]:
    return {name: row[name] for name in ("id", "name", "consumer", "specs")}


def _shown(ctx: BlockStorageContext, row: Record) -> Response:
    return encode(200, {"qos_specs": _view(row), "links": ctx.links(f"qos-specs/{row['id']}")})
