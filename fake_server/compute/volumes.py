"""Volumes of instances: attached, detached and swapped, as Cinder's API 3.44 has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.common.errors import BadRequest, Conflict, NotFound, ServiceError
from fake_server.compute import driver, microversions, volume_targets
from fake_server.compute.cloud import Refused, refused_as
from fake_server.compute.errors import InvalidVolume
from fake_server.compute.models import block_devices, instances

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.context import Context
    from fake_server.compute.session import Session
    from fake_server.db.store import Record

_STATES = (instances.ACTIVE, instances.STOPPED)
#: What a volume takes over from the one that it replaces.
_SWAPPED = (
    "source_type",
    "destination_type",
    "boot_index",
    "device_name",
    "attach_mode",
    "delete_on_termination",
    "tag",
)


def get(ctx: Context, ident: str) -> dict[str, Any]:
    """Return a volume that the client may see; raise NotFound if there is none."""
    path = f"/volumes/{quote(ident, safe='')}"
    with refused_as(InvalidVolume):
        found = ctx.session.cloud.volume("GET", path, caller=ctx.caller, ignored=(404,))
    if found is None:
        raise NotFound(f"Volume {ident} could not be found.")
    return dict(found["volume"])


def check_version(ctx: Context, volume: dict[str, Any]) -> None:
    """Raise BadRequest for a multiattach volume in a version that doesn't support them."""
    if volume["multiattach"] and ctx.minor < microversions.MULTIATTACH:
        raise BadRequest(
            "Multiattach volumes are only supported starting with compute API version "
            f"2.{microversions.MULTIATTACH}."
        )


def check_compute(session: Session, attach_mode: str | None) -> None:
    """Raise Conflict for an attach mode that the compute service is too old for."""
    if session.settings.old_compute and attach_mode not in (None, block_devices.READ_WRITE):
        raise Conflict(
            f"Cannot attach a volume in mode '{attach_mode}': the compute service on host "
            f"{session.host} is too old for attach modes; upgrade it first."
        )


def attach_volume(ctx: Context, instance: Record, values: dict[str, Any]) -> Record:
    """Attach a volume of the client to an instance; return the block device.

    :param values: ``volume_id``, ``attach_mode``, ``device_name``, ``tag`` and
        ``delete_on_termination``.
    :raises Conflict: if the server's state doesn't allow it, or the compute service is too old.
    :raises BadRequest: if the volume isn't available.
    """
    volume = get(ctx, values["volume_id"])
    block_devices.check_attachable(ctx.session, instance["id"], volume)
    check_compute(ctx.session, values["attach_mode"])
    check_version(ctx, volume)
    values = {
        "source_type": block_devices.VOLUME,
        "destination_type": block_devices.VOLUME,
        "boot_index": None,
        **values,
    }
    device = _attach(ctx, instance, volume, values)
    volume_targets.sync(ctx.session, instance)
    return device


def detach_volume(session: Session, instance: Record, volume_id: str) -> None:
    """Detach a volume; raise NotFound, or BadRequest or Conflict if that is impossible."""
    device = get_attached(session, instance, volume_id)
    instances.check_state(instance, "detach_volume", *_STATES)
    if device["boot_index"] == 0:
        raise BadRequest("Cannot detach a root device volume")
    _detach(session, device)
    volume_targets.sync(session, instance)


def swap_volume(ctx: Context, instance: Record, volume_id: str, other_id: str) -> None:
    """Replace a volume by another; raise NotFound, BadRequest or Conflict if that is impossible."""
    session = ctx.session
    device = get_attached(session, instance, volume_id)
    try:
        other = get(ctx, other_id)
    except NotFound as exc:
        raise InvalidVolume(str(exc)) from exc
    instances.check_state(instance, "swap_volume", *_STATES)
    old = get(ctx, volume_id)
    block_devices.check_attachable(session, instance["id"], other)
    if other["size"] < old["size"]:
        raise InvalidVolume("New volume must be the same size or larger.")
    kept = {name: device[name] for name in _SWAPPED}
    new = _attach(ctx, instance, other, kept)
    try:
        _detach(session, device)
    except Refused as exc:
        _detach(session, new)
        raise Conflict(f"Volume {volume_id} can't be given back: {exc}") from exc
    volume_targets.sync(session, instance)


