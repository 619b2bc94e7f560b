"""Ironic's nodes, driven as Nova's ``IronicDriver`` does it.

Ironic lets volume targets be deleted or changed only while their node is off. What isn't possible
yet is done by a later request.
"""

from __future__ import annotations

import base64
import json
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fake_server.compute.cloud import Refused, listed, refused_as
from fake_server.compute.errors import BuildAbortException, RescheduledException
from fake_server.compute.models import block_devices, instances

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.compute.session import Session
    from fake_server.db.store import Record

Node = dict[str, Any]

ACTIVE, DEPLOY_FAILED = "active", "deploy failed"
RESCUE, RESCUE_FAILED, UNRESCUE_FAILED = "rescue", "rescue failed", "unrescue failed"
#: States in which a node has to be torn down before its instance is deleted.
_UNPROVISION_STATES = frozenset(
    {ACTIVE, DEPLOY_FAILED, "deploying", "wait call-back", "deploy hold", "error"}
    | {RESCUE, RESCUE_FAILED, UNRESCUE_FAILED, "service failed"}
)
_CLEANING = frozenset({"cleaning", "clean wait", "clean hold"})
#: States of nodes without an instance, though they may have to be cleaned.
FREE = _CLEANING | {"available", "clean failed", "manageable", "enroll"}
_NODE_FIELDS = (
    "uuid,instance_uuid,provision_state,target_provision_state,power_state,target_power_state,"
    "last_error,maintenance,properties,reservation"
)
#: Statuses of an answer that says that a VIF isn't attached; the last one in dialect ``spec``.
_NOT_ATTACHED = (400, 404, 422)
#: Statuses of an answer that says that a target can't be deleted now.
_NOT_NOW = (400, 409)
ON, OFF, REBOOT, SOFT_REBOOT = "power on", "power off", "rebooting", "soft rebooting"


def get_node(session: Session, uuid: str | None) -> Node | None:
    """Return a node, or ``None`` if there is none."""
    if uuid is None:
        return None
    path = f"/nodes/{quote(uuid)}?{urlencode({'fields': _NODE_FIELDS})}"
    node: Node | None = session.cloud.baremetal("GET", path, ignored=(404,))
    return node


def get_node_list(session: Session, **filters: str) -> list[Node]:
    """Return all nodes that meet filters of the Bare Metal API."""
    found: list[Node] = []
    path = f"/nodes?{urlencode({**filters, 'fields': _NODE_FIELDS, 'limit': 1000})}"
    while path:
        page = session.cloud.baremetal("GET", path)
        found += page["nodes"]
        path = page.get("next", "").partition("/v1")[2]
    return found


def prepare_for_spawn(session: Session, instance: Record, uuid: str) -> Node:
    """Take a node for an instance; raise RescheduledException if it isn't available."""
    node = get_node(session, uuid)
    if (
        node is None
        or node["provision_state"] != "available"
        or node["maintenance"]
        or node["instance_uuid"]
    ):
        raise RescheduledException(f"Chosen ironic node {uuid} is not available")
    problem = f"Failed to reserve node {uuid} when provisioning the instance {instance['id']}: "
    with refused_as(RescheduledException, problem):
        _patch(session, uuid, {"/instance_uuid": instance["id"]})
    return node


def spawn(
    session: Session, instance: Record, node: Node, owner: Mapping[str, str], volumes: list[Record]
) -> None:
    """Start deploying an instance; raise BuildAbortException if Ironic refuses.

    :param owner: ``project_name`` and ``user_name``.
    :param volumes: its block devices that are volumes.
    """
    from_volume = any(device["boot_index"] == 0 for device in volumes)
    add_instance_info_to_node(session, instance, node, owner, from_volume=from_volume)
    _add_volume_target_info(session, instance, node["uuid"], volumes)
    _validate(session, node)
    with refused_as(BuildAbortException, "Failed to request Ironic to provision instance: "):
        set_provision_state(session, node["uuid"], "active", instance)


def rebuild(session: Session, instance: Record, owner: Mapping[str, str]) -> None:
    """Start deploying an instance again; raise BuildAbortException or Refused if it can't be."""
    if instance["image_ref"] is None:
        raise BuildAbortException("Ironic doesn't support rebuilding volume backed instances.")
    node = get_node(session, instance["node_uuid"])
    if node is None:
        raise BuildAbortException(f"Instance {instance['id']} could not be found.")
    add_instance_info_to_node(session, instance, node, owner, from_volume=False)
    set_provision_state(session, node["uuid"], "rebuild", instance)


