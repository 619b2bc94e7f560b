"""Rescue and unrescue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors, states
from fake_server.baremetal.conductor import failures
from fake_server.baremetal.conductor.task import Plan
from fake_server.baremetal.task import history

if TYPE_CHECKING:
    from fake_server.baremetal.conductor.task import Task

#: A hash that no password matches.
_LOCKED = "*"


def request(task: Task, password: str) -> None:
    """Start rescuing the node.

    :param password: password of the rescue system.
    """
    node = task.node
    if node["maintenance"]:
        raise errors.NodeInMaintenance(op="rescuing", node=node["uuid"])
    node["instance_info"]["rescue_password"] = password
    node["instance_info"]["hashed_rescue_password"] = hashed(password)
    try:
        task.driver.power.validate(task)
        task.driver.rescue.validate(task)
        task.driver.network.validate(task)
    except (errors.InvalidParameterValue, errors.UnsupportedDriverExtension) as exc:
        _forget_password(task)
        raise errors.Invalid(
            f"Failed to rescue instance {node['instance_uuid']} for node {node['uuid']}: "
            f"Validation failed: {exc}"
        ) from exc
    task.process("rescue", work="_do_node_rescue")


def request_unrescue(task: Task) -> None:
    """Start leaving the rescue system."""
    node = task.node
    task.forget("agent_url")
    if node["maintenance"]:
        raise errors.NodeInMaintenance(op="unrescuing", node=node["uuid"])
    task.process("unrescue", work="_do_node_unrescue")


def do_node_rescue(task: Task) -> None:
    """Boot the rescue system."""
    try:
        waits = task.driver.rescue.rescue(task)
    except errors.ApiError as exc:
        _forget_password(task)
        history.record(task, f"Failed to rescue: {exc}", states.RESCUE, error=True)
        task.process("fail")
        raise
    task.plan = Plan("finish_rescue", {"event": "wait" if waits else "done"})


def do_node_unrescue(task: Task) -> None:
    """Boot the instance again."""
    try:
        task.driver.rescue.unrescue(task)
    except errors.ApiError as exc:
        history.record(task, f"Failed to unrescue: {exc}", states.RESCUE, error=True)
        task.process("fail")
        raise
    failures.forget_agent(task)
    task.save()
    task.plan = Plan("finish_unrescue", {"event": "done"})


def do_node_rescue_abort(task: Task) -> None:
    """Clean up after a rescue that was aborted."""
    try:
        task.driver.rescue.clean_up(task)
    except errors.ApiError:
        node = task.node
        text = "Failed to clean up rescue after aborting the operation"
        history.record(task, text, states.RESCUE, error=True)
        node |= {"maintenance": True, "maintenance_reason": text, "fault": "rescue abort failure"}
        task.save()
        return
    task.plan = Plan("finish_rescue_abort", {})


def finish_rescue_abort(task: Task) -> None:
    """Record that the rescue was aborted."""
    history.record(task, "By request, the rescue operation was aborted.", states.RESCUE)
    task.forget("agent_url")
    task.save()


def abort(task: Task) -> None:
    """Abort a rescue that waits for its agent."""
    _forget_password(task)
    task.process("abort", work="_do_node_rescue_abort")


def _forget_password(task: Task) -> None:
    """Remove the password of the rescue system."""
    for key in ("rescue_password", "hashed_rescue_password"):
        task.node["instance_info"].pop(key, None)
    task.save()


def hashed(password: str) -> str:
    """Return the hash of a password as ``/etc/shadow`` has it, by SHA-256, with a salt.

    Where the system's library is missing, the hash matches no password.
    """
    # It loads that library, and few servers ever need it.
    from oslo_utils import secretutils

    try:
        return secretutils.crypt_password(password, secretutils.crypt_mksalt("SHA-256"))
    except RuntimeError:
        return _LOCKED
