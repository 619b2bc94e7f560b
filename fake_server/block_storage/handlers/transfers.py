"""``/v3/volume-transfers``, ``/v3/os-volume-transfer``: volumes on their way to another project."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.block_storage import microversions, views
from fake_server.block_storage.models import transfers, volumes
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler

ROUTES: Routes[Handler] = Routes()


def _list_transfers(ctx: BlockStorageContext, since: int, *, detailed: bool) -> Response:
    ctx.since(since)
    rows = transfers.fetch(ctx.tx, ctx.listed_project())
    return ctx.listed(rows, "transfers", partial(views.transfer, ctx, detailed=detailed))


def _create(ctx: BlockStorageContext, since: int) -> Response:
    ctx.since(since)
    ctx.require_member("volume:create_transfer")
    wanted = ctx.body("transfer")
    ident = ctx.text(wanted, "volume_id", required=True) or ""
    volume = volumes.find(ctx.tx, ctx.clock, ident, ctx.visible_project)
    row = transfers.create(ctx.tx, ctx.clock, volume, ctx.text(wanted, "name"))
    shown = {**views.transfer(ctx, row, detailed=True), "auth_key": row["auth_key"]}
    return encode(202, {"transfer": shown})


def _show(ctx: BlockStorageContext, since: int, ident: str) -> Response:
    ctx.since(since)
    row = transfers.find(ctx.tx, ident, ctx.visible_project)
    return encode(200, {"transfer": views.transfer(ctx, row, detailed=True)})


def _delete(ctx: BlockStorageContext, since: int, ident: str) -> Response:
    ctx.since(since)
    ctx.require_member("volume:delete_transfer")
    transfers.delete(ctx.tx, ctx.clock, transfers.find(ctx.tx, ident, ctx.visible_project))
    return Response(202)


def _accept(ctx: BlockStorageContext, since: int, ident: str) -> Response:
    ctx.since(since)
    ctx.require_member("volume:accept_transfer")
    wanted = ctx.body("accept")
    key = ctx.text(wanted, "auth_key", required=True) or ""
    # Whoever has the key may know of it.
    row = transfers.find(ctx.tx, ident, None)
    transfers.accept(ctx.tx, ctx.clock, row, key, ctx.project_id, ctx.user_id)
    return encode(202, {"transfer": views.transfer(ctx, row, detailed=False)})


for _path, _since in (
    ("/os-volume-transfer", 0),
    ("/volume-transfers", microversions.TRANSFERS),
):
    ROUTES.add("GET", _path)(partial(_list_transfers, since=_since, detailed=False))
    ROUTES.add("GET", f"{_path}/detail")(partial(_list_transfers, since=_since, detailed=True))
    ROUTES.add("POST", _path)(partial(_create, since=_since))
    ROUTES.add("GET", f"{_path}/{{ident}}")(partial(_show, since=_since))
    ROUTES.add("DELETE", f"{_path}/{{ident}}")(partial(_delete, since=_since))
    ROUTES.add("POST", f"{_path}/{{ident}}/accept")(partial(_accept, since=_since))