def destroy(session: Session, instance: Record) -> bool:
    """Take an instance off its node if possible now; return whether it is off.

    :raises Refused: if Ironic refuses, unless the node is locked.
    """
    ident, uuid = instance["id"], instance["node_uuid"]
    node = get_node(session, uuid)
    if node is None or node["instance_uuid"] not in (None, ident):
        return True
    try:
        busy = node["target_provision_state"] == "available"
        if node["provision_state"] in _UNPROVISION_STATES and not busy:
            if instance["unfinished"]:
                # Targets of detached volumes go when the node is off; Ironic fails with them.
                set_power_state(session, uuid, OFF)
                sync_volume_targets(session, instance)
            set_provision_state(session, uuid, "deleted")
        node = get_node(session, uuid)
        if node is None:
            return True
        if node["provision_state"] not in FREE:
            return False
        if not _cleanup_volume_target_info(session, node, ident):
            return False
        unplug_vifs(session, uuid, block_devices.ports_of(session, ident))
        if node["instance_uuid"] == ident:
            paths = ("/instance_info", "/instance_uuid")
            removals = [{"op": "remove", "path": path} for path in paths]
            session.cloud.baremetal("PATCH", f"/nodes/{uuid}", removals, ignored=(404,))
    except Refused as exc:
        if exc.status == 409:
            return False  # the node is locked
        raise
    return True


def add_instance_info_to_node(
    session: Session, instance: Record, node: Node, owner: Mapping[str, str], *, from_volume: bool
) -> None:
    """Store in a node what its instance is to be; raise BuildAbortException if Ironic refuses."""
    info = _instance_info(session, instance, node, owner, from_volume)
    problem = (
        f"Failed to add deploy parameters on node {node['uuid']} when provisioning the instance "
        f"{instance['id']}: "
    )
    with refused_as(BuildAbortException, problem):
        _patch(session, node["uuid"], info)


def set_provision_state(
    session: Session,
    uuid: str,
    target: str,
    instance: Record | None = None,
    *,
    rescue_password: str | None = None,
) -> None:
    """Ask for a provision state; raise Refused if Ironic refuses.

    :param instance: whose config drive is to be built, if there is to be one.
    :param rescue_password: with which users log in to the rescue ramdisk.
    """
    body: dict[str, Any] = {"target": target}
    if rescue_password is not None:
        body["rescue_password"] = rescue_password
    if instance is not None and (configdrive := _configdrive(instance)) is not None:
        body["configdrive"] = configdrive
    session.cloud.baremetal("PUT", f"/nodes/{uuid}/states/provision", body)


def set_power_state(session: Session, uuid: str, target: str) -> None:
    """Ask for a power state; raise Refused if Ironic refuses."""
    session.cloud.baremetal("PUT", f"/nodes/{uuid}/states/power", {"target": target})


def get_volume_connector(session: Session, instance: Record, node: Node) -> dict[str, Any]:
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


def plug_vifs(session: Session, uuid: str, port_ids: Iterable[str]) -> None:
    """Attach VIFs to a node; raise Refused if Ironic refuses one."""
    for port_id in port_ids:
        session.cloud.baremetal("POST", f"/nodes/{uuid}/vifs", {"id": port_id})


def unplug_vifs(session: Session, uuid: str, port_ids: Iterable[str]) -> None:
    """Detach VIFs from a node, except those that aren't attached."""
    for port_id in port_ids:
        session.cloud.baremetal("DELETE", f"/nodes/{uuid}/vifs/{port_id}", ignored=_NOT_ATTACHED)


def sync_volume_targets(session: Session, instance: Record) -> None:
    """Make the targets of a node match the volumes of its instance, as far as possible now."""
    if instance["node_uuid"] is None:
        return
    try:
        pending = not _sync_volume_targets(session, instance)
    except Refused:
        pending = True
    if pending != instance["unfinished"]:
        instances.update(session, instance["id"], unfinished=pending)


def _sync_volume_targets(session: Session, instance: Record) -> bool:
    """Delete and create targets; return whether none is left that couldn't be deleted."""
    uuid = instance["node_uuid"]
    wanted = block_devices.volumes_of(session, [instance["id"]])[instance["id"]]
    ids = {device["volume_id"] for device in wanted}
    targets = _volume_targets(session, uuid)
    unwanted = [target for target in targets if target["volume_id"] not in ids]
    gone = [target for target in unwanted if _delete_volume_target(session, target)]
    present = [target for target in targets if target not in gone]
    having = {target["volume_id"] for target in present}
    for device in sorted(wanted, key=_boot_order):
        if device["volume_id"] not in having and device["attachment_id"] is not None:
            present.append(_create_volume_target(session, uuid, device, present))
    return len(gone) == len(unwanted)


