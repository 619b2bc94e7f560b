"""Ironic's nodes, driven as Nova's driver for Ironic does it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fake_server.compute.cloud import Refused, listed
from fake_server.compute.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.compute.session import Session
    from fake_server.db.store import Record

Node = dict[str, Any]

ACTIVE, DEPLOY_FAILED = "active", "deploy failed"
#: States in which a node has to be torn down before its server is deleted.
_DEPLOYED = frozenset(
    {
        ACTIVE,
        DEPLOY_FAILED,
        "deploying",
        "wait call-back",
        "error",
        "rescue",
        "rescue failed",
        "unrescue failed",
        "service failed",
        "deploy hold",
    }
)
#: States of nodes without a server, though they may have to be cleaned.
FREE = frozenset(
    {"available", "cleaning", "clean wait", "clean failed", "clean hold", "manageable", "enroll"}
)
_FIELDS = (
    "uuid",
    "instance_uuid",
    "provision_state",
    "target_provision_state",
    "power_state",
    "target_power_state",
    "last_error",
    "maintenance",
    "properties",
    "reservation",
)
#: Statuses of an answer that says that a VIF isn't attached; the last one in dialect ``spec``.
_NOT_ATTACHED = (400, 404, 422)
ON, OFF, REBOOT, SOFT_REBOOT = "power on", "power off", "rebooting", "soft rebooting"


def get(session: Session, uuid: str) -> Node | None:
    """Return a node, or ``None`` if there is none."""
    try:
        path = f"/nodes/{quote(uuid)}?{urlencode({'fields': ','.join(_FIELDS)})}"
        return dict(session.cloud.baremetal("GET", path))
    except Refused as exc:
        if exc.status == 404:
            return None
        raise


def with_servers(session: Session) -> dict[str, Node]:
    """Return the nodes that servers are on, by the id of the server."""
    return {node["instance_uuid"]: node for node in fetch(session, associated="True")}


def fetch(session: Session, **filters: str) -> list[Node]:
    """Return all nodes that meet filters of the Bare Metal API."""
    found: list[Node] = []
    path = f"/nodes?{urlencode({**filters, 'fields': ','.join(_FIELDS), 'limit': 1000})}"
    while path:
        page = session.cloud.baremetal("GET", path)
        found += page["nodes"]
        path = page.get("next", "").partition("/v1")[2]
    return found


def claim(session: Session, server: Record, uuid: str) -> Node:
    """Take a node for a server; raise BuildError if it isn't available."""
    node = get(session, uuid)
    if (
        node is None
        or node["provision_state"] != "available"
        or node["maintenance"]
        or node["instance_uuid"]
    ):
        raise BuildError(f"Chosen ironic node {uuid} is not available", elsewhere=True)
    try:
        _patch(session, uuid, [_add("/instance_uuid", server["id"])])
    except Refused as exc:
        raise BuildError(
            f"Failed to reserve node {uuid} when provisioning the instance {server['id']}: {exc}",
            elsewhere=True,
        ) from exc
    return node


def prepare(
    session: Session, server: Record, node: Node, owner: Mapping[str, str], *, from_volume: bool
) -> None:
    """Store in a node what its server is to be; raise BuildError if Ironic refuses."""
    try:
        _patch(session, node["uuid"], _instance_info(session, server, node, owner, from_volume))
    except Refused as exc:
        raise BuildError(
            f"Failed to add deploy parameters on node {node['uuid']} when provisioning the "
            f"instance {server['id']}: {exc}"
        ) from exc


def validate(session: Session, node: Node) -> None:
    """Raise BuildError, with what each interface says, unless a node can be deployed."""
    found = session.cloud.baremetal("GET", f"/nodes/{node['uuid']}/validate")
    kinds = ("deploy", "power", "storage")
    if all(found[kind]["result"] for kind in kinds):
        return
    reasons = ", ".join(
        f"{kind}: {'No Error' if found[kind]['result'] else found[kind]['reason']}"
        for kind in kinds
    )
    raise BuildError(f"Ironic node: {node['uuid']} failed to validate. ({reasons})")


