"""Volume targets of nodes, which follow the volumes of their instances.

Ironic lets them be deleted or changed only while their node is off. What isn't possible yet is done
by a later request.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from fake_server.compute.cloud import Refused, listed, refused_as
from fake_server.compute.errors import BuildAbortException
from fake_server.compute.models import block_devices, instances

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.session import Session
    from fake_server.db.store import Record

#: Statuses of an answer that says that a target can't be deleted now.
_NOT_NOW = (400, 409)


def sync(session: Session, instance: Record) -> None:
    """Make the targets of a node match the volumes of its instance, as far as possible now."""
    if instance["node_uuid"] is None:
        return
    try:
        pending = not _sync(session, instance)
    except Refused:
        pending = True
    if pending != instance["unfinished"]:
        instances.update(session, instance["id"], unfinished=pending)


def add(session: Session, instance: Record, uuid: str, volumes: list[Record]) -> None:
    """Create the targets of an instance on a node; raise BuildAbortException if that fails."""
    present = _get_all(session, uuid)
    for device in sorted(volumes, key=_boot_order):
        problem = (
            f"Failed to add volume target information of volume {device['volume_id']} on node "
            f"{uuid} when provisioning the instance {instance['id']}: "
        )
        with refused_as(BuildAbortException, problem):
            present.append(_create(session, uuid, device, present))


def delete(session: Session, uuid: str, volumes: list[Record]) -> bool:
    """Delete the targets of volumes from a node; return whether all are gone."""
    ids = {device["volume_id"] for device in volumes}
    own = [target for target in _get_all(session, uuid) if target["volume_id"] in ids]
    return not [target for target in own if not _delete(session, target)]


def get_volume_connector(
    session: Session, instance: Record, node: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a node presents to the storage."""
    path = f"/volume/connectors?node={node['uuid']}&detail=True"
    values: dict[str, list[str]] = {}
    for found in listed(session.cloud.baremetal("GET", path)):
        values.setdefault(found["type"], []).append(found["connector_id"])
    connector: dict[str, Any] = {
        "platform": (node["properties"] or {}).get("cpu_arch"),
        "os_type": "baremetal",
        "host": instance["hostname"],
        "multipath": False,
    }
    if "ip" in values:
        connector["ip"] = connector["host"] = values["ip"][0]
    if "iqn" in values:
        connector["initiator"] = values["iqn"][0]
    for kind in ("wwpn", "wwnn"):
        if kind in values:
            connector[f"{kind}s"] = values[kind]
    return connector


def _sync(session: Session, instance: Record) -> bool:
    """Delete and create targets; return whether none is left that couldn't be deleted."""
    uuid = instance["node_uuid"]
    wanted = block_devices.volumes_of(session, [instance["id"]])[instance["id"]]
    ids = {device["volume_id"] for device in wanted}
    targets = _get_all(session, uuid)
    unwanted = [target for target in targets if target["volume_id"] not in ids]
    gone = [target for target in unwanted if _delete(session, target)]
    present = [target for target in targets if target not in gone]
    having = {target["volume_id"] for target in present}
    for device in sorted(wanted, key=_boot_order):
        if device["volume_id"] not in having and device["attachment_id"] is not None:
            present.append(_create(session, uuid, device, present))
    return len(gone) == len(unwanted)


def _get_all(session: Session, uuid: str) -> list[dict[str, Any]]:
    path = f"/volume/targets?node={uuid}&detail=True"
    found = session.cloud.baremetal("GET", path, ignored=(404,))
    return listed(found) if found else []


def _create(
    session: Session, uuid: str, device: Record, present: list[dict[str, Any]]
) -> dict[str, Any]:
    """Create the target of a volume; without a place in the boot order it gets a free one."""
    boot_index = device["boot_index"]
    if boot_index is None or boot_index < 0:
        taken = {target["boot_index"] for target in present}
        boot_index = next(index for index in count(1) if index not in taken)
    path = f"/attachments/{device['attachment_id']}"
    connection = dict(session.cloud.volume("GET", path)["attachment"]["connection_info"])
    kind = connection.pop("driver_volume_type")
    del connection["attachment_id"]
    body = {
        "node_uuid": uuid,
        "volume_type": kind,
        "volume_id": device["volume_id"],
        "boot_index": boot_index,
        "properties": connection,
    }
    return dict(session.cloud.baremetal("POST", "/volume/targets", body))


def _delete(session: Session, target: dict[str, Any]) -> bool:
    path = f"/volume/targets/{target['uuid']}"
    try:
        session.cloud.baremetal("DELETE", path, ignored=(404,))
    except Refused as exc:
        if exc.status in _NOT_NOW:
            return False
        raise
    return True


def _boot_order(device: Record) -> tuple[bool, int, int]:
    """Return the sort key of a device: those with a boot index come first."""
    index = device["boot_index"]
    unplaced = index is None or index < 0
    return (unplaced, 0 if unplaced else index, device["number"])
