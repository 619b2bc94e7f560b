"""What a request for new servers makes: instances, with what they reserve, and builds of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Forbidden, NotFound
from fake_server.common.parsing import parse_boolean
from fake_server.compute import (
    availability_zones,
    block_device_mappings,
    builds,
    glance,
    microversions,
    neutron,
    scheduler,
    volumes,
)
from fake_server.compute.errors import InvalidBDM, InvalidVolume
from fake_server.compute.models import (
    block_devices,
    flavors,
    instances,
    keypairs,
    quotas,
    server_groups,
)
from fake_server.compute.request_spec import RequestSpec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.compute.context import Context
    from fake_server.compute.session import Session
    from fake_server.db.store import Record

_MOST_INSTANCES = 1000
"""The quota of instances in one request; each takes some milliseconds."""
_NO_HOSTNAME = re.compile(r"[^a-z0-9.-]+")
#: What the request for a block device says of the disk to create, beside what is stored.
_OF_VOLUME = ("image_id", "volume_size", "volume_type", "guest_format")


def create(ctx: Context, wanted: Mapping[str, Any], hints: Mapping[str, Any]) -> list[Record]:
    """Make instances, and have them built.

    :param wanted: the ``server`` of the request.
    :param hints: hints for the scheduler.
    :returns: the instances as they were when they were stored.
    :raises ServiceError: if that can't be done; nothing is left of it.
    """
    count = _count(wanted)
    zone, host, node = availability_zones.destination(ctx, wanted)
    image_ref = wanted.get("imageRef") or None
    if image_ref is None and not (
        wanted.get("block_device_mapping") or wanted.get("block_device_mapping_v2")
    ):
        raise BadRequest("Missing imageRef attribute")
    networks = wanted.get("networks")
    neutron.check_requested(networks, count)
    try:
        flavor = flavors.get(ctx.session, str(wanted["flavorRef"]), ctx.visible_project)
    except NotFound as exc:
        raise BadRequest(str(exc)) from exc
    groups = [neutron.requested_security_group(ctx, name) for name in security_groups(wanted)]
    try:
        requested = neutron.validate_networks(ctx, networks)
    except NotFound as exc:
        raise BadRequest(str(exc)) from exc
    key_data = get_key_data(ctx.session, ctx.user_id, wanted.get("key_name"))
    mapped = block_device_mappings.read(wanted, image_ref, flavor)
    _validate_bdm(ctx, mapped, count)
    if image_ref is not None:
        glance.check_image(ctx, image_ref, flavor)
    _check_group(ctx, hints)
    now = ctx.session.clock.now()
    common = {
        "project_id": ctx.project_id,
        "user_id": ctx.user_id,
        "description": wanted.get("description"),
        "flavor": {name: flavor[name] for name in flavor if name not in ("number", "projects")},
        "image_ref": image_ref,
        "key_name": wanted.get("key_name"),
        "key_data": key_data,
        "metadata": wanted.get("metadata", {}),
        "disk_config": "MANUAL",
        **instances.columns(wanted),
        "tags": wanted.get("tags", []),
        "user_data": wanted.get("user_data"),
        "config_drive": bool(parse_boolean(wanted.get("config_drive"))),
        "zone": zone,
        "scheduler_hints": dict(hints),
        "reservation_id": f"r-{randomness.hexadecimal(4)}",
        **RequestSpec(requested, ctx.owner, groups, host, node).columns(),
        "vm_state": instances.BUILDING,
        "task_state": instances.SCHEDULING,
        "power_state": instances.NOSTATE,
        "unfinished": False,
        "created_at": now,
        "updated_at": now,
    }

    def make(number: int) -> list[Record]:
        return [
            {**common, "id": randomness.uuid(), "launch_index": at, **_named(wanted, at, number)}
            for at in range(number)
        ]

    numbers, seconds = (_least(wanted), count), ctx.session.clock.seconds()
    rows = quotas.create_instances(ctx.session, ctx.project_id, flavor, numbers, make, seconds)
    for row in rows:
        ctx.record_action(row, "create", done=False)
    _create_block_device_mappings(ctx, rows, mapped)
    builds.schedule_and_build_instances(ctx.session, rows)
    return rows


def security_groups(wanted: Mapping[str, Any]) -> list[str]:
    """Return the names of the security groups that a new server asks for beside the default."""
    named = (group.get("name") for group in wanted.get("security_groups", ()))
    return [name for name in dict.fromkeys(named) if name not in (None, "default")]


def get_key_data(session: Session, user_id: str, name: str | None) -> str | None:
    """Return the public key of a user's key pair; raise BadRequest if there is none."""
    if name is None:
        return None
    try:
        return str(keypairs.get(session, user_id, name)["public_key"])
    except NotFound:
        raise BadRequest("Invalid key_name provided.") from None