def deploy(session: Session, node: Node, configdrive: Any) -> None:
    """Start deploying a node; raise BuildError if Ironic refuses."""
    try:
        provision(session, node["uuid"], "active", configdrive)
    except Refused as exc:
        raise BuildError(f"Failed to request Ironic to provision instance: {exc}") from exc


def provision(session: Session, uuid: str, target: str, configdrive: Any = None) -> None:
    """Ask for a provision state; raise Refused if Ironic refuses."""
    body: dict[str, Any] = {"target": target}
    if configdrive is not None:
        body["configdrive"] = configdrive
    session.cloud.baremetal("PUT", f"/nodes/{uuid}/states/provision", body)


def power(session: Session, uuid: str, target: str) -> None:
    """Ask for a power state; raise Refused if Ironic refuses."""
    session.cloud.baremetal("PUT", f"/nodes/{uuid}/states/power", {"target": target})


def tear_down(session: Session, node: Node) -> None:
    """Have a node undeployed, unless that is under way; raise Refused if Ironic can't yet."""
    if node["provision_state"] in _DEPLOYED and node["target_provision_state"] != "available":
        provision(session, node["uuid"], "deleted")


def release(session: Session, uuid: str) -> None:
    """Let a node that wasn't deployed forget its server."""
    removals = [{"op": "remove", "path": path} for path in ("/instance_info", "/instance_uuid")]
    try:
        _patch(session, uuid, removals)
    except Refused as exc:
        if exc.status != 404:
            raise


def connector_of(session: Session, server: Record, node: Node) -> dict[str, Any]:
    """Return what a node presents to the storage."""
    path = f"/volume/connectors?node={node['uuid']}&detail=True"
    values: dict[str, list[str]] = {}
    for found in listed(session.cloud.baremetal("GET", path)):
        values.setdefault(found["type"], []).append(found["connector_id"])
    connector: dict[str, Any] = {
        "platform": (node["properties"] or {}).get("cpu_arch"),
        "os_type": "baremetal",
        "host": server["hostname"],
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


def plug(session: Session, uuid: str, port_ids: Iterable[str]) -> None:
    """Attach VIFs to a node; raise Refused if Ironic refuses one."""
    for port_id in port_ids:
        session.cloud.baremetal("POST", f"/nodes/{uuid}/vifs", {"id": port_id})


def unplug(session: Session, uuid: str, port_ids: Iterable[str]) -> None:
    """Detach VIFs from a node, except those that aren't attached."""
    for port_id in port_ids:
        try:
            session.cloud.baremetal("DELETE", f"/nodes/{uuid}/vifs/{port_id}")
        except Refused as exc:
            if exc.status not in _NOT_ATTACHED:
                raise


def _patch(session: Session, uuid: str, patch: list[dict[str, Any]]) -> None:
    session.cloud.baremetal("PATCH", f"/nodes/{uuid}", patch)


def _add(path: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


def _instance_info(
    session: Session, server: Record, node: Node, owner: Mapping[str, str], from_volume: bool
) -> list[dict[str, Any]]:
    flavor = server["flavor"]
    values: dict[str, Any] = {
        "root_gb": str(flavor["disk"]),
        "swap_mb": str(flavor["swap"]),
        "display_name": server["name"],
        "vcpus": str(flavor["vcpus"]),
        "nova_host_id": session.host,
        "memory_mb": str(flavor["ram"]),
        "local_gb": str((node["properties"] or {}).get("local_gb", 0)),
        "project_id": server["project_id"],
        "project_name": owner["project_name"],
        "user_id": server["user_id"],
        "user_name": owner["user_name"],
        "flavor_name": flavor["name"],
    }
    if not from_volume:
        values["image_source"] = server["image_ref"]
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
    return [_add(f"/instance_info/{name}", value) for name, value in values.items()]
