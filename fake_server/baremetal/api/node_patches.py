"""Patches of nodes, and the checks of what they change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions, states
from fake_server.baremetal.api import node_schema, patches, permissions
from fake_server.baremetal.api.lookup import check_inspection, find_linked_node
from fake_server.baremetal.errors import ApiError, Conflict, Invalid
from fake_server.baremetal.models import chassis, nodes
from fake_server.baremetal.models.allocations import ALLOCATIONS
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.node_fields import MAX_DESCRIPTION
from fake_server.common.parsing import parse_boolean

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

#: The ends of the names of policies, by the field that each guards.
_POLICIES = {field.name: field.policy for field in NODES.fields.rows}
_UPDATE_OWNER_PROVISIONED = "baremetal:node:update_owner_provisioned"
_REMOVE_INSTANCE = [{"op": "remove", "path": "/instance_uuid"}]


def check(ctx: Context, operations: patches.Patch, *, reset_interfaces: bool) -> None:
    """Raise ApiError for a patch that no node could take, 406 for fields of later versions."""
    patches.check_fields(ctx, operations, node_schema.PATCHABLE)
    for name, since in NODES.fields.asked.items():
        if patches.values(operations, f"/{name}"):
            ctx.require(since)
    if reset_interfaces and not patches.values(operations, "/driver"):
        raise Invalid(
            "The reset_interfaces parameter can only be used when changing the node's driver."
        )
    for description in patches.values(operations, "/description")[:1]:
        if not isinstance(description, str | list | dict):
            raise Invalid("A new description has to be a string; remove it to have none.")
        if len(description) > MAX_DESCRIPTION:
            raise Invalid(
                f"Cannot update node with description exceeding {MAX_DESCRIPTION} characters"
            )
    for value in patches.values(operations, "/network_data"):
        error = node_schema.NETWORK_DATA.best(value)
        if error is not None:
            raise Invalid(f"Invalid network_data: {error.message} ")
    if {"op": "remove", "path": "/automated_clean"} in operations:
        raise Invalid("The field automated_clean can't be removed; replace it with null instead.")


def policies(operations: patches.Patch) -> list[str]:
    """Return the policies that guard what a patch does to a node, in the order of the checks."""
    found = [_policy(operation) for operation in operations]
    named = [policy for policy in found if policy is not None]
    return named if named and None not in found else [*named, "update"]


def parent(ctx: Context, node: Record, operations: patches.Patch) -> str | None:
    """Return the UUID of the parent that a patch asks for.

    :raises Invalid: if there is no such node, or it isn't of the same owner.
    """
    asked = patches.values(operations, "/parent_node")
    if not asked:
        return None
    found = find_linked_node(ctx, asked[0], node["owner"], "parent_node")
    return None if found["id"] == node["id"] else str(found["uuid"])


def check_state(ctx: Context, node: Record, ident: str, operations: patches.Patch) -> None:
    """Raise Conflict for a node in transition, unless the patch only ends its instance."""
    if node["maintenance"] and list(operations) == _REMOVE_INSTANCE:
        return
    if node["target_provision_state"] and node["provision_state"] not in states.UPDATABLE:
        raise Conflict(f"Node {ident} can not be updated while a state transition is in progress.")
    check_inspection(ctx, node, f'node "{node["uuid"]}"')
    if not patches.values(operations, "/owner"):
        return
    provisioned = node["provision_state"] == states.ACTIVE
    if provisioned and not permissions.permits(ctx, _UPDATE_OWNER_PROVISIONED, node):
        raise Conflict(
            f'Cannot update owner of node "{node["uuid"]}" while it is in state "{states.ACTIVE}".'
        )
    if node["allocation_id"] is not None:
        found = ALLOCATIONS.find(ctx.session, node_id=node["id"])
        if found is not None and found["owner"] is not None:
            raise Conflict(
                f'Cannot update owner of node "{node["uuid"]}" while it is allocated to an '
                "allocation with an  owner."
            )


def changes(
    ctx: Context, node: Record, operations: patches.Patch, new_parent: str | None
) -> dict[str, Any]:
    """Return the columns that a patch changes; raise ApiError if it can't be applied."""
    document = NODES.document(node)
    document["chassis_uuid"] = nodes.chassis_uuid(ctx.session, node)
    patched = patches.apply(document, operations)
    if new_parent is not None:
        patched["parent_node"] = new_parent
    settable = {name: patched[name] for name in patched if name in NODES.fields.settable}
    node_schema.patched_node("patch", settable)
    chassis_id = chassis.identify(ctx.session, settable.pop("chassis_uuid", None))
    if not isinstance(settable.get("conductor_group"), str):
        raise ApiError("The conductor_group of a node can't be removed; set it to an empty string.")
    settable["conductor_group"] = settable["conductor_group"].lower()
    if settable.get("maintenance") is None:
        raise ApiError("Field maintenance can't be removed or null: use true or false.")
    if settable.get("protected") is None:
        settable["protected"] = False
    changed = NODES.changes(document, settable)
    if node["chassis_id"] != chassis_id:
        if chassis_id is None:
            ctx.require(microversions.CHASSIS_REMOVAL)
        changed["chassis_id"] = chassis_id
    return changed


def _policy(operation: dict[str, Any]) -> str | None:
    name = operation["path"].split("/")[1]
    if name == "automated_clean" and parse_boolean(operation.get("value")) is False:
        return "disable_cleaning"
    return _POLICIES.get(name)
