"""``/servers/{id}/action``: start, stop, reboot and rebuild servers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.compute import lifecycle, microversions
from fake_server.compute.errors import WrongState
from fake_server.compute.handlers import servers
from fake_server.compute.models import devices
from fake_server.compute.models import servers as models
from fake_server.compute.schemas import servers as schemas
from fake_server.compute.server_creation import key_pair_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
#: What rebuilding a server can change.
_REBUILT = ("name", "description", "metadata", "key_name", "user_data", "hostname")


@ROUTES.add("POST", "/servers/{ident}/action")
def act(ctx: Context, ident: str) -> Response:
    """Do something to a server."""
    ctx.require_member("servers:action")
    body = ctx.body()
    name = next(iter(body), None)
    if len(body) != 1 or name not in _ACTIONS:
        raise BadRequest(f"There is no such action: {name}")
    return _ACTIONS[name](ctx, servers.found(ctx, ident))


def _power(action: str, ctx: Context, row: Record) -> Response:
    lifecycle.power(ctx.session, row, action)
    return Response(202)


def _reboot(ctx: Context, row: Record) -> Response:
    kind = ctx.json(schemas.REBOOT)["reboot"]["type"].lower()
    return _power("reboot" if kind == "soft" else "reboot_hard", ctx, row)


def _rebuild(ctx: Context, row: Record) -> Response:
    wanted = ctx.json(schemas.rebuild(ctx.minor))["rebuild"]
    lifecycle.check(row, "rebuild", models.ACTIVE, models.STOPPED, models.ERROR)
    if row["node_uuid"] is None:
        raise WrongState("rebuild", row["id"], "vm_state", row["vm_state"])
    owned = ctx.session.database.read(lambda tx: devices.of_server(tx, row["id"]))
    from_volume = any(device["boot_index"] == 0 and device["volume_id"] for device in owned)
    image = wanted["imageRef"]
    if from_volume and image and ctx.minor < microversions.REBUILD_VOLUME_BACKED:
        raise BadRequest("Unable to rebuild with a different image for a volume-backed server.")
    changes: dict[str, Any] = {name: wanted[name] for name in _REBUILT if name in wanted}
    if not from_volume:
        changes["image_ref"] = image
    if "key_name" in changes:
        changes["key_data"] = key_pair_data(ctx.session, row["user_id"], changes["key_name"])
    lifecycle.rebuild(ctx.session, row, changes, ctx.client.owner)
    return encode(202, {"server": servers.shown(ctx, row["id"])})


_ACTIONS: dict[str, Callable[[Context, Record], Response]] = {
    "os-start": partial(_power, "start"),
    "os-stop": partial(_power, "stop"),
    "reboot": _reboot,
    "rebuild": _rebuild,
}
