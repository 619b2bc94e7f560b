"""Attach volumes to servers that exist, detach them, and swap them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict, Forbidden, NotFound
from fake_server.compute import lifecycle, nodes, targets, volumes
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import InvalidVolume, ServerNotFound
from fake_server.compute.models import devices, servers

if TYPE_CHECKING:
    from fake_server.common.caller import Caller
    from fake_server.compute.session import Session
    from fake_server.db.store import Record

_STATES = (servers.ACTIVE, servers.STOPPED)


def check_compute(session: Session, attach_mode: str) -> None:
    """Raise Conflict for an attach mode that the compute service is too old for."""
    if attach_mode != devices.READ_WRITE and session.settings.old_compute:
        raise Conflict(
            f"Cannot attach a volume in mode '{attach_mode}': the compute service on host "
            f"{session.host} is too old for attach modes; upgrade it first."
        )


def attach(
    session: Session, caller: Caller | None, server: Record, values: dict[str, Any], minor: int
) -> Record:
    """Attach a volume to a server; return the block device.

    :param caller: the client, whose volume it has to be.
    :param values: ``volume_id``, ``attach_mode``, ``device_name``, ``tag`` and
        ``delete_on_termination``.
    :param minor: the version that the request is for.
    :raises Conflict: if the server's state doesn't allow it, or the compute service is too old.
    :raises BadRequest: if the volume isn't available.
    """
    volume = volumes.find(session, caller, values["volume_id"])
    volumes.check_free(session, server, volume)
    lifecycle.check(server, "attach_volume", *_STATES)
    check_compute(session, values["attach_mode"])
    volumes.check_version(volume, minor)
    owned = session.database.read(lambda tx: devices.of_server(tx, server["id"]))
    values = {
        "source_type": devices.VOLUME,
        "destination_type": devices.VOLUME,
        "boot_index": None,
        **values,
    }
    if values["device_name"] is None:
        local = all(device["boot_index"] != 0 for device in owned)
        values["device_name"] = devices.next_name(owned, local_root=local)
    device = _attach(session, caller, server, values)
    targets.sync(session, server)
    return device


def detach(session: Session, server: Record, volume_id: str) -> None:
    """Detach a volume; raise NotFound, Forbidden for a root volume, or Conflict in other states."""
    device = device_of(session, server, volume_id)
    lifecycle.check(server, "detach_volume", *_STATES)
    if device["boot_index"] == 0:
        raise Forbidden("Cannot detach a root device volume")
    _take_away(session, device)
    targets.sync(session, server)


def swap(
    session: Session, caller: Caller | None, server: Record, volume_id: str, other_id: str
) -> None:
    """Replace a volume by another; raise NotFound, BadRequest or Conflict if that is impossible."""
    device = device_of(session, server, volume_id)
    try:
        other = volumes.find(session, caller, other_id)
    except NotFound as exc:
        raise InvalidVolume(str(exc)) from exc
    lifecycle.check(server, "swap_volume", *_STATES)
    old = volumes.find(session, caller, volume_id)
    volumes.check_free(session, server, other)
    if other["size"] < old["size"]:
        raise InvalidVolume("New volume must be the same size or larger.")
    kept = {
        name: device[name]
        for name in (
            "source_type",
            "destination_type",
            "boot_index",
            "device_name",
            "attach_mode",
            "delete_on_termination",
            "tag",
        )
    }
    new = _attach(session, caller, server, {**kept, "volume_id": other_id})
    try:
        _take_away(session, device)
    except Refused as exc:
        _take_away(session, new)
        raise Conflict(f"Volume {volume_id} can't be given back: {exc}") from exc
    targets.sync(session, server)


def _attach(
    session: Session, caller: Caller | None, server: Record, values: dict[str, Any]
) -> Record:
    node = nodes.get(session, server["node_uuid"])
    if node is None:
        raise Conflict(f"Instance {server['id']} has no node that a volume could be attached to.")
    attachment = volumes.reserve(session, caller, server["id"], values["volume_id"])
    device = {**values, "attachment_id": attachment}
    try:
        volumes.connect(session, server, node, device)
        volumes.complete(session, attachment)
        ident = session.database.write(lambda tx: devices.add(tx, server["id"], device))
    except Refused as exc:
        volumes.delete_attachment(session, attachment)
        raise InvalidVolume(str(exc)) from exc
    except ServerNotFound:
        volumes.delete_attachment(session, attachment)
        raise
    return {**device, "id": ident}


def _take_away(session: Session, device: Record) -> None:
    volumes.delete_attachment(session, device["attachment_id"])
    session.database.write(lambda tx: devices.remove(tx, device["id"]))


def device_of(session: Session, server: Record, volume_id: str) -> Record:
    """Return the block device that is a volume; raise NotFound if it isn't attached."""
    found = session.database.read(lambda tx: devices.of_volume(tx, server["id"], volume_id))
    if found is None:
        raise NotFound(f"Instance {server['id']} is not attached to volume {volume_id}")
    return found