def get_attached(session: Session, instance: Record, volume_id: str) -> Record:
    """Return the block device that is a volume; raise NotFound if it isn't attached."""
    found = block_devices.get(session, instance["id"], volume_id)
    if found is None:
        raise NotFound(f"Instance {instance['id']} is not attached to volume {volume_id}")
    return found


def attachment_create(ctx: Context, server_id: str, volume_id: str) -> str:
    """Reserve a client's volume for an instance; return the attachment's id.

    :raises InvalidVolume: if Cinder refuses.
    """
    body = {"attachment": {"volume_uuid": volume_id, "instance_uuid": server_id}}
    try:
        answer = ctx.session.cloud.volume("POST", "/attachments", body, caller=ctx.caller)
    except Refused as exc:
        raise InvalidVolume(str(exc).removeprefix("Invalid volume: ")) from exc
    return str(answer["attachment"]["id"])


def attachment_update(
    session: Session, instance: Record, node: driver.Node, device: Record
) -> None:
    """Connect a reserved volume to the node of its instance; raise Refused if Cinder refuses."""
    connector = {
        **volume_targets.get_volume_connector(session, instance, node),
        "mode": device["attach_mode"] or block_devices.READ_WRITE,
        "mountpoint": device["device_name"],
    }
    path = f"/attachments/{device['attachment_id']}"
    session.cloud.volume("PUT", path, {"attachment": {"connector": connector}})


def attachment_complete(session: Session, device: Record) -> None:
    """Mark an attachment as used, unless it was deleted meanwhile."""
    path = f"/attachments/{device['attachment_id']}/action"
    session.cloud.volume("POST", path, {"os-complete": {}}, ignored=(404,))


def attachment_delete(session: Session, device: Record) -> None:
    """Remove an attachment, if there still is one."""
    if device["attachment_id"] is not None:
        path = f"/attachments/{device['attachment_id']}"
        session.cloud.volume("DELETE", path, ignored=(404,))


def create(ctx: Context, device: dict[str, Any]) -> str:
    """Create the volume that a block device asks for; return its id.

    :raises InvalidVolume: if Cinder refuses.
    """
    wanted = {"size": device["volume_size"], "name": ""}
    if device.get("image_id"):
        wanted["imageRef"] = device["image_id"]
    if device.get("volume_type"):
        wanted["volume_type"] = device["volume_type"]
    body = {"volume": wanted}
    with refused_as(InvalidVolume):
        answer = ctx.session.cloud.volume("POST", "/volumes", body, caller=ctx.caller)
    return str(answer["volume"]["id"])


def delete(session: Session, volume_id: str) -> None:
    """Delete a volume that was to go with its instance; one that can't be deleted stays."""
    session.cloud.volume("DELETE", f"/volumes/{volume_id}", ignored=(400, 404))


def _attach(
    ctx: Context, instance: Record, volume: Mapping[str, Any], values: Mapping[str, Any]
) -> Record:
    session = ctx.session
    node = driver.get_node(session, instance["node_uuid"])
    if node is None:
        raise Conflict(f"Instance {instance['id']} has no node that a volume could be attached to.")
    # First, so that no other request attaches the same.
    device = block_devices.reserve(session, instance["id"], volume, values)
    try:
        device["attachment_id"] = attachment_create(ctx, instance["id"], volume["id"])
        with refused_as(InvalidVolume):
            attachment_update(session, instance, node, device)
            attachment_complete(session, device)
        if not block_devices.update(session, device["id"], attachment_id=device["attachment_id"]):
            # It was deleted meanwhile, with the instance or alone.
            instances.get(session, instance["id"])
            raise Conflict(f"Volume {volume['id']} was detached while it was being attached.")
    except (ServiceError, Refused):
        # The reservation goes even if Cinder keeps the attachment.
        block_devices.destroy(session, device["id"])
        attachment_delete(session, device)
        raise
    return device


def _detach(session: Session, device: Record) -> None:
    attachment_delete(session, device)
    block_devices.destroy(session, device["id"])
