"""Create servers: check the request, store them, and have them built."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Forbidden, NotFound
from fake_server.compute import (
    block_device_mappings,
    microversions,
    networks,
    scheduling,
    server_build,
    volume_attach,
    volumes,
)
from fake_server.compute.errors import InvalidBlockDevice, InvalidVolume
from fake_server.compute.models import devices, flavors, keypairs, servers
from fake_server.compute.schemas.parts import is_true

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.compute.session import Client, Session
    from fake_server.db.store import Record, Transaction

_MOST_SERVERS = 1000
"""The quota of servers in one request; each takes some milliseconds."""
_NO_HOSTNAME = re.compile(r"[^a-z0-9.-]+")


def create(
    session: Session,
    client: Client,
    wanted: Mapping[str, Any],
    hints: Mapping[str, Any],
    minor: int,
) -> list[Record]:
    """Make servers, and have them built.

    :param wanted: the ``server`` of the request.
    :param hints: hints for the scheduler.
    :param minor: the version that the request is for.
    :returns: the servers as they were when they were stored.
    :raises ServiceError: if that can't be done; nothing is left of it.
    """
    flavor = _flavor(session, client, str(wanted["flavorRef"]))
    key_data = key_pair_data(session, client.user_id, wanted.get("key_name"))
    count = _count(wanted)
    image_ref = wanted.get("imageRef") or None
    if image_ref is None and not (
        wanted.get("block_device_mapping") or wanted.get("block_device_mapping_v2")
    ):
        raise BadRequest("Missing imageRef attribute")
    mapped = block_device_mappings.read(wanted, image_ref)
    _check_volumes(session, client, mapped, count, minor)
    requested = networks.requested(session, client, wanted.get("networks"))
    if count > 1 and any(network.port_id or network.fixed_ip for network in requested):
        raise BadRequest(
            "Unable to launch multiple instances with a single configured port ID. Please launch "
            "your instance one by one with different ports."
        )
    zone, node = _place(wanted)
    common = {
        "project_id": client.project_id,
        "user_id": client.user_id,
        "description": wanted.get("description"),
        "flavor": {name: flavor[name] for name in flavor if name not in ("number", "projects")},
        "image_ref": image_ref,
        "key_name": wanted.get("key_name"),
        "key_data": key_data,
        "metadata": wanted.get("metadata", {}),
        "tags": wanted.get("tags", []),
        "user_data": wanted.get("user_data"),
        "config_drive": is_true(wanted.get("config_drive")),
        "zone": zone,
        "scheduler_hints": dict(hints),
        "reservation_id": f"r-{randomness.hexadecimal(4)}",
        "vm_state": servers.BUILDING,
        "task_state": servers.SCHEDULING,
        "power_state": servers.NO_POWER,
        "unfinished": False,
        "created_at": session.clock.now(),
        "updated_at": session.clock.now(),
    }
    rows = [
        {**common, "id": randomness.uuid(), "launch_index": index, **_named(wanted, index, count)}
        for index in range(count)
    ]
    session.database.write(lambda tx: servers.create(tx, rows))
    _take_volumes(session, client, rows, mapped)
    found = session.database.read(lambda tx: [servers.find(tx, row["id"], None) for row in rows])
    plan = server_build.Plan(requested, client.owner, node)
    server_build.build(session, found, plan)
    return found


def _flavor(session: Session, client: Client, ident: str) -> Record:
    try:
        return session.database.read(lambda tx: flavors.find(tx, ident, client.reach))
    except NotFound as exc:
        raise BadRequest(str(exc)) from exc


def key_pair_data(session: Session, user_id: str, name: str | None) -> str | None:
    """Return the public key of a user's key pair; raise BadRequest if there is none."""
    if name is None:
        return None
    try:
        row = session.database.read(lambda tx: keypairs.find(tx, user_id, name))
    except NotFound:
        raise BadRequest("Invalid key_name provided.") from None
    return str(row["public_key"])


