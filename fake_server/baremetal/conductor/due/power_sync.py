"""The look at the power state of a node and of its machine."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from fake_server.baremetal import errors, periodic
from fake_server.baremetal.conductor import work
from fake_server.baremetal.conductor.due.at_node import AtNode
from fake_server.baremetal.conductor.task import Task
from fake_server.baremetal.task import history, power
from fake_server.common import logs
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

LOG = logs.logger(__name__)

_MONITORING = "monitoring"


def act(session: Session, node: Record, row: Record) -> None:
    """Have a periodic task look at a node, and plan the next look."""
    failures = before = row["arguments"]["failures"]
    task = Task(session, node, shared=True)
    if node["reservation"] is not None:
        wait = periodic.interval(session.settings.periodic, node, failures, changed=True)
        if wait:
            work.look_later(task, row, wait)
        return
    try:
        with session.tx.savepoint():
            failures = look(task, before)
    except RetryError:
        raise
    except Exception:
        LOG.exception("A periodic task crashed on node %s", node["uuid"])
    task.cancel_due(periodic.POWER_SYNC)  # what its own changes have planned
    wait = periodic.interval(session.settings.periodic, task.node, failures, changed=False)
    if not wait:
        return
    # Looks that find what the one before them found needn't be caught up with.
    same = task.node["updated_at"] == node["updated_at"] and failures == before
    looks = 1 + (session.clock.late() // wait if same else 0)
    task.make_due(periodic.POWER_SYNC, wait * looks, {"failures": failures})


def look(task: Task, failures: int) -> int:
    """Have the periodic task that concerns the node do its work.

    :param failures: how many attempts failed so far to bring its power state in line.
    :returns: how many have failed now.
    """
    if periodic.is_recovering(task.node):
        _recover(task)
    elif periodic.is_synced(task.node):
        return _sync_power_state(task, failures + 1)
    return failures


def _recover(task: Task) -> None:
    """End the maintenance of a node whose power state can be read again."""
    try:
        task.driver.power.validate(task)
        power_state = task.driver.power.state(task)
    except errors.ApiError:
        return
    task.node.update(
        power_state=power_state, maintenance=False, maintenance_reason=None, fault=None
    )
    task.save()


def _sync_power_state(task: Task, attempt: int) -> int:
    """Bring the power state of a node and of its machine in line.

    :param attempt: number of attempts, including this one.
    :returns: how many of them failed, as the next attempt counts them.
    """
    node, options = task.node, task.session.settings.periodic
    try:
        if node["power_state"] is None:
            task.driver.power.validate(task)
    except errors.InvalidParameterValue:
        return 0
    try:
        actual = task.driver.power.state(task)
    except errors.ApiError as exc:
        if attempt > options[periodic.RETRIES]:
            _give_up(task, None, f" Error: {exc}")
        return attempt
    _note_hardware(task)
    node = task.node
    if node["power_state"] == actual:
        node["last_error"] = None
        task.save()
        return 0
    if node["power_state"] is None:
        node.update(power_state=actual, last_error=None)
        task.save()
        return 0
    if attempt > options[periodic.RETRIES]:
        _give_up(task, actual)
    elif (
        options[periodic.FORCE]
        and task.driver.power.can_be_synced
        and not node["disable_power_off"]
    ):
        with suppress(errors.ApiError):
            power.act(task, node["power_state"])
    else:
        node["power_state"] = actual
        task.save()
    return attempt


def _note_hardware(task: Task) -> None:
    """Store vendor, boot mode and health, as far as the management interface can read them."""
    node, management = task.node, task.driver.management
    with suppress(errors.ApiError):
        management.refresh(task)
    task.save()
    with suppress(errors.ApiError):
        health, before = management.health(task), node["health"]
        if health != before:
            text = f"Node health status changed: health='{health}' (previously '{before}')"
            task.node["health"] = health
            task.save()
            history.record(task, text, _MONITORING)


def _give_up(task: Task, actual: str | None, cause: str = "") -> None:
    """Put a node into maintenance whose power state couldn't be synchronized."""
    node = task.node
    text = (
        f"During sync_power_state, max retries exceeded for node {node['uuid']}, node state "
        f"{actual} does not match expected state '{node['power_state']}'. Updating DB state to "
        f"'{actual}' Switching node to maintenance mode.{cause}"
    )
    node["power_state"] = actual
    history.record(task, text, _MONITORING, error=True)
    node.update(maintenance=True, maintenance_reason=text, fault=periodic.POWER_FAILURE)
    task.save()


KIND = AtNode(periodic.POWER_SYNC, act, jump="never")
