"""``/v3/volume-transfers``, ``/v3/os-volume-transfer``: volumes on their way to another project."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.block_storage import schemas, views
from fake_server.block_storage.errors import TransferNotFound
from fake_server.block_storage.models import transfers
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()


def _list_transfers(ctx: BlockStorageContext, *, detailed: bool) -> Response:
    ctx.enforce("volume:get_all_transfers")
    rows = transfers.fetch(ctx.tx, ctx.listed_project())
    show_one = partial(views.transfer, ctx, detailed=detailed)
    return ctx.listed(rows, "transfers", show_one, TransferNotFound)


def _create(ctx: BlockStorageContext) -> Response:
    wanted = ctx.json(schemas.create_transfer(_minor(ctx)))["transfer"]
    volume = ctx.volume(wanted["volume_id"], "volume:create_transfer")
    name, alone = schemas.names(wanted).get("name"), parse_boolean(wanted.get("no_snapshots"))
    row = transfers.create(ctx.tx, ctx.clock, volume, name, no_snapshots=bool(alone))
    shown = {**views.transfer(ctx, row, detailed=True), "auth_key": row["auth_key"]}
    return encode(202, {"transfer": shown})


def _show(ctx: BlockStorageContext, ident: str) -> Response:
    row = _found(ctx, ident, "volume:get_transfer")
    return encode(200, {"transfer": views.transfer(ctx, row, detailed=True)})


def _delete(ctx: BlockStorageContext, ident: str) -> Response:
    transfers.delete(ctx.tx, ctx.clock, _found(ctx, ident, "volume:delete_transfer"))
    return Response(202)


def _accept(ctx: BlockStorageContext, ident: str) -> Response:
    key = str(ctx.json(schemas.ACCEPT)["accept"]["auth_key"])
    ctx.enforce("volume:accept_transfer")
    # Whoever has the key may know of it.
    row = transfers.find(ctx.tx, ident, None)
    transfers.accept(ctx.tx, ctx.clock, row, key, ctx.project_id, ctx.user_id)
    return encode(202, {"transfer": views.transfer(ctx, row, detailed=False)})


def _found(ctx: BlockStorageContext, ident: str, policy: str) -> Record:
    row = transfers.find(ctx.tx, ident, ctx.visible_project)
    ctx.enforce(policy)
    return row


def _minor(ctx: BlockStorageContext) -> int:
    """Return the version of a body; at the old address, it is that of the first one."""
    return ctx.minor if "/volume-transfers" in ctx.request.path else 0


for _path in ("/os-volume-transfer", "/volume-transfers"):
    ROUTES.add("GET", _path)(partial(_list_transfers, detailed=False))
    ROUTES.add("GET", f"{_path}/detail")(partial(_list_transfers, detailed=True))
    ROUTES.add("POST", _path)(_create)
    ROUTES.add("GET", f"{_path}/{{ident}}")(_show)
    ROUTES.add("DELETE", f"{_path}/{{ident}}")(_delete)
    ROUTES.add("POST", f"{_path}/{{ident}}/accept")(_accept)
