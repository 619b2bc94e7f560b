"""``/servers/{id}/os-volume_attachments``: volumes of servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.rest import Routes, encode
from fake_server.common.values import whole_number
from fake_server.common.wsgi import Response
from fake_server.compute import microversions, views, volume_attach
from fake_server.compute.handlers import servers
from fake_server.compute.models import devices
from fake_server.compute.schemas import devices as schemas
from fake_server.compute.schemas.parts import is_true

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
_ALL = "/servers/{server_id}/os-volume_attachments"
_ONE = "/servers/{server_id}/os-volume_attachments/{volume_id}"


@ROUTES.add("GET", _ALL)
def list_attachments(ctx: Context, server_id: str) -> Response:
    """List the volumes of a server."""
    ctx.only("limit", "offset")
    row = servers.found(ctx, server_id)
    owned = ctx.session.database.read(lambda tx: devices.volumes_of(tx, [row["id"]]))
    rows = owned.get(row["id"], [])
    first = _number(ctx, "offset") or 0
    limit = _number(ctx, "limit")
    rows = rows[first:] if limit is None else rows[first : first + limit]
    return encode(
        200, {"volumeAttachments": [views.volume_attachment(ctx, device) for device in rows]}
    )


@ROUTES.add("POST", _ALL)
def attach(ctx: Context, server_id: str) -> Response:
    """Attach a volume to a server."""
    ctx.require_member("os-volumes-attachments:create")
    row = servers.found(ctx, server_id)
    wanted = ctx.json(schemas.attach_volume(ctx.minor))["volumeAttachment"]
    values = {
        "volume_id": wanted["volumeId"],
        "device_name": wanted.get("device"),
        "tag": wanted.get("tag"),
        "delete_on_termination": is_true(wanted.get("delete_on_termination")),
        "attach_mode": wanted.get("attach_mode", devices.READ_WRITE),
    }
    device = volume_attach.attach(ctx.session, ctx.caller, row, values, ctx.minor)
    if ctx.minor >= microversions.ATTACH_WITHOUT_ANSWER:
        return Response(202)
    shown: dict[str, Any] = {
        "id": device["volume_id"],
        "volumeId": device["volume_id"],
        "serverId": row["id"],
        "device": device["device_name"],
    }
    if ctx.minor >= microversions.ATTACHMENT_TAG_SHOWN:
        shown["tag"] = device["tag"]
    if ctx.minor >= microversions.DELETE_ON_TERMINATION:
        shown["delete_on_termination"] = device["delete_on_termination"]
    return encode(200, {"volumeAttachment": shown})


@ROUTES.add("GET", _ONE)
def show(ctx: Context, server_id: str, volume_id: str) -> Response:
    """Show a volume of a server."""
    device = volume_attach.device_of(ctx.session, servers.found(ctx, server_id), volume_id)
    return encode(200, {"volumeAttachment": views.volume_attachment(ctx, device)})


@ROUTES.add("PUT", _ONE)
def change(ctx: Context, server_id: str, volume_id: str) -> Response:
    """Replace a volume by another, or change ``delete_on_termination``."""
    row = servers.found(ctx, server_id)
    wanted = ctx.json(schemas.change_attachment(ctx.minor))["volumeAttachment"]
    swaps = wanted["volumeId"] != volume_id
    if swaps or ctx.minor < microversions.CHANGE_ATTACHMENT:
        ctx.require_admin("os-volumes-attachments:swap")
    else:
        ctx.require_member("os-volumes-attachments:update")
    device = volume_attach.device_of(ctx.session, row, volume_id)
    _check_unchanged(device, wanted)
    if "delete_on_termination" in wanted:
        keep = {"delete_on_termination": is_true(wanted["delete_on_termination"])}
        ctx.session.database.write(lambda tx: devices.update(tx, device["id"], **keep))
    if swaps:
        volume_attach.swap(ctx.session, ctx.caller, row, volume_id, wanted["volumeId"])
    return Response(202)


@ROUTES.add("DELETE", _ONE)
def detach(ctx: Context, server_id: str, volume_id: str) -> Response:
    """Detach a volume from a server."""
    ctx.require_member("os-volumes-attachments:delete")
    volume_attach.detach(ctx.session, servers.found(ctx, server_id), volume_id)
    return Response(202)


def _check_unchanged(device: Record, wanted: dict[str, Any]) -> None:
    kept = {
        "id": device["volume_id"],
        "serverId": device["server_id"],
        "device": device["device_name"],
        "tag": device["tag"],
    }
    for name, value in kept.items():
        if name in wanted and wanted[name] != value:
            raise BadRequest(f"The {name} property is not mutable")


def _number(ctx: Context, name: str) -> int | None:
    text = ctx.one_of(name)
    number = whole_number(text)
    if text is not None and number is None:
        raise BadRequest(f"Invalid input for query parameters {name}. Value: {text}.")
    return number
