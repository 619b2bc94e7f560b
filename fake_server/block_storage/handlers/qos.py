"""``/v3/qos-specs``: what quality of service volumes of a type have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import schemas
from fake_server.block_storage.errors import InvalidInput
from fake_server.block_storage.models import qos, types
from fake_server.block_storage.policies import POLICIES
from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_POLICY = "volume_extension:qos_specs_manage"


@ROUTES.add("GET", "/qos-specs", f"{_POLICY}:get_all")
def list_specs(ctx: BlockStorageContext) -> Response:
    """List QoS specs."""
    _permit(ctx, "get_all")
    return ctx.listed(qos.fetch(ctx.tx), "qos_specs", _view)


@ROUTES.add("POST", "/qos-specs", f"{_POLICY}:create")
def create(ctx: BlockStorageContext) -> Response:
    """Create QoS specs."""
    wanted = ctx.json(schemas.CREATE_QOS)["qos_specs"]
    _permit(ctx, "create")
    for name, text in wanted.items():
        if not isinstance(text, str):
            raise InvalidInput(f'Value for key "{name}" is not a string or unicode')
    name, consumer = wanted.pop("name").strip(), wanted.pop("consumer", "back-end")
    return _shown(ctx, qos.create(ctx.tx, name, consumer, wanted))


@ROUTES.add("GET", "/qos-specs/{ident}", f"{_POLICY}:get")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show QoS specs."""
    return _shown(ctx, _found(ctx, ident, "get"))


@ROUTES.add("PUT", "/qos-specs/{ident}", f"{_POLICY}:update")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Add to QoS specs."""
    wanted = ctx.json(schemas.UPDATE_QOS)["qos_specs"]
    row = _found(ctx, ident, "update")
    consumer = wanted.get("consumer") or row["consumer"]
    added = {name: text for name, text in wanted.items() if name != "consumer"}
    qos.update(ctx.tx, row, consumer, {**row["specs"], **added})
    return encode(200, {"qos_specs": wanted})


@ROUTES.add("PUT", "/qos-specs/{ident}/delete_keys", f"{_POLICY}:delete")
def remove_keys(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove keys of QoS specs."""
    keys = ctx.json(schemas.QOS_KEYS)["keys"]
    row = _found(ctx, ident, "delete")
    qos.remove_keys(ctx.tx, row, keys)
    return Response(202)


@ROUTES.add("DELETE", "/qos-specs/{ident}", f"{_POLICY}:delete")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove QoS specs."""
    qos.delete(ctx.tx, _found(ctx, ident, "delete"), force=ctx.flag("force"))
    return Response(202)


@ROUTES.add("GET", "/qos-specs/{ident}/associations", f"{_POLICY}:get_all")
def list_associations(ctx: BlockStorageContext, ident: str) -> Response:
    """List the types that have QoS specs."""
    rows = [
        {"association_type": "volume_type", "name": row["name"], "id": row["id"]}
        for row in qos.types_of(ctx.tx, _found(ctx, ident, "get_all"))
    ]
    return encode(200, {"qos_associations": rows})


@ROUTES.add("GET", "/qos-specs/{ident}/associate", f"{_POLICY}:update")
def associate(ctx: BlockStorageContext, ident: str) -> Response:
    """Give a type QoS specs; Cinder changes this by a GET."""
    qos.associate(ctx.tx, _found(ctx, ident, "update"), _type(ctx))
    return Response(202)


@ROUTES.add("GET", "/qos-specs/{ident}/disassociate", f"{_POLICY}:update")
def disassociate(ctx: BlockStorageContext, ident: str) -> Response:
    """Take QoS specs from a type."""
    qos.disassociate(ctx.tx, _found(ctx, ident, "update"), _type(ctx))
    return Response(202)


@ROUTES.add("GET", "/qos-specs/{ident}/disassociate_all", f"{_POLICY}:update")
def disassociate_all(ctx: BlockStorageContext, ident: str) -> Response:
    """Take QoS specs from all types."""
    qos.disassociate(ctx.tx, _found(ctx, ident, "update"))
    return Response(202)


def _permit(ctx: BlockStorageContext, action: str) -> None:
    ctx.require(f"{_POLICY}:{action}")


def _found(ctx: BlockStorageContext, ident: str, action: str) -> Record:
    _permit(ctx, action)
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
