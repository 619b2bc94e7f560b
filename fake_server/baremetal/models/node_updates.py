"""Change the fields of a node: what its state allows, and what a change implies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, interfaces, states
from fake_server.baremetal.hardware_types import KINDS
from fake_server.baremetal.models import allocations, conductors, enrolment, nodes
from fake_server.baremetal.models.nodes import NODES

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

#: Provision states in which hardware interfaces may change, in the order of the error's text.
_FREE_STATES = (
    states.ENROLL,
    states.INSPECTING,
    states.INSPECTWAIT,
    states.MANAGEABLE,
    states.AVAILABLE,
)


def update(
    session: Session,
    node: Record,
    changes: dict[str, Any],
    ident: str,
    *,
    reset_interfaces: bool = False,
) -> Record:
    """Change fields of a node and return it as it is then.

    :param changes: columns that differ, with their new values.
    :param ident: UUID or name of the node in the request.
    :param reset_interfaces: whether a new driver gets the default interfaces.
    :raises ApiError: 400 for a value, 409 for a state that doesn't allow it.
    """
    changes = {**changes, **_instance_name(node, changes)}
    after = {**node, **changes}
    host = conductors.require(session, after, 400)
    if "driver" in changes and node["console_enabled"]:
        raise errors.Conflict(
            f"Node {ident} can not update the driver while the console is enabled. "
            "Please stop the console first."
        )
    changes |= _maintenance(changes) | _protection(node, changes) | _retirement(node, changes)
    after |= changes
    _check_interfaces(node, changes)
    if "driver" in changes and reset_interfaces:
        after |= {f"{kind}_interface": None for kind in KINDS if f"{kind}_interface" not in changes}
    if "driver" in changes or any(f"{kind}_interface" in changes for kind in KINDS):
        interfaces.set_defaults(session.settings, after)
    if "deploy_interface" in changes or ("driver" in changes and reset_interfaces):
        # What was chosen goes before what autodetect would put back.
        internal = dict(after["driver_internal_info"] or {})
        if internal.pop("original_deploy_interface", None):
            after["driver_internal_info"] = internal
    nodes.lock(session, node)
    _check_instance(node, changes)
    _check_resource_class(node, changes)
    if node["allocation_id"] is not None and not changes.get("instance_uuid", True):
        _check_allocated(node)
        allocations.destroy(session, node["allocation_id"])
        node = {**node, "allocation_id": None}
        after["allocation_id"] = None
    enrolment.check_properties(node["uuid"], changes.get("properties"))
    changed = {name: after[name] for name in after if name in node and after[name] != node[name]}
    # The answer shows the node while it is still locked.
    return {**NODES.update(session, node, changed), "reservation": host}


def _instance_name(node: Record, changes: dict[str, Any]) -> dict[str, Any]:
    name = changes.get("instance_name", node["instance_name"])
    display_name = (changes.get("instance_info") or {}).get("display_name")
    return {"instance_name": display_name} if display_name and not name else {}


def _maintenance(changes: dict[str, Any]) -> dict[str, Any]:
    if changes.get("maintenance", True):
        return {}
    return {"maintenance_reason": None, "fault": None}


def _protection(node: Record, changes: dict[str, Any]) -> dict[str, Any]:
    state = node["provision_state"]
    if changes.get("protected") and state not in (states.ACTIVE, states.RESCUE):
        raise errors.InvalidState(
            f"Node {node['uuid']} can only be made protected in provision states 'active' or "
            f"'rescue', the current state is '{state}'"
        )
    return _reason(node, changes, "protected")


def _retirement(node: Record, changes: dict[str, Any]) -> dict[str, Any]:
    if changes.get("retired") and node["provision_state"] == states.AVAILABLE:
        raise errors.InvalidState(
            f"Node {node['uuid']} can not have 'retired' set in provision state 'available', "
            "the current state is 'available'"
        )
    return _reason(node, changes, "retired")


def _reason(node: Record, changes: dict[str, Any], field: str) -> dict[str, Any]:
    """Return what a change of a field implies for its reason, which only a set field has."""
    if field in changes and not changes[field]:
        return {f"{field}_reason": None}
    if changes.get(f"{field}_reason") and not changes.get(field, node[field]):
        raise errors.InvalidParameterValue(
            f"The {field}_reason field can only be set when {field} is True"
        )
    return {}


def _check_interfaces(node: Record, changes: dict[str, Any]) -> None:
    maintained = changes.get("maintenance", node["maintenance"])
    if maintained or node["provision_state"] in _FREE_STATES:
        return
    for kind in KINDS:
        field = f"{kind}_interface"
        if field in changes:
            raise errors.InvalidState(
                f"Node {node['uuid']} can not have {field} updated unless it is in one of allowed "
                f"({', '.join(_FREE_STATES)}) states or in maintenance mode. Current state is "
                f"'{node['provision_state']}'."
            )


def _check_instance(node: Record, changes: dict[str, Any]) -> None:
    if changes.get("instance_uuid") and node["instance_uuid"]:
        raise errors.NodeAssociated(node=node["uuid"], instance=node["instance_uuid"])


def _check_allocated(node: Record) -> None:
    if not node["maintenance"] and node["provision_state"] not in _FREE_STATES:
        raise errors.InvalidState(
            f"Node {node['uuid']} with an allocation can not have instance_uuid removed unless it "
            f"is in one of allowed ({', '.join(_FREE_STATES)}) states or in maintenance mode. "
            f"Current state is '{node['provision_state']}'."
        )


def _check_resource_class(node: Record, changes: dict[str, Any]) -> None:
    if (
        "resource_class" in changes
        and node["resource_class"]
        and node["provision_state"] not in _FREE_STATES
    ):
        raise errors.InvalidState(
            f"Node {node['uuid']} can not have resource_class updated unless it is in one of "
            f"allowed ({', '.join(_FREE_STATES)}) states. Current state is "
            f"'{node['provision_state']}'."
        )
