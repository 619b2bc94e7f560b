"""``/v3/volumes/{id}/action``: the actions of volumes, such as the older way of attaching them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, schemas
from fake_server.block_storage.errors import (
    InUseByServer,
    InvalidInput,
    InvalidVolume,
)
from fake_server.block_storage.models import (
    attachments,
    copies,
    encryption,
    projects,
    types,
    volumes,
)
from fake_server.block_storage.policies import POLICIES
from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


def _reserve(ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]) -> None:
    expected = ["available", "in-use"] if volume["multiattach"] else ["available"]
    if not volumes.move(ctx.tx, ctx.clock, volume, expected, "attaching"):
        raise InvalidVolume(
            f"Volume status must be {' or '.join(expected)} to reserve, but the status is "
            f"{volume['status']}."
        )


def _leave(status: str, ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]) -> None:
    """Give a volume that has a status the one that its attachments call for."""
    if volume["status"] == status:
        attachments.follow(ctx.tx, ctx.clock, volume)


def _begin_detaching(ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]) -> None:
    if not volumes.move(ctx.tx, ctx.clock, volume, ["in-use"], "detaching"):
        raise InvalidVolume(
            "Unable to detach volume. Volume status must be 'in-use' and attach_status must be "
            "'attached' to detach."
        )


def _attach(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    if volume["status"] == "in-use" and not volume["multiattach"]:
        raise InvalidVolume("volume is already attached and multiple attachments are not enabled")
    expected = ["available", "attaching", "reserved", "in-use"]
    if volume["status"] not in expected:
        raise InvalidVolume(f"status must be {' or '.join(expected)}, not {volume['status']}")
    values = {
        "instance_uuid": details.get("instance_uuid"),
        "attach_mode": details.get("mode") or attachments.usual_mode(volume),
        "mountpoint": details["mountpoint"],
        "host_name": details.get("host_name"),
    }
    attachments.note(ctx.tx, ctx.clock, volume, **values)


def _detach(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    wanted = details.get("attachment_id")
    found = attachments.fetch(ctx.tx, None, volume_id=volume["id"])
    if wanted is not None:
        found = [row for row in found if row["id"] == wanted]
    if (wanted and not found) or len(found) > 1:
        raise InUseByServer("")
    for attachment in found:
        ctx.check_unused(attachment)
        attachments.delete(ctx.tx, ctx.clock, attachment)


def _initialize_connection(
    ctx: BlockStorageContext, volume: Record, details: dict[str, Any]
) -> Response:
    connector = details["connector"]
    if isinstance(connector, str):
        connector = {}  # of which nothing can be used
    mode = attachments.checked_mode(connector.get("mode")) or attachments.usual_mode(volume)
    info = attachments.connection(ctx.tx, volume, connector, mode)
    multipath = connector.get("enforce_multipath", False)
    return encode(200, {"connection_info": {**info, "enforce_multipath": multipath}})


def _terminate_connection(
    ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]
) -> None:
    """Refuse to end a connection that a server uses; nothing is kept of others."""
    found = attachments.fetch(ctx.tx, None, volume_id=volume["id"])
    if len(found) == 1:
        ctx.check_unused(found[0])
    elif found and not ctx.is_of_service:
        raise InUseByServer("")


def _extend(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    size, in_use = int(details["new_size"]), ctx.minor >= microversions.EXTEND_IN_USE
    if in_use and volume["status"] == "in-use":
        ctx.require("volume:extend_attached_volume", volume)
    if size <= volume["size"]:
        raise InvalidInput(
            "New size for extend must be greater than current size. "
            f"(current: {volume['size']}, extended: {size})."
        )
    if ctx.caller is not None:
        projects.check_gigabytes(ctx.tx, volume["project_id"], size - volume["size"])
    volumes.extend(ctx.tx, ctx.clock, ctx.delay(volume["name"] or ""), volume, size, in_use=in_use)


def _reset_status(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    if not any(details.values()):
        raise BadRequest("Must specify 'status', 'attach_status' or 'migration_status' for update.")
    if details.get("status"):
        volumes.update(ctx.tx, ctx.clock, volume, {"status": details["status"].lower()})


def _force_delete(ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]) -> None:
    volumes.delete(ctx.tx, volume, force=True)


def _set_flag(
    name: str, status: int, ctx: BlockStorageContext, volume: Record, details: dict[str, Any]
) -> Response:
    volumes.update(ctx.tx, ctx.clock, volume, {name: parse_boolean(details[name])})
    return Response(status)


def _retype(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    found = types.named(ctx.tx, details["new_type"], ctx.visible_project)
    usable = volume["status"] in ("available", "in-use")
    if not usable or found["id"] == volume["volume_type_id"]:
        raise InvalidVolume(
            "Retype needs volume to be in available or in-use state, not be part of an active "
            "migration or a consistency group, requested type has to be different that the one "
            "from the volume, and for in-use volumes front-end qos specs cannot change."
        )
    shared = types.shares(found)
    changes = {
        "volume_type_id": found["id"],
        "multiattach": shared,
        "encryption_key_id": encryption.new_key(found, shared=shared),
    }
    volumes.update(ctx.tx, ctx.clock, volume, changes)


def _revert(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    ctx.since(microversions.REVERT)
    found = copies.fetch(ctx.tx, copies.SNAPSHOTS, None, {"volume_id": volume["id"]})
    ident = details.get("snapshot_id")
    if not found:
        raise BadRequest(f"Volume {volume['id']} doesn't have any snapshots.")
    if ident != found[0]["id"]:
        raise BadRequest(
            f"Specified snapshot {ident} is None or not the latest one of volume {volume['id']}."
        )
    if volume["size"] != found[0]["size"]:
        raise BadRequest(
            f"Can't revert volume {volume['id']} to its latest snapshot {ident}. The volume size "
            "must be equal to the snapshot size."
        )
    if volume["status"] not in ("available", "in-use"):
        raise Conflict(
            f"Invalid volume: Volume {volume['id']} status must be available or in-use to revert."
        )


def _set_image_metadata(
    ctx: BlockStorageContext, volume: Record, details: dict[str, Any]
) -> Response:
    wanted = {**volume["image_metadata"], **details["metadata"]}
    volumes.update(ctx.tx, ctx.clock, volume, {"image_metadata": wanted})
    return encode(200, {"metadata": wanted})


def _unset_image_metadata(
    ctx: BlockStorageContext, volume: Record, details: dict[str, Any]
) -> Response:
    key = details["key"]
    if key not in volume["image_metadata"]:
        raise NotFound(f"Glance metadata for volume/snapshot {volume['id']} cannot be found.")
    left = {name: text for name, text in volume["image_metadata"].items() if name != key}
    volumes.update(ctx.tx, ctx.clock, volume, {"image_metadata": left})
    return Response(200)


def _show_image_metadata(
    _ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]
) -> Response:
    return encode(200, {"metadata": volume["image_metadata"]})


_CONNECTING = "volume_extension:volume_actions"
_ADMINISTERING = "volume_extension:volume_admin_actions"
_IMAGE = "volume_extension:volume_image_metadata"
#: The actions for which Cinder doesn't ask whether the volume is read.
_OF_UNREAD = ("os-reset_status", "os-set_image_metadata", "os-unset_image_metadata")
#: The policy of each action, and what does it; those that return nothing are answered by 202.
_ACTIONS: dict[
    str, tuple[str, Callable[[BlockStorageContext, Record, dict[str, Any]], Response | None]]
] = {
    "os-reserve": (f"{_CONNECTING}:reserve", _reserve),
    "os-unreserve": (f"{_CONNECTING}:unreserve", partial(_leave, "attaching")),
    "os-begin_detaching": (f"{_CONNECTING}:begin_detaching", _begin_detaching),
    "os-roll_detaching": (f"{_CONNECTING}:roll_detaching", partial(_leave, "detaching")),
    "os-attach": (f"{_CONNECTING}:attach", _attach),
    "os-detach": (f"{_CONNECTING}:detach", _detach),
    "os-force_detach": (f"{_ADMINISTERING}:force_detach", _detach),
    "os-initialize_connection": (f"{_CONNECTING}:initialize_connection", _initialize_connection),
    "os-terminate_connection": (f"{_CONNECTING}:terminate_connection", _terminate_connection),
    "os-extend": ("volume:extend", _extend),
    "os-reset_status": (f"{_ADMINISTERING}:reset_status", _reset_status),
    "os-force_delete": (f"{_ADMINISTERING}:force_delete", _force_delete),
    "os-retype": ("volume:retype", _retype),
    "os-set_image_metadata": (f"{_IMAGE}:set", _set_image_metadata),
    "os-unset_image_metadata": (f"{_IMAGE}:remove", _unset_image_metadata),
    "os-show_image_metadata": (f"{_IMAGE}:show", _show_image_metadata),
    "os-set_bootable": ("volume:update", partial(_set_flag, "bootable", 200)),
    "os-update_readonly_flag": (
        "volume:update_readonly_flag",
        partial(_set_flag, "readonly", 202),
    ),
    "revert": ("volume:revert_to_snapshot", _revert),
}


@ROUTES.add("POST", "/volumes/{ident}/action", *(policy for policy, _ in _ACTIONS.values()))
def act(ctx: BlockStorageContext, ident: str) -> Response:
    """Do what the body names."""
    name, details = ctx.action(schemas.VOLUME_ACTIONS)
    policy, do = _ACTIONS[name]
    find = ctx.named_volume if name in _OF_UNREAD else ctx.volume
    return do(ctx, find(ident, policy), details) or Response(202)
