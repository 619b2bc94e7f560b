"""What clients ask for: delete, switch, rescue and rebuild instances, as ``nova.compute.api``."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict
from fake_server.compute import driver, endings, glance, manager
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import BuildAbortException, InstanceInvalidState, InstanceNotReady
from fake_server.compute.models import actions, block_devices, instances

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.context import Context
    from fake_server.compute.session import Session
    from fake_server.db.store import Record

#: Tenths of a second for which an instance may be scheduling before its request counts as lost.
_PATIENCE = 100
#: Actions by name: the states that they need, the task, and what the node is asked for.
_POWER: dict[str, tuple[tuple[str, ...], str, str]] = {
    "start": ((instances.STOPPED,), instances.POWERING_ON, driver.ON),
    "stop": ((instances.ACTIVE, instances.ERROR), instances.POWERING_OFF, driver.OFF),
    "reboot": ((instances.ACTIVE,), instances.REBOOT_STARTED, driver.SOFT_REBOOT),
    "reboot_hard": (
        (instances.ACTIVE, instances.STOPPED, instances.ERROR),
        instances.REBOOT_STARTED_HARD,
        driver.REBOOT,
    ),
}


def delete(ctx: Context, instance: Record) -> None:
    """Delete an instance and what it uses."""
    session, ident = ctx.session, instance["id"]
    # Another request may be about to hand it over to Ironic.
    for _ in range(_PATIENCE):
        if instances.get(session, ident)["task_state"] != instances.SCHEDULING:
            break
        time.sleep(0.1)
    ctx.record_action(instance, "delete", done=False)
    instances.update(session, ident, task_state=instances.DELETING)
    _step(session, ident)


def power(ctx: Context, instance: Record, action: str) -> None:
    """Start, stop or reboot an instance (see ``_POWER``); raise Conflict if it can't be now."""
    session = ctx.session
    states, task, target = _POWER[action]
    name = action.partition("_")[0]
    if name != "reboot" and instance["node_uuid"] is None:
        raise InstanceNotReady(instance["id"])
    instances.check_state(instance, name, *states)
    if instance["node_uuid"] is None:
        raise InstanceInvalidState(name, instance, None)
    after = _begin(ctx, instance, name, task_state=task)
    try:
        try:
            driver.set_power_state(session, instance["node_uuid"], target)
        except Refused as exc:
            if target != driver.SOFT_REBOOT or exc.status != 400:
                raise
            driver.set_power_state(session, instance["node_uuid"], driver.REBOOT)
    except Refused as exc:
        instances.save(session, after, task_state=None)
        actions.finish(session, instance["id"], str(exc))
        raise Conflict(str(exc)) from exc
    _step(session, instance["id"])


def trigger_crash_dump(ctx: Context, instance: Record) -> None:
    """Interrupt what runs on the node of an instance; that it can't be is told by the action alone.

    :raises Conflict: if the instance has no node, or can't have crashed.
    """
    if instance["node_uuid"] is None:
        raise InstanceNotReady(instance["id"])
    states = (instances.ACTIVE, instances.RESCUED, instances.ERROR)
    instances.check_state(instance, "trigger_crash_dump", *states)
    problem = None
    try:
        driver.trigger_crash_dump(ctx.session, instance["node_uuid"])
    except Refused as exc:
        problem = str(exc)
    ctx.record_action(instance, "trigger_crash_dump", problem=problem)


def rebuild(ctx: Context, instance: Record, changes: Mapping[str, Any]) -> None:
    """Deploy an instance again with changed columns; raise Conflict unless it is idle."""
    session, task = ctx.session, instances.REBUILD_SPAWNING
    after = _begin(ctx, instance, "rebuild", **changes, task_state=task)
    try:
        driver.rebuild(session, after, ctx.owner)
    except (BuildAbortException, Refused) as exc:
        endings.set_error_state(session, after, str(exc))
        return
    _step(session, instance["id"])


def rescue(ctx: Context, instance: Record, password: str, image_ref: str | None) -> None:
    """Power the node of an instance off, and boot the rescue ramdisk on it.

    :param image_ref: the image that the client wants, which Nova's driver for Ironic ignores.
    :raises Conflict: if it has no node, or is busy.
    :raises BadRequest: if the client can't see the image, or the instance boots from a volume.
    """
    session = ctx.session
    if image_ref:
        glance.check_rescue_image(ctx, image_ref)
    if instance["node_uuid"] is None:
        raise InstanceInvalidState("rescue", instance, None)
    volumes_of = block_devices.volumes_of(session, [instance["id"]])[instance["id"]]
    if any(device["boot_index"] == 0 for device in volumes_of):
        raise BadRequest(
            f"Instance {instance['id']} cannot be rescued: Cannot rescue a volume-backed instance"
        )
    ident = instance["id"]
    after = _begin(ctx, instance, "rescue", task_state=instances.RESCUING)
    try:
        driver.set_power_state(session, instance["node_uuid"], driver.OFF)
    except Refused as exc:
        reason = f"Instance {ident} cannot be rescued: Driver Error: {exc}"
        endings.set_error_state(session, after, reason)
        return
    instances.plan_rescue(session, ident, password, session.clock.seconds())
    _step(session, ident)


def unrescue(ctx: Context, instance: Record) -> None:
    """Boot an instance again that is rescued; raise Conflict if it is busy."""
    after = _begin(ctx, instance, "unrescue", task_state=instances.UNRESCUING)
    manager.change_rescue(ctx.session, after, "unrescue")
    _step(ctx.session, instance["id"])


def _begin(ctx: Context, instance: Record, action: str, **changes: Any) -> Record:
    """Begin a task and return the instance with it; raise Conflict if another one has begun."""
    after = {**instance, **changes}
    if not instances.save(ctx.session, instance, **changes):
        raise InstanceInvalidState(action, after, "task_state")
    ctx.record_action(instance, action, done=False)
    return after


def _step(session: Session, ident: str) -> None:
    """Apply what is due for an instance already."""
    with suppress(Refused):  # the next request tries again
        manager.step(session, ident)