def _add_volume_target_info(
    session: Session, instance: Record, uuid: str, volumes: list[Record]
) -> None:
    present = _volume_targets(session, uuid)
    for device in sorted(volumes, key=_boot_order):
        problem = (
            f"Failed to add volume target information of volume {device['volume_id']} on node "
            f"{uuid} when provisioning the instance {instance['id']}: "
        )
        with refused_as(BuildAbortException, problem):
            present.append(_create_volume_target(session, uuid, device, present))


def _cleanup_volume_target_info(session: Session, node: Node, ident: str) -> bool:
    """Delete the targets of an instance from a node, which has to be off; return if all are."""
    volumes = block_devices.volumes_of(session, [ident])[ident]
    if _delete_volume_targets(session, node["uuid"], volumes):
        return True
    if node["provision_state"] in _CLEANING:
        return False
    set_power_state(session, node["uuid"], OFF)
    return _delete_volume_targets(session, node["uuid"], volumes)


def _volume_targets(session: Session, uuid: str) -> list[dict[str, Any]]:
    path = f"/volume/targets?node={uuid}&detail=True"
    found = session.cloud.baremetal("GET", path, ignored=(404,))
    return listed(found) if found else []


def _create_volume_target(
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


def _delete_volume_targets(session: Session, uuid: str, volumes: list[Record]) -> bool:
    """Delete the targets of volumes from a node; return whether all are gone."""
    ids = {device["volume_id"] for device in volumes}
    own = [target for target in _volume_targets(session, uuid) if target["volume_id"] in ids]
    return not [target for target in own if not _delete_volume_target(session, target)]


def _delete_volume_target(session: Session, target: dict[str, Any]) -> bool:
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


def _validate(session: Session, node: Node) -> None:
    """Raise BuildAbortException, with what each interface says, unless a node can be deployed."""
    found = session.cloud.baremetal("GET", f"/nodes/{node['uuid']}/validate")
    kinds = ("deploy", "power", "storage")
    if all(found[kind]["result"] for kind in kinds):
        return
    reasons = ", ".join(
        f"{kind}: {'No Error' if found[kind]['result'] else found[kind]['reason']}"
        for kind in kinds
    )
    raise BuildAbortException(f"Ironic node: {node['uuid']} failed to validate. ({reasons})")


def _patch(session: Session, uuid: str, added: Mapping[str, Any]) -> None:
    patch = [{"op": "add", "path": path, "value": value} for path, value in added.items()]
    session.cloud.baremetal("PATCH", f"/nodes/{uuid}", patch)


def _instance_info(
    session: Session, instance: Record, node: Node, owner: Mapping[str, str], from_volume: bool
) -> dict[str, Any]:
    flavor = instance["flavor"]
    values: dict[str, Any] = {
        "root_gb": str(flavor["disk"]),
        "swap_mb": str(flavor["swap"]),
        "display_name": instance["name"],
        "vcpus": str(flavor["vcpus"]),
        "nova_host_id": session.host,
        "memory_mb": str(flavor["ram"]),
        "local_gb": str((node["properties"] or {}).get("local_gb", 0)),
        "project_id": instance["project_id"],
        "project_name": owner["project_name"],
        "user_id": instance["user_id"],
        "user_name": owner["user_name"],
        "flavor_name": flavor["name"],
    }
    if not from_volume:
        values["image_source"] = instance["image_ref"]
        # Ironic would ask the Image service; this one does not.
        values["image_type"] = "whole-disk"
    if flavor["ephemeral"]:
        values["ephemeral_gb"] = str(flavor["ephemeral"])
    capabilities, traits = {}, []
    for key, value in flavor["extra_specs"].items():
        prefix, _, name = key.partition(":")
        if prefix == "capabilities":
            capabilities[name] = value
        elif prefix.startswith("trait") and value == "required":
            traits.append(name)
    if capabilities:
        values["capabilities"] = json.dumps(capabilities)
    if traits:
        values["traits"] = traits
    return {f"/instance_info/{name}": value for name, value in values.items()}


def _configdrive(instance: Record) -> dict[str, Any] | None:
    """Return what an instance's config drive holds; ``None`` without one."""
    if not instance["config_drive"] and instance["user_data"] is None:
        return None
    meta_data: dict[str, Any] = {
        "uuid": instance["id"],
        "name": instance["name"],
        "hostname": instance["hostname"],
        "project_id": instance["project_id"],
        "launch_index": instance["launch_index"],
        "availability_zone": instance["zone"],
        "meta": instance["metadata"],
    }
    if instance["key_data"] is not None:
        meta_data["public_keys"] = {instance["key_name"]: instance["key_data"]}
    found: dict[str, Any] = {"meta_data": meta_data, "network_data": {}}
    if instance["user_data"] is not None:
        found["user_data"] = base64.b64decode(instance["user_data"]).decode("utf-8", "replace")
    return found
