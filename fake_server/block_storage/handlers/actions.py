"""``/v3/volumes/{id}/action``: the actions of volumes, such as the older way of attaching them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage.errors import InvalidVolume
from fake_server.block_storage.models import attachments, encryption, projects, types, volumes
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("POST", "/volumes/{ident}/action")
def act(ctx: BlockStorageContext, ident: str) -> Response:
    """Do what the body names."""
    ctx.require_member("volume:action")
    volume = volumes.find(ctx.tx, ctx.clock, ident, ctx.visible_project)
    body = decode(ctx.request)
    found = [name for name in body if name in _ACTIONS]
    if len(body) != 1 or not found:
        known = ", ".join(_ACTIONS)
        raise BadRequest(f"There is no such action {list(body)}; there are: {known}.")
    details = body[found[0]]
    details = details if isinstance(details, dict) else {}
    return _ACTIONS[found[0]](ctx, volume, details) or Response(202)


def _reserve(ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]) -> None:
    expected = ["available", "in-use"] if volume["multiattach"] else ["available"]
    _move(ctx, volume, expected, "attaching")


def _leave(status: str, ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]) -> None:
    """Give a volume that has a status the one that its attachments call for."""
    if volume["status"] == status:
        attachments.follow(ctx.tx, ctx.clock, volume)


def _begin_detaching(ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]) -> None:
    _move(ctx, volume, ["in-use"], "detaching")


def _attach(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    instance = ctx.text(details, "instance_uuid")
    host = ctx.text(details, "host_name")
    if not instance and not host:
        raise BadRequest("Invalid request to attach volume to an invalid target")
    mode = attachments.checked_mode(details.get("mode"))
    expected = ["available", "attaching", "reserved"]
    if volume["status"] not in (*expected, *(["in-use"] if volume["multiattach"] else [])):
        raise InvalidVolume(f"status must be {' or '.join(expected)}, not {volume['status']}")
    values = {"instance_uuid": instance, "attach_mode": mode or attachments.usual_mode(volume)}
    mountpoint = ctx.text(details, "mountpoint")
    attachments.note(ctx.tx, ctx.clock, volume, mountpoint=mountpoint, host_name=host, **values)


def _detach(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    wanted = ctx.text(details, "attachment_id")
    found = attachments.fetch(ctx.tx, None, volume_id=volume["id"])
    if wanted is not None:
        found = [row for row in found if row["id"] == wanted]
    if not found:
        raise InvalidVolume("Unable to find attachment info of the volume.")
    if len(found) > 1:
        raise InvalidVolume(
            "Detach volume failed: More than one attachment, but no attachment_id provided."
        )
    attachments.delete(ctx.tx, ctx.clock, found[0])


def _initialize_connection(
    ctx: BlockStorageContext, volume: Record, details: dict[str, Any]
) -> Response:
    connector = _connector(details)
    mode = attachments.checked_mode(connector.get("mode")) or attachments.usual_mode(volume)
    info = attachments.connection(ctx.tx, volume, connector, mode)
    return encode(200, {"connection_info": info})


def _terminate_connection(
    _call: BlockStorageContext, _volume: Record, details: dict[str, Any]
) -> None:
    _connector(details)


def _extend(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    size = parse_integer(details.get("new_size"), minimum=volume["size"] + 1, strict=True)
    if size is None:
        raise BadRequest(
            f"Invalid input received: New size for extend must be greater than current size. "
            f"(current: {volume['size']}, extended: {details.get('new_size')})."
        )
    if ctx.caller is not None:
        projects.check_gigabytes(ctx.tx, volume["project_id"], size - volume["size"])
    volumes.extend(ctx.tx, ctx.clock, ctx.delay, volume, size)


def _reset_status(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    ctx.require_admin("volume_extension:volume_admin_actions:reset_status")
    status = ctx.text(details, "status", required=True)
    volumes.update(ctx.tx, ctx.clock, volume, {"status": status, "ready_at": 0.0})


def _force_delete(ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]) -> None:
    ctx.require_admin("volume_extension:volume_admin_actions:force_delete")
    volumes.delete(ctx.tx, volume, force=True)


def _set_flag(
    name: str, status: int, ctx: BlockStorageContext, volume: Record, details: dict[str, Any]
) -> Response:
    volumes.update(ctx.tx, ctx.clock, volume, {name: _flag(details, name)})
    return Response(status)


def _retype(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    name = ctx.text(details, "new_type", required=True) or ""
    if volume["status"] not in ("available", "in-use"):
        raise InvalidVolume(
            f"Unable to retype volume {volume['id']}: status must be available or in-use, not "
            f"{volume['status']}."
        )
    found = types.find(ctx.tx, name, ctx.visible_project)
    if found["id"] == volume["volume_type_id"]:
        raise BadRequest("New volume_type same as original: " + found["id"] + ".")
    shared = types.shares(found)
    changes = {
        "volume_type_id": found["id"],
        "multiattach": shared,
        "encryption_key_id": encryption.new_key(found, shared=shared),
    }
    volumes.update(ctx.tx, ctx.clock, volume, changes)


def _set_image_metadata(
    ctx: BlockStorageContext, volume: Record, details: dict[str, Any]
) -> Response:
    wanted = {**volume["image_metadata"], **ctx.metadata(details.get("metadata"))}
    volumes.update(ctx.tx, ctx.clock, volume, {"image_metadata": wanted})
    return encode(200, {"metadata": wanted})


def _unset_image_metadata(
    ctx: BlockStorageContext, volume: Record, details: dict[str, Any]
) -> Response:
    key = ctx.text(details, "key", required=True)
    if key not in volume["image_metadata"]:
        raise NotFound("Metadata item was not found")
    left = {name: text for name, text in volume["image_metadata"].items() if name != key}
    volumes.update(ctx.tx, ctx.clock, volume, {"image_metadata": left})
    return Response(200)


def _show_image_metadata(
    _ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]
) -> Response:
    return encode(200, {"metadata": volume["image_metadata"]})


#: Those that return nothing are answered by 202.
_ACTIONS: dict[str, Callable[[BlockStorageContext, Record, dict[str, Any]], Response | None]] = {
    "os-reserve": _reserve,
    "os-unreserve": partial(_leave, "attaching"),
    "os-begin_detaching": _begin_detaching,
    "os-roll_detaching": partial(_leave, "detaching"),
    "os-attach": _attach,
    "os-detach": _detach,
    "os-initialize_connection": _initialize_connection,
    "os-terminate_connection": _terminate_connection,
    "os-extend": _extend,
    "os-reset_status": _reset_status,
    "os-force_delete": _force_delete,
    "os-retype": _retype,
    "os-set_image_metadata": _set_image_metadata,
    "os-unset_image_metadata": _unset_image_metadata,
    "os-show_image_metadata": _show_image_metadata,
    "os-set_bootable": partial(_set_flag, "bootable", 200),
    "os-update_readonly_flag": partial(_set_flag, "readonly", 202),
}


def _move(ctx: BlockStorageContext, volume: Record, expected: list[str], after: str) -> None:
    if not volumes.move(ctx.tx, ctx.clock, volume, expected, after):
        raise InvalidVolume(
            f"Volume status must be {' or '.join(expected)} to become {after}, but it is "
            f"{volume['status']}."
        )


def _connector(details: dict[str, Any]) -> dict[str, Any]:
    connector = details.get("connector")
    if not isinstance(connector, dict):
        raise BadRequest("Must specify 'connector'")
    return connector


def _flag(details: dict[str, Any], name: str) -> bool:
    value = details.get(name)
    flag = parse_boolean(value) if isinstance(value, bool | str) else None
    if flag is None:
        raise BadRequest(f"Invalid input for field/attribute {name}: it has to be true or false.")
    return flag
