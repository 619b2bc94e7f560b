"""Change ports and port groups, if the state of their node allows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states, tables
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.models import nodes
from fake_server.baremetal.models.portgroups import PORTGROUPS
from fake_server.baremetal.models.ports import PORTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.baremetal.conductor.task import Task
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

#: Columns that say how a port is connected, and provision states in which they may change.
_CONNECTIVITY = ("portgroup_id", "pxe_enabled", "local_link_connection", "physical_network")
_FREE_STATES = (states.ENROLL, states.INSPECTING, states.INSPECTWAIT, states.MANAGEABLE)


def create_port(session: Session, node: Record, values: Mapping[str, Any]) -> Record:
    """Create a port of a node; raise Conflict if it isn't unique or its networks differ."""
    with node_task(session, node, shared=True) as task:
        _join(task, None, values)
        return PORTS.create(session, values)


def update_port(
    session: Session,
    node: Record,
    port: Record,
    changes: Mapping[str, Any],
    touched: Collection[str] = (),
) -> Record:
    """Change a port and return it as it is then.

    :param node: the node it belongs to afterwards.
    :param touched: columns that are set to what they are; the node has to allow that, too.
    :raises NodeLocked, InvalidState, Conflict: if the node or other ports don't allow it.
    """
    with node_task(session, node) as task:
        _check_state(node, port, {*changes, *touched})
        _join(task, port, changes)
        task.driver.network.validate(task)
        changes = task.driver.network.port_changed(task, port, changes)
        return PORTS.update(session, port, changes)


def delete_port(session: Session, node: Record, port: Record) -> None:
    """Remove a port.

    :raises NodeLocked, InvalidState: if the node is locked or the port is in use.
    """
    with node_task(session, node) as task:
        vif = task.driver.network.get_current_vif(task, port)
        if vif and not node["maintenance"]:
            raise errors.InvalidState(
                f"Cannot delete the port {port['uuid']} as it is bound to VIF {vif} for use."
            )
        PORTS.delete(session, port)


def update_portgroup(
    session: Session, node: Record, group: Record, changes: Mapping[str, Any]
) -> Record:
    """Change a port group and return it as it is then; see :func:`update_port`."""
    with node_task(session, node) as task:
        if "node_id" in changes:
            _check_move(session, node, group)
        task.driver.network.validate(task)
        changes = task.driver.network.portgroup_changed(task, group, changes)
        return PORTGROUPS.update(session, group, changes)


def delete_portgroup(session: Session, node: Record, group: Record) -> None:
    """Remove a port group.

    :raises NodeLocked, Invalid: if the node is locked or it has ports.
    """
    nodes.lock(session, node)
    PORTGROUPS.delete(session, group)


def _check_state(node: Record, port: Record, changes: Collection[str]) -> None:
    in_use = node["provision_state"] == states.ACTIVE or node["instance_uuid"]
    if in_use and "address" in changes and not node["maintenance"]:
        raise errors.InvalidState(
            f"Cannot update hardware address for port {port['uuid']} as node {node['uuid']} is "
            "active or has instance UUID assigned"
        )
    allowed = node["provision_state"] in _FREE_STATES or node["maintenance"]
    if not allowed and any(name in changes for name in _CONNECTIVITY):
        raise errors.InvalidState(
            f"Port {port['uuid']} can not have any connectivity attributes "
            f"({', '.join(_CONNECTIVITY)}) updated unless node {node['uuid']} is in a "
            f"{', '.join(_FREE_STATES)} state or in maintenance mode. The current state is "
            f"{node['provision_state']}."
        )


def _check_move(session: Session, node: Record, group: Record) -> None:
    if node["provision_state"] not in _FREE_STATES and not node["maintenance"]:
        raise errors.InvalidState(
            f"Portgroup {group['uuid']} can not be associated to node {node['uuid']} unless the "
            f"node is in a {', '.join(_FREE_STATES)} state or in maintenance mode. Current state "
            f"is '{node['provision_state']}'."
        )
    if session.tx.get(tables.ports, portgroup_id=group["id"]):
        raise errors.Invalid(
            f"Portgroup {group['uuid']} can not be associated with node {node['uuid']} because "
            "there are ports associated with this portgroup."
        )


def _join(task: Task, port: Record | None, changes: Mapping[str, Any]) -> None:
    """Keep a port group within one physical network when a port joins it or moves.

    The first port with a network decides for the group.

    :raises Conflict: if the port is in another network than the group.
    """
    after = {**(port or {}), **changes}
    if not after.get("portgroup_id") or not {"portgroup_id", "physical_network"} & set(changes):
        return
    network = after.get("physical_network")
    group = next((row for row in task.portgroups if row["id"] == after["portgroup_id"]), None)
    taken = {
        row["physical_network"]
        for row in task.ports
        if row["portgroup_id"] == after["portgroup_id"] and (not port or row["id"] != port["id"])
    }
    if not taken:
        if group is None:
            return
        if group["physical_network"] is None:
            if network is not None:
                PORTGROUPS.update(task.session, group, {"physical_network": network})
            return
        taken = {group["physical_network"]}
    present = taken.pop()
    if network != present:
        name = group["uuid"] if group else None
        raise errors.Conflict(
            f"Port with physical network {network} cannot become a member of port group {name} "
            f"which has ports in physical network {present}."
        )
