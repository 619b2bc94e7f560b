"""What Ironic refuses of resources that belong to nodes, and of resources of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.declare import states
from baremetalclient.v1.provision_states import find_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient.declare.compare import Changes, Path
    from baremetalclient.declare.inventory import Found, Inventory
    from baremetalclient.declare.lab import Item

OFF = "power off"
VOLUMES = ("volume_connectors", "volume_targets")
SETTLED = frozenset(
    {
        *("address", "portgroup_uuid", "pxe_enabled", "local_link_connection"),
        *("physical_network", "standalone_ports_supported", "mode"),
    }
)
"""Fields of ports and port groups that Ironic changes only in some states, or in maintenance."""

_UNIQUE = {
    "ports": ("address", "name"),
    "portgroups": ("name", "address"),
}
_VIF_KEYS = tuple(
    f"{kind}_vif_port_id"
    for kind in ("tenant", "cleaning", "provisioning", "rescuing", "inspection", "servicing")
)


def change(
    key: str,
    item: Item,
    found: Found | None,
    changes: Changes,
    node: Found | None,
    node_fields: Mapping[str, Any],
    inventory: Inventory,
) -> tuple[str | None, list[Path]]:
    """Return why something can't be created or changed, and which of the changes.

    :param key: the key of the list that it is in.
    :param item: the resource in the file.
    :param found: the resource as it is; None for a new one.
    :param changes: the values that change.
    :param node: the node that it belongs to, as it is.
    :param node_fields: the fields of this node in the file.
    :param inventory: the resources on the server.
    """
    if found is None:
        for name in _UNIQUE.get(key, ()):
            other = inventory.by(key, item.fields.get(name), name)
            if other is not None:
                reason = f"{item.kind.name} {other['uuid']} already has this {name}"
                return reason, list(changes)
        return None, []
    fixed = [path for path in changes if path[0] in (*item.kind.fixed, "node_uuid", "uuid")]
    if key == "allocations" and fixed:
        return f"it can't be changed after the {item.kind.name} was created", fixed
    if ("uuid",) in changes:
        return f"the UUID can't be changed; it is {found['uuid']}", [("uuid",)]
    if ("sensitive",) in changes and found.get("sensitive"):
        return "an inspection rule stays sensitive", [("sensitive",)]
    if key in VOLUMES and changes and node and _stays_on(node, node_fields):
        return _powered_on(node), list(changes)
    return None, []


def removal(key: str, found: Found, node: Found, node_fields: Mapping[str, Any]) -> str | None:
    """Return why a resource of a node can't be removed, None if it can."""
    info = found.get("internal_info") or {}
    vif = next((info[name] for name in _VIF_KEYS if info.get(name)), None)
    if key in ("ports", "portgroups") and vif:
        return f"the VIF {vif} is attached to it"
    if key in VOLUMES and _stays_on(node, node_fields):
        return _powered_on(node)
    return None


def deletion(node: Found) -> str | None:
    """Return why a node that no file names is kept, None if it can be deleted."""
    if node.get("instance_uuid"):
        return f"it has the instance {node['instance_uuid']}"
    state = node["provision_state"]
    if state in ("active", "rescue"):
        return f"it is in {state}"
    if find_state(state).kind in ("working", "waiting", "on hold"):
        return f"it is in {state}, which is not a stable state"
    return "it is protected" if node.get("protected") else None


def _stays_on(node: Found, fields: Mapping[str, Any]) -> bool:
    """Return whether a machine in use is powered on, and the file doesn't power it off."""
    state = states.settled(node)
    in_use = state not in states.DELETABLE and fields.get("provision_state") not in (
        states.MANAGEABLE,
        states.AVAILABLE,
    )
    return in_use and node.get("power_state") != OFF and fields.get("power_state") != OFF


def _powered_on(node: Found) -> str:
    return (
        f"the node is in {node['provision_state']} and {node['power_state']}; Ironic changes its "
        "volume connectors and targets only while it is powered off"
    )