def _check_group(ctx: Context, hints: Mapping[str, Any]) -> None:
    """Raise BadRequest for hints that name a group which isn't one of the project."""
    group = hints.get("group")
    if group is None:
        return
    try:
        server_groups.get(ctx.session, group, ctx.visible_project)
    except NotFound as exc:
        raise BadRequest(str(exc)) from exc


def _count(wanted: Mapping[str, Any]) -> int:
    least, most = _least(wanted), int(wanted.get("max_count", _least(wanted)))
    if least > most:
        raise BadRequest("min_count must be <= max_count")
    if most > _MOST_INSTANCES:
        raise Forbidden(
            f"Quota exceeded for instances: Requested {most}, but already used 0 of "
            f"{_MOST_INSTANCES} instances"
        )
    return most


def _least(wanted: Mapping[str, Any]) -> int:
    return int(wanted.get("min_count", 1))


def _named(wanted: Mapping[str, Any], index: int, count: int) -> dict[str, str]:
    name = wanted["name"] if count == 1 else f"{wanted['name']}-{index + 1}"
    hostname = wanted.get("hostname") or _NO_HOSTNAME.sub("-", name.lower()).strip("-.")
    return {"name": name, "hostname": hostname[:63] or f"server-{index + 1}"}


def _validate_bdm(ctx: Context, mapped: Sequence[block_device_mappings.Device], count: int) -> None:
    """Raise an error for volumes that the instances can't have."""
    shared = ctx.minor >= microversions.ATTACH_MODE
    for device in mapped:
        volumes.check_compute(ctx.session, device["attach_mode"])
        if device["volume_id"] is None:
            continue
        try:
            volume = volumes.get(ctx, device["volume_id"])
        except (NotFound, InvalidVolume):
            raise InvalidBDM(f"failed to get volume {device['volume_id']}.") from None
        if count > 1 and not (shared and volume["multiattach"]):
            raise BadRequest("Cannot attach one or more volumes to multiple instances")
        volumes.check_version(ctx, volume)
        if device["boot_index"] == 0 and volume["bootable"] != "true":
            raise BadRequest(f"Block Device {volume['id']} is not bootable.")


def _create_block_device_mappings(
    ctx: Context, rows: Sequence[Record], mapped: Sequence[block_device_mappings.Device]
) -> None:
    """Reserve the volumes of new instances; delete all the instances if one isn't available."""
    try:
        for row in rows:
            owned: list[Record] = []
            for device in mapped:
                values = _reserved(ctx, row, device, owned)
                owned.append(block_devices.create(ctx.session, row["id"], values))
    except (BadRequest, NotFound):
        for row in rows:
            for device in block_devices.get_all(ctx.session, server_id=row["id"]):
                volumes.attachment_delete(ctx.session, device)
            scheduler.delete_allocation_for_instance(ctx.session, row["id"])
            instances.destroy(ctx.session, row["id"])
        raise


def _reserved(
    ctx: Context, row: Record, device: block_device_mappings.Device, before: Sequence[Record]
) -> dict[str, Any]:
    """Return the columns of a block device, whose volume is reserved, and created if need be."""
    volume_id, name, attachment = device["volume_id"], device["device_name"], None
    if volume_id is None and device["destination_type"] == block_devices.VOLUME:
        volume_id = volumes.create(ctx, device)
    if name is None:
        local = row["image_ref"] is not None and device["boot_index"] != 0
        name = block_devices.next_name(before, local_root=local)
    if volume_id is not None:
        attachment = volumes.attachment_create(ctx, row["id"], volume_id)
    kept = {key: value for key, value in device.items() if key not in _OF_VOLUME}
    return {**kept, "volume_id": volume_id, "attachment_id": attachment, "device_name": name}
