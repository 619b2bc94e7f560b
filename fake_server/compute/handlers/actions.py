"""``/servers/{id}/action``: start, stop, reboot and rebuild servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import BadBodyError, Routes, decode, encode
from fake_server.common.wsgi import Response
from fake_server.compute import lifecycle, microversions
from fake_server.compute.errors import BadRequest, WrongState
from fake_server.compute.handlers import servers
from fake_server.compute.models import devices, keypairs
from fake_server.compute.models import servers as models
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.compute.context import Call, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
#: What a server can get new when it is rebuilt.
_REBUILT = ("name", "description", "metadata", "key_name", "user_data", "hostname")


@ROUTES.add("POST", "/servers/{ident}/action")
def act(call: Call, ident: str) -> Response:
    """Do something to a server."""
    call.require_member("servers:action")
    try:
        body = decode(call.request)
    except BadBodyError as exc:
        raise BadRequest(f"Malformed request body: {exc}") from None
    name = next(iter(body), None)
    if len(body) != 1 or name not in _ACTIONS:
        raise BadRequest(f"There is no such action: {name}")
    return _ACTIONS[name](call, servers.found(call, ident))


def _start(call: Call, row: Record) -> Response:
    lifecycle.power(call.session, row, "start")
    return Response(202)


def _stop(call: Call, row: Record) -> Response:
    lifecycle.power(call.session, row, "stop")
    return Response(202)


def _reboot(call: Call, row: Record) -> Response:
    kind = call.json(schemas.REBOOT)["reboot"]["type"].lower()
    lifecycle.power(call.session, row, "reboot" if kind == "soft" else "reboot_hard")
    return Response(202)


def _rebuild(call: Call, row: Record) -> Response:
    wanted = call.json(schemas.rebuild(call.minor))["rebuild"]
    lifecycle.check(row, "rebuild", models.ACTIVE, models.STOPPED, models.ERROR)
    if row["node_uuid"] is None:
        raise WrongState("rebuild", row["id"], "vm_state", row["vm_state"])
    owned = call.session.database.read(lambda tx: devices.of_server(tx, row["id"]))
    from_volume = any(device["boot_index"] == 0 and device["volume_id"] for device in owned)
    image = wanted["imageRef"]
    if from_volume and image and call.minor < microversions.REBUILD_VOLUME_BACKED:
        raise BadRequest("Unable to rebuild with a different image for a volume-backed server.")
    changes: dict[str, Any] = {name: wanted[name] for name in _REBUILT if name in wanted}
    if not from_volume:
        changes["image_ref"] = image
    key = _public_key(call, {**row, **changes})
    lifecycle.rebuild(call.session, row, changes, call.client.owner, key)
    return encode(202, {"server": servers.shown(call, row["id"])})


def _public_key(call: Call, row: Record) -> str | None:
    name = row["key_name"]
    if name is None:
        return None
    return str(
        call.session.database.read(lambda tx: keypairs.find(tx, row["user_id"], name))["public_key"]
    )


_ACTIONS: dict[str, Callable[[Call, Record], Response]] = {
    "os-start": _start,
    "os-stop": _stop,
    "reboot": _reboot,
    "rebuild": _rebuild,
}