def _count(wanted: Mapping[str, Any]) -> int:
    least = int(wanted.get("min_count", 1))
    most = int(wanted.get("max_count", least))
    if least > most:
        raise BadRequest("min_count must be <= max_count")
    if most > _MOST_SERVERS:
        raise Forbidden(
            f"Quota exceeded for instances: Requested {most}, but already used 0 of "
            f"{_MOST_SERVERS} instances"
        )
    return most


def _check_volumes(
    session: Session,
    client: Client,
    mapped: Sequence[block_device_mappings.Device],
    count: int,
    minor: int,
) -> None:
    """Raise an error for volumes that the servers can't have."""
    shared = minor >= microversions.ATTACH_MODE
    for device in mapped:
        if device["attach_mode"]:
            volume_attach.check_compute(session, device["attach_mode"])
        if device["volume_id"] is None:
            continue
        try:
            volume = volumes.find(session, client.caller, device["volume_id"])
        except (NotFound, InvalidVolume):
            raise InvalidBlockDevice(f"failed to get volume {device['volume_id']}.") from None
        if count > 1 and not (shared and volume["multiattach"]):
            raise BadRequest("Cannot attach one or more volumes to multiple instances")
        volumes.check_version(volume, minor)
        if device["boot_index"] == 0 and volume["bootable"] != "true":
            raise BadRequest(f"Block Device {volume['id']} is not bootable.")


def _place(wanted: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Return the zone, and the only node that will do, as a request names them."""
    zone, _, rest = (wanted.get("availability_zone") or "").partition(":")
    node = rest.partition(":")[2] or wanted.get("hypervisor_hostname")
    return zone or None, node


def _named(wanted: Mapping[str, Any], index: int, count: int) -> dict[str, str]:
    name = wanted["name"] if count == 1 else f"{wanted['name']}-{index + 1}"
    hostname = wanted.get("hostname") or _NO_HOSTNAME.sub("-", name.lower()).strip("-.")
    return {"name": name, "hostname": hostname[:63] or f"server-{index + 1}"}


def _take_volumes(
    session: Session,
    client: Client,
    rows: Sequence[Mapping[str, Any]],
    mapped: Sequence[block_device_mappings.Device],
) -> None:
    """Reserve the volumes of new servers; delete all the servers if one isn't available."""
    try:
        for row in rows:
            owned: list[block_device_mappings.Device] = []
            for device in mapped:
                owned.append(_owned_device(session, client, row, device, owned))
                session.database.write(_adding(row["id"], owned[-1]))
    except (BadRequest, NotFound):
        for row in rows:
            _undo(session, row["id"])
        raise


def _adding(server_id: str, device: block_device_mappings.Device) -> Any:
    def add(tx: Transaction) -> None:
        devices.add(tx, server_id, device)

    return add


def _owned_device(
    session: Session,
    client: Client,
    row: Mapping[str, Any],
    device: block_device_mappings.Device,
    before: Sequence[block_device_mappings.Device],
) -> block_device_mappings.Device:
    volume_id = device["volume_id"]
    if volume_id is None and device["destination_type"] == devices.VOLUME:
        volume_id = volumes.create(session, client.caller, device, "")["id"]
    name = device["device_name"]
    if name is None:
        local = row["image_ref"] is not None and device["boot_index"] != 0
        name = devices.next_name(before, local_root=local)
    attachment = None
    if volume_id is not None:
        attachment = volumes.reserve(session, client.caller, row["id"], volume_id)
    kept = {
        key: value
        for key, value in device.items()
        if key not in ("image_id", "volume_size", "volume_type")
    }
    return {**kept, "volume_id": volume_id, "attachment_id": attachment, "device_name": name}


def _undo(session: Session, server_id: str) -> None:
    for device in session.database.read(lambda tx: devices.of_server(tx, server_id)):
        volumes.delete_attachment(session, device["attachment_id"])
    scheduling.delete_allocations(session, server_id)
    session.database.write(lambda tx: servers.delete(tx, server_id))
