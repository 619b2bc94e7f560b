"""Ironic's nodes, driven as Nova's ``IronicDriver`` does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fake_server.compute import patcher, volume_targets
from fake_server.compute.cloud import Refused, refused_as
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
    volume_targets.add(session, instance, node["uuid"], volumes)
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
            if instance["unfinished"] and instance["vm_state"] != instances.ERROR:
                # Targets of detached volumes go when the node is off; Ironic fails with them.
                set_power_state(session, uuid, OFF)
                volume_targets.sync(session, instance)
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
    info = patcher.instance_info(session, instance, node, owner, from_volume=from_volume)
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
    if instance is not None and (configdrive := patcher.config_drive(instance)) is not None:
        body["configdrive"] = configdrive
    session.cloud.baremetal("PUT", f"/nodes/{uuid}/states/provision", body)


def set_power_state(session: Session, uuid: str, target: str) -> None:
    """Ask for a power state; raise Refused if Ironic refuses."""
    session.cloud.baremetal("PUT", f"/nodes/{uuid}/states/power", {"target": target})


def trigger_crash_dump(session: Session, uuid: str) -> None:
    """Send a non-maskable interrupt to a node; raise Refused if its hardware can't."""
    session.cloud.baremetal("PUT", f"/nodes/{uuid}/management/inject_nmi", {})


def plug_vifs(session: Session, uuid: str, port_ids: Iterable[str]) -> None:
    """Attach VIFs to a node; raise Refused if Ironic refuses one."""
    for port_id in port_ids:
        session.cloud.baremetal("POST", f"/nodes/{uuid}/vifs", {"id": port_id})


def unplug_vifs(session: Session, uuid: str, port_ids: Iterable[str]) -> None:
    """Detach VIFs from a node, except those that aren't attached."""
    for port_id in port_ids:
        session.cloud.baremetal("DELETE", f"/nodes/{uuid}/vifs/{port_id}", ignored=_NOT_ATTACHED)


def _cleanup_volume_target_info(session: Session, node: Node, ident: str) -> bool:
    """Delete the targets of an instance from a node, which has to be off; return if all are."""
    volumes = block_devices.volumes_of(session, [ident])[ident]
    if volume_targets.delete(session, node["uuid"], volumes):
        return True
    if node["provision_state"] in _CLEANING:
        return False
    set_power_state(session, node["uuid"], OFF)
    return volume_targets.delete(session, node["uuid"], volumes)


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
