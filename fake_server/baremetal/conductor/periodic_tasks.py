"""The effects of the conductors' periodic tasks on a node."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from fake_server.baremetal import errors, periodic, states
from fake_server.baremetal.conductor import failures as failures_of_nodes
from fake_server.baremetal.models import conductors
from fake_server.baremetal.models import nodes as node_models
from fake_server.baremetal.task import history, power
from fake_server.baremetal.task.task import Task
from fake_server.clock import Clock
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

LOG = logging.getLogger(__name__)

_MONITORING = "monitoring"


def apply_due(session: Session, node: Record) -> None:
    """Have a periodic task look at a node when it was due to, and plan the next look."""
    now, moment, failures = session.clock.seconds(), node["looked_at"], node["power_sync_failures"]
    session.clock = Clock("manual", start=moment)
    task = Task(session, node, shared=True)
    try:
        with session.tx.savepoint():
            failures = look(task)
    except RetryError:
        raise
    except Exception:
        LOG.exception("A periodic task crashed on node %s", node["uuid"])
    after = {**task.node, "power_sync_failures": failures}
    wait = periodic.interval(session.settings.periodic, after, changed=False)
    if not wait:
        node_models.look_again(session, node, None, failures)
        return
    # Looks that find what the one before them found needn't be caught up with.
    same = task.node["updated_at"] == node["updated_at"] and failures == node["power_sync_failures"]
    following = moment + wait * (1 + (now - moment) // wait if same else 1)
    node_models.look_again(session, node, following, failures)


def look(task: Task) -> int:
    """Have the periodic task that concerns the node do its work.

    :returns: how many attempts failed so far to bring its power state in line.
    """
    failures: int = task.node["power_sync_failures"]
    holder = task.node["reservation"]
    if holder is not None:
        if holder in conductors.down(task.session.tx):
            _take_over(task)
        return failures
    if periodic.is_recovering(task.node):
        _recover(task)
    elif periodic.is_synced(task.node):
        return _sync_power_state(task, failures + 1)
    return failures


def _take_over(task: Task) -> None:
    """Unlock a node that a conductor had locked which is down, and fail what it was doing."""
    node = task.node
    node["reservation"] = None
    task.save()
    node = task.node
    if node["maintenance"]:
        return
    if node["target_power_state"] is not None:
        node["target_power_state"] = None
        text = "Pending power operation was aborted due to conductor take over"
        history.record(task, text, "takeover", error=True)
        task.save()
    state = task.node["provision_state"]
    if state not in (states.DEPLOYING, states.CLEANING):
        return
    text = "Operation was aborted due to conductor take over"
    task.node["last_error"] = None
    task.process("fail")
    if state == states.CLEANING:
        failures_of_nodes.cleaning_error_handler(task, text, set_state=False)
    else:
        history.record(task, text, "takeover", error=True)
        task.save()


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
