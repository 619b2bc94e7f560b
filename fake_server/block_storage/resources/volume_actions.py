"""``/v3/volumes/{id}/action``: the actions of volumes, such as the older way of attaching them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions
from fake_server.block_storage.errors import InUseByServer, InvalidVolume
from fake_server.block_storage.models import (
    attachments,
    copies,
    encryption,
    projects,
    types,
    volumes,
)
from fake_server.block_storage.schemas import (
    BOOLEAN,
    FULL_TEXT,
    MODE,
    SIZE,
    TEXT,
    UUID,
    UUID_OR_NULL,
    some_of,
    texts,
)
from fake_server.common.dialects.cinder import InvalidInput
from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.parsing import parse_boolean
from fake_server.common.resources.action import Action
from fake_server.common.rest import encode
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record


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
    found = attachments.ROWS.fetch(ctx.tx, volume_id=volume["id"])
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
    found = attachments.ROWS.fetch(ctx.tx, volume_id=volume["id"])
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
        volumes.ROWS.change(ctx.tx, ctx.clock, volume, {"status": details["status"].lower()})


def _force_delete(ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]) -> None:
    volumes.delete(ctx.tx, volume, force=True)


def _set_flag(name: str, ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    volumes.ROWS.change(ctx.tx, ctx.clock, volume, {name: parse_boolean(details[name])})


def _retype(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    found = types.ROWS.named(ctx.tx, details["new_type"], ctx.visible_project)
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
    volumes.ROWS.change(ctx.tx, ctx.clock, volume, changes)


def _revert(ctx: BlockStorageContext, volume: Record, details: dict[str, Any]) -> None:
    found = copies.SNAPSHOTS.fetch(ctx.tx, volume_id=volume["id"])
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
    volumes.ROWS.change(ctx.tx, ctx.clock, volume, {"image_metadata": wanted})
    return encode(200, {"metadata": wanted})


def _unset_image_metadata(
    ctx: BlockStorageContext, volume: Record, details: dict[str, Any]
) -> None:
    key = details["key"]
    if key not in volume["image_metadata"]:
        raise NotFound(f"Glance metadata for volume/snapshot {volume['id']} cannot be found.")
    left = {name: text for name, text in volume["image_metadata"].items() if name != key}
    volumes.ROWS.change(ctx.tx, ctx.clock, volume, {"image_metadata": left})


def _show_image_metadata(
    _ctx: BlockStorageContext, volume: Record, _details: dict[str, Any]
) -> Response:
    return encode(200, {"metadata": volume["image_metadata"]})


_CONNECTING = "volume_extension:volume_actions"
_ADMINISTERING = "volume_extension:volume_admin_actions"
_IMAGE = "volume_extension:volume_image_metadata"
_CONNECTOR = {"type": ["string", "object", "null"]}
_ATTACHED = {
    **object_schema(
        {"instance_uuid": UUID, "mountpoint": FULL_TEXT, "host_name": TEXT, "mode": MODE},
        "mountpoint",
    ),
    **some_of("instance_uuid", "host_name"),
}
_RETYPED = {
    "new_type": {"type": "string"},
    "migration_policy": {"type": ["string", "null"], "enum": ["on-demand", "never"]},
}
_STATUSES = {
    name: {"type": ["string", "null"], "format": f"volume_{name}"}
    for name in ("status", "attach_status", "migration_status")
}
#: What is done to volumes.
ACTIONS = {
    "os-reserve": Action(f"{_CONNECTING}:reserve", _reserve),
    "os-unreserve": Action(f"{_CONNECTING}:unreserve", partial(_leave, "attaching")),
    "os-begin_detaching": Action(f"{_CONNECTING}:begin_detaching", _begin_detaching),
    "os-roll_detaching": Action(f"{_CONNECTING}:roll_detaching", partial(_leave, "detaching")),
    "os-attach": Action(f"{_CONNECTING}:attach", _attach, _ATTACHED),
    "os-detach": Action(
        f"{_CONNECTING}:detach",
        _detach,
        {**object_schema({"attachment_id": UUID_OR_NULL}), "type": ["object", "null"]},
    ),
    "os-force_detach": Action(
        f"{_ADMINISTERING}:force_detach",
        _detach,
        object_schema({"connector": _CONNECTOR, "attachment_id": {"type": ["string", "null"]}}),
    ),
    "os-initialize_connection": Action(
        f"{_CONNECTING}:initialize_connection",
        _initialize_connection,
        object_schema({"connector": {"type": ["object", "string"]}}, "connector"),
    ),
    "os-terminate_connection": Action(
        f"{_CONNECTING}:terminate_connection",
        _terminate_connection,
        object_schema({"connector": _CONNECTOR}, "connector"),
    ),
    "os-extend": Action("volume:extend", _extend, object_schema({"new_size": SIZE}, "new_size")),
    "os-reset_status": Action(
        f"{_ADMINISTERING}:reset_status", _reset_status, object_schema(_STATUSES), unread=True
    ),
    "os-force_delete": Action(f"{_ADMINISTERING}:force_delete", _force_delete),
    "os-retype": Action("volume:retype", _retype, object_schema(_RETYPED, "new_type")),
    "os-set_image_metadata": Action(
        f"{_IMAGE}:set",
        _set_image_metadata,
        object_schema({"metadata": texts({"type": "string", "format": "mysql_text"})}, "metadata"),
        unread=True,
    ),
    "os-unset_image_metadata": Action(
        f"{_IMAGE}:remove",
        _unset_image_metadata,
        object_schema({"key": FULL_TEXT}, "key"),
        status=200,
        unread=True,
    ),
    "os-show_image_metadata": Action(f"{_IMAGE}:show", _show_image_metadata),
    "os-set_bootable": Action(
        "volume:update",
        partial(_set_flag, "bootable"),
        object_schema({"bootable": BOOLEAN}, "bootable"),
        status=200,
    ),
    "os-update_readonly_flag": Action(
        "volume:update_readonly_flag",
        partial(_set_flag, "readonly"),
        object_schema({"readonly": BOOLEAN}, "readonly"),
    ),
    "revert": Action(
        "volume:revert_to_snapshot",
        _revert,
        {
            **object_schema({"snapshot_id": {"type": ["string", "null"]}}),
            "additionalProperties": True,
        },
        since=microversions.REVERT,
    ),
}
