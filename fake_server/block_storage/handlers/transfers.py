"""``/v3/volume-transfers``, ``/v3/os-volume-transfer``: volumes on their way to another project."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.block_storage import schemas, views
from fake_server.block_storage.errors import TransferNotFound, explaining
from fake_server.block_storage.models import projects, transfers
from fake_server.block_storage.policies import POLICIES
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


def _list_transfers(ctx: BlockStorageContext, *, detailed: bool) -> Response:
    ctx.require("volume:get_all_transfers")
    rows = transfers.fetch(ctx.tx, ctx.listed_project() or None)
    show_one = partial(views.transfer, ctx, detailed=detailed)
    return ctx.listed(rows, "transfers", show_one, TransferNotFound)


def _create(ctx: BlockStorageContext) -> Response:
    wanted = ctx.json(schemas.create_transfer(_minor(ctx)))["transfer"]
    volume = ctx.named_volume(wanted["volume_id"], "volume:create_transfer")
    name, alone = schemas.names(wanted).get("name"), parse_boolean(wanted.get("no_snapshots"))
    row = transfers.create(ctx.tx, ctx.clock, volume, name, no_snapshots=bool(alone))
    shown = {**views.transfer(ctx, row, detailed=True), "auth_key": row["auth_key"]}
    return encode(202, {"transfer": shown})


def _show(ctx: BlockStorageContext, ident: str) -> Response:
    ctx.require("volume:get_transfer")
    row = transfers.find(ctx.tx, ident, ctx.visible_project)
    return encode(200, {"transfer": views.transfer(ctx, row, detailed=True)})


def _delete(ctx: BlockStorageContext, ident: str) -> Response:
    row = transfers.find(ctx.tx, ident, ctx.visible_project)
    ctx.require("volume:delete_transfer", row)
    transfers.delete(ctx.tx, ctx.clock, row)
    return Response(202)


def _accept(ctx: BlockStorageContext, ident: str) -> Response:
    key = str(ctx.json(schemas.ACCEPT)["accept"]["auth_key"])
    ctx.require("volume:accept_transfer")
    # Whoever has the key may know of it.
    row = transfers.find(ctx.tx, ident, None)
    with explaining(projects.OVER_GIGABYTES):
        transfers.accept(ctx.tx, ctx.clock, row, key, ctx.project_id, ctx.user_id)
    return encode(202, {"transfer": views.transfer(ctx, row, detailed=False)})


def _minor(ctx: BlockStorageContext) -> int:
    """Return the version of a body; at the old address, it is that of the first one."""
    return ctx.minor if "/volume-transfers" in ctx.request.path else 0


for _path in ("/os-volume-transfer", "/volume-transfers"):
    for _more, _detailed in (("", False), ("/detail", True)):
        ROUTES.add("GET", f"{_path}{_more}", "volume:get_all_transfers")(
            partial(_list_transfers, detailed=_detailed)
        )
    ROUTES.add("POST", _path, "volume:create_transfer")(_create)
    ROUTES.add("GET", f"{_path}/{{ident}}", "volume:get_transfer")(_show)
    ROUTES.add("DELETE", f"{_path}/{{ident}}", "volume:delete_transfer")(_delete)
    ROUTES.add("POST", f"{_path}/{{ident}}/accept", "volume:accept_transfer")(_accept)
