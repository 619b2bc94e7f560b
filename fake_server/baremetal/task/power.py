"""Power actions, and the power states that they lead to."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from fake_server.baremetal import errors, periodic, states
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.tables import nodes
from fake_server.baremetal.task import history

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task
    from fake_server.db.store import Record

#: Actions that end the agent on the node.
_INTERRUPTING = (states.POWER_OFF, states.SOFT_POWER_OFF, states.REBOOT, states.SOFT_REBOOT)
_OF_THE_AGENT = (
    "agent_url",
    "agent_cached_deploy_steps",
    "agent_cached_clean_steps",
    "agent_verify_ca",
    "agent_start_attempted",
)


def act(task: Task, action: str, acting: frozenset[int] = frozenset()) -> None:
    """Carry a power action out; raise ApiError if it fails; the node's ``last_error`` says why.

    :param acting: the ids of the nodes for which it is done, whose parent or child the node is.
    """
    node = task.node
    target = target_of(action)
    if target == states.POWER_OFF and node["disable_power_off"]:
        raise errors.PowerStateFailure(pstate=action)
    try:
        current = task.driver.power.state(task)
    except errors.ApiError as exc:
        node["target_power_state"] = None
        reason = f"Failed to change power state to '{action}': {exc}"
        history.record(task, reason, "UNKNOWN", error=True)
        task.save()
        raise
    if _is_done_already(current, action):
        node["power_state"] = current
        node["last_error"] = None
        node["target_power_state"] = None
        task.save()
        if action in _INTERRUPTING:
            _forget_agent(task)
            task.save()
        return
    node["target_power_state"] = target
    if node["provision_state"] not in states.FAILED:
        node["last_error"] = None
    task.stamp("last_power_state_change")
    if action in _INTERRUPTING:
        _forget_agent(task)
    task.save()
    try:
        if target == states.POWER_ON and node["provision_state"] == states.ACTIVE:
            task.driver.storage.attach_volumes(task)
        _act_on_relatives(task, action, acting | {node["id"]})
        _check_injected_failure(task, action)
        task.driver.power.act(task, action)
    except errors.ApiError as exc:
        task.node["target_power_state"] = None
        reason = f"Failed to change power state to '{target}' by '{action}': {exc}"
        history.record(task, reason, "UNKNOWN", error=True)
        task.save()
        raise
    task.node["power_state"] = target
    task.node["target_power_state"] = None
    task.save()
    if target == states.POWER_OFF and node["provision_state"] == states.ACTIVE:
        # The node stays off, even if its volumes can't be detached.
        with suppress(errors.StorageError):
            task.driver.storage.detach_volumes(task)


def _check_injected_failure(task: Task, action: str) -> None:
    """Raise ApiError if tests have set the action to fail."""
    session = task.session
    text = session.fault_injection.failure(session.tx, task.node, "power", f"power.{action}")
    if text is not None:
        raise errors.ApiError(text)


def boot(task: Task) -> None:
    """Power the node on, or reboot it if it must not be powered off."""
    act(task, states.REBOOT if task.node["disable_power_off"] else states.POWER_ON)


def off_if_allowed(task: Task) -> None:
    """Power the node off, unless it must not be."""
    if not task.node["disable_power_off"]:
        act(task, states.POWER_OFF)


def target_of(action: str) -> str:
    """Return the power state that an action leads to."""
    return states.POWER_ON if action in states.POWERING_ON else states.POWER_OFF


def _is_done_already(state: str | None, action: str) -> bool:
    if state == states.POWER_ON:
        return action == states.POWER_ON
    return state == states.POWER_OFF and action in (states.POWER_OFF, states.SOFT_POWER_OFF)


def _forget_agent(task: Task) -> None:
    task.cancel_due(periodic.AGENT_HEARTBEAT)
    task.forget(*_OF_THE_AGENT)
    if not task.internal.get("agent_secret_token_pregenerated"):
        task.forget("agent_secret_token")


def _act_on_relatives(task: Task, action: str, acting: frozenset[int]) -> None:
    """Power the parent on before its child, and the children off before their parent.

    :param acting: the ids of the nodes whose power is being changed, which are locked.
    """
    node, session = task.node, task.session
    parent = node["parent_node"]
    shares_power = parent and not node["driver_info"].get("has_dedicated_power_supply", False)
    if action == states.POWER_ON and shares_power:
        other = task.of(NODES.get_by_uuid(session, parent))
        if other.node["power_state"] != states.POWER_ON:
            _lock(other, node, "parent_node", acting)
            act(other, states.POWER_ON, acting)
    elif action == states.POWER_OFF:
        for row in _dependent_children(task):
            child = task.of(row)
            if child.node["power_state"] == states.POWER_OFF:
                continue
            _lock(child, node, "child_node", acting)
            act(child, states.POWER_OFF, acting)


def _lock(relative: Task, node: Record, relation: str, acting: frozenset[int]) -> None:
    """Lock a relative of a node; raise Conflict if it is locked already, maybe by this action."""
    try:
        if relative.node["id"] in acting:
            raise errors.NodeLocked(node=relative.node["uuid"], host=relative.host)
        relative.lock()
    except errors.NodeLocked as exc:
        raise errors.Conflict(
            f"Node {node['uuid']} {relation} {relative.node['uuid']} is presently locked and we "
            "are unable to perform any action on it at this time. Please retry after the current "
            "operation is completed."
        ) from exc


def _dependent_children(task: Task) -> list[Record]:
    return [
        row
        for row in task.session.tx.rows(nodes, "id", parent_node=task.node["uuid"])
        if not (row["driver_info"] or {}).get("has_dedicated_power_supply", False)
    ]
