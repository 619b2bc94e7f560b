"""Go on with the instances whose nodes Ironic has finished with, as Nova's ComputeManager."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fake_server.common import logs
from fake_server.compute import builds, driver, endings, power_states, volume_targets, volumes
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import InstanceNotFound
from fake_server.compute.models import actions, block_devices, instances
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from fake_server.compute.session import Session
    from fake_server.db.store import Record

LOG = logs.logger(__name__)

#: Of the tasks of rescuing: what the node becomes, what it becomes if that fails, what the instance
#: becomes, and what is said of a failure.
_RESCUES = {
    instances.RESCUING: (
        driver.RESCUE,
        driver.RESCUE_FAILED,
        instances.RESCUED,
        "Instance {} cannot be rescued: Driver Error: Failed to move instance to rescue mode: {}",
    ),
    instances.UNRESCUING: (
        driver.ACTIVE,
        driver.UNRESCUE_FAILED,
        instances.ACTIVE,
        "Failed to unrescue instance: {1}",
    ),
}


def go_on(session: Session, ident: str) -> None:
    """Take a step for an instance with unfinished work, if that is possible now."""
    try:
        step(session, ident)
    except (Refused, InstanceNotFound):
        pass  # the next look tries again, unless another process did
    except RetryError:
        raise
    except Exception as exc:
        LOG.exception("Going on with server %s crashed", ident)
        # The step would crash again.
        with suppress(InstanceNotFound):
            instance = instances.get(session, ident)
            endings.set_error_state(session, instance, f"Unexpected error: {exc!r}")


def step(session: Session, ident: str) -> None:
    """Take an instance as far as possible now; raise Refused if another service fails."""
    try:
        instance = instances.get(session, ident)
    except InstanceNotFound:
        return
    task = instance["task_state"]
    if task == instances.DELETING:
        endings.delete(session, instance)
    elif instance["vm_state"] == instances.ERROR and instance["unfinished"]:
        endings.clean_up(session, ident)
    elif task == instances.SPAWNING and (instance["request_spec"] or {}).get("failure"):
        builds.retry(session, instance)
    elif task in instances.AT_NODE:
        _look_at_node(session, instance)
    elif instance["unfinished"]:
        volume_targets.sync(session, instance)


def _look_at_node(session: Session, instance: Record) -> None:
    """Check whether a node has done what it was asked for."""
    node = driver.get_node(session, instance["node_uuid"])
    if node is None or node["instance_uuid"] != instance["id"]:
        endings.fail(session, instance, f"Instance {instance['id']} could not be found.")
    elif instance["task_state"] in (instances.SPAWNING, instances.REBUILD_SPAWNING):
        _look_at_deployment(session, instance, node)
    elif instance["task_state"] in _RESCUES:
        _look_at_rescue(session, instance, node)
    elif node["target_power_state"] is None:
        _finish(session, instance, node)


def _look_at_deployment(session: Session, instance: Record, node: driver.Node) -> None:
    ident, state = instance["id"], node["provision_state"]
    if state == driver.ACTIVE:
        for device in block_devices.volumes_of(session, [ident])[ident]:
            if device["attachment_id"]:
                volumes.attachment_complete(session, device)
        if node["power_state"] != driver.ON:
            # Not every deploy interface switches on what it has deployed.
            if node["target_power_state"] is None:
                driver.set_power_state(session, node["uuid"], driver.ON)
            node = driver.get_node(session, node["uuid"]) or node
        if node["power_state"] == driver.ON:
            if instance["vm_state"] == instances.STOPPED:
                # Rebuilding has switched it on.
                driver.set_power_state(session, node["uuid"], driver.OFF)
                instances.save(session, instance, task_state=instances.POWERING_OFF)
                return
            _finish(session, instance, node, launched_at=session.clock.now())
    elif state == driver.DEPLOY_FAILED:
        message = f"Failed to provision instance {ident}: {node['last_error']}"
        if instance["task_state"] == instances.SPAWNING:
            builds.reschedule(session, instance, node["uuid"], message, deployed=True)
        else:
            endings.set_error_state(session, instance, message)
    elif state in driver.FREE:
        endings.fail(session, instance, f"Instance {ident} could not be found.")


def _look_at_rescue(session: Session, instance: Record, node: driver.Node) -> None:
    ident, (done, failed, state, _) = instance["id"], _RESCUES[instance["task_state"]]
    if node["target_power_state"] is None and (
        password := instances.begin_rescue(session, ident, session.clock.seconds())
    ):
        change_rescue(session, instance, driver.RESCUE, password)
    elif node["provision_state"] == failed:
        _set_rescue_error(session, instance, node["last_error"])
    elif node["provision_state"] == done:
        changes: dict[str, Any] = {"power_state": power_states.of(node), "vm_state": state}
        if state == instances.RESCUED:
            changes["launched_at"] = session.clock.now()
        instances.save(session, instance, task_state=None, **changes)
        actions.finish(session, ident)


def change_rescue(
    session: Session, instance: Record, target: str, password: str | None = None
) -> None:
    """Ask Ironic to rescue the node of an instance, or to unrescue it."""
    try:
        driver.set_provision_state(session, instance["node_uuid"], target, rescue_password=password)
    except Refused as exc:
        _set_rescue_error(session, instance, str(exc))


def _set_rescue_error(session: Session, instance: Record, reason: str) -> None:
    """Set an instance to ERROR that can't be rescued, or not be unrescued."""
    form = _RESCUES[instance["task_state"]][-1]
    endings.set_error_state(session, instance, form.format(instance["id"], reason))


def _finish(session: Session, instance: Record, node: driver.Node, **changes: Any) -> None:
    """Store that a task is done, with the power state that the node has now."""
    power = power_states.of(node)
    state = instances.STOPPED if power == instances.SHUTDOWN else instances.ACTIVE
    instances.save(session, instance, task_state=None, power_state=power, vm_state=state, **changes)
    actions.finish(session, instance["id"])
    if instance["unfinished"]:
        volume_targets.sync(session, instance)
