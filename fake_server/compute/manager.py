"""Build instances, end them, and go on with what Ironic has finished, as Nova's ComputeManager."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fake_server.common import logs
from fake_server.compute import driver, neutron, power_states, scheduler, volume_targets, volumes
from fake_server.compute.cloud import Refused, refused_as
from fake_server.compute.errors import (
    BuildAbortException,
    InstanceNotFound,
    RescheduledException,
)
from fake_server.compute.models import actions, block_devices, instances, services
from fake_server.compute.request_spec import RequestSpec
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.compute.session import Session
    from fake_server.db.store import Record

LOG = logs.logger(__name__)

#: How many nodes are tried for an instance.
_MAX_ATTEMPTS = 3
_NO_HOST = "No valid host was found. "
_NO_RETRY = "Exceeded maximum number of retries. "
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


def schedule_and_build_instances(session: Session, rows: Sequence[Record]) -> None:
    """Build the new instances of one request; those that fail get a fault."""
    spec, reason = RequestSpec.of(rows[0]), _NO_HOST
    candidates: list[scheduler.Candidate] = []
    if spec.host not in (None, session.host):
        reason += f"No such host - host: {spec.host} node: {spec.node} "
    else:
        try:
            candidates = scheduler.get_allocation_candidates(session, rows[0]["flavor"], spec.node)
        except Refused as exc:
            reason += str(exc)
    if candidates:
        reason += "There are not enough hosts available."
    hosts: list[str] = []
    for instance in rows:
        if not (services.takes_servers(session) and scheduler.group_allows(session, instance)):
            candidates = []
        uuid = scheduler.select_destination(session, instance, candidates)
        if uuid is None:
            # As Nova's scheduler: all of a request, or none.
            for one in rows:
                _fail(session, one, reason)
            return
        hosts.append(uuid)
    for instance, uuid in zip(rows, hosts, strict=True):
        _do_build_and_run_instance(session, instance, uuid)


def set_error_state(
    session: Session,
    instance: Record,
    message: str,
    details: str | None = None,
    *,
    unfinished: bool = False,
) -> bool:
    """Set an instance to ERROR, unless another request changed it since; return whether it was.

    :param details: what else administrators are told.
    :param unfinished: whether it is still to be taken off its node.
    """
    actions.finish(session, instance["id"], details or message)
    created = f"{session.clock.now():%Y-%m-%dT%H:%M:%SZ}"
    return instances.save(
        session,
        instance,
        vm_state=instances.ERROR,
        task_state=None,
        fault={"code": 500, "created": created, "message": message, "details": details or ""},
        unfinished=unfinished,
    )


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
            set_error_state(session, instance, f"Unexpected error: {exc!r}")


def step(session: Session, ident: str) -> None:
    """Take an instance as far as possible now; raise Refused if another service fails."""
    try:
        instance = instances.get(session, ident)
    except InstanceNotFound:
        return
    task = instance["task_state"]
    if task == instances.DELETING:
        _delete_instance(session, instance)
    elif instance["vm_state"] == instances.ERROR and instance["unfinished"]:
        _clean_up(session, ident)
    elif task == instances.SPAWNING and (instance["request_spec"] or {}).get("failure"):
        _retry(session, instance)
    elif task in instances.AT_NODE:
        _look_at_node(session, instance)
    elif instance["unfinished"]:
        volume_targets.sync(session, instance)


def _do_build_and_run_instance(session: Session, instance: Record, uuid: str) -> None:
    """Build an instance on a node, or on another one if that one doesn't work."""
    try:
        _build_and_run_instance(session, instance, uuid)
    except RescheduledException as exc:
        _reschedule(session, instance, uuid, str(exc))
    except BuildAbortException as exc:
        _fail(session, instance, str(exc))
    except Refused as exc:
        _fail(session, instance, f"Build of instance {instance['id']} aborted: {exc}")


def _reschedule(
    session: Session, instance: Record, uuid: str, reason: str, *, deployed: bool = False
) -> None:
    """Go on with an instance that can't be built on a node.

    :param deployed: whether the node has to be torn down, which takes time.
    """
    ident = instance["id"]
    if instance["request_spec"] is None or RequestSpec.of(instance).node is not None:
        _fail(session, instance, f"Build of instance {ident} was re-scheduled: {reason}")
        return
    spec = RequestSpec.of(instance)
    spec = replace(spec, tried=[*spec.tried, uuid], failure=reason)
    changes = {"task_state": instances.SPAWNING, **spec.columns()}
    if not instances.save(session, instance, **changes):
        return
    after = {**instance, **changes}
    with suppress(Refused):  # the next request tries again
        if _retry(session, after) or deployed:
            return
    if not deployed:
        _fail(session, after, f"{_NO_HOST}{reason}")


def _retry(session: Session, instance: Record) -> bool:
    """Try another node if the one that didn't work can be freed now; return whether it can.

    :raises Refused: if a service fails.
    """
    ident, spec = instance["id"], RequestSpec.of(instance)
    if not driver.destroy(session, instances.get(session, ident)):
        return False
    scheduler.delete_allocation_for_instance(session, ident)
    changes = {"task_state": instances.SCHEDULING, **replace(spec, failure=None).columns()}
    # Another request may have gone on with it.
    if instances.save(session, instance, **changes):
        _build_elsewhere(session, {**instance, **changes}, spec)
    return True


def _build_elsewhere(session: Session, instance: Record, spec: RequestSpec) -> None:
    """Build an instance on a node that wasn't tried, if there is one."""
    ident, details = instance["id"], spec.failure
    if len(spec.tried) >= _MAX_ATTEMPTS:
        reason = (
            f"Exceeded max scheduling attempts {_MAX_ATTEMPTS} for instance {ident}. Last "
            f"exception: {spec.failure}"
        )
        _fail(session, instance, f"{_NO_RETRY}{reason}", details)
        return
    try:
        found = scheduler.get_allocation_candidates(session, instance["flavor"], None)
    except Refused as exc:
        _fail(session, instance, f"{_NO_HOST}{exc}", details)
        return
    others = [one for one in found if one["allocations"].keys().isdisjoint(spec.tried)]
    uuid = scheduler.select_destination(session, instance, others)
    if uuid is not None:
        _do_build_and_run_instance(session, instance, uuid)
        return
    reason = f"Exhausted all hosts available for retrying build failures for instance {ident}."
    _fail(session, instance, f"{_NO_RETRY}{reason}", details)


def _build_and_run_instance(session: Session, instance: Record, uuid: str) -> None:
    ident, spec = instance["id"], RequestSpec.of(instance)
    devices = block_devices.get_all(session, server_id=ident)
    if any(network.tag for network in spec.networks) or any(one["tag"] for one in devices):
        raise BuildAbortException(
            "Attempt to boot guest with tagged devices on host that does not support tagging."
        )
    instances.update(session, ident, node_uuid=uuid)
    node = driver.prepare_for_spawn(session, instance, uuid)
    port_ids = list(block_devices.ports_of(session, ident)) or [
        neutron.allocate_port(session, instance, network, spec.security_groups)["port_id"]
        for network in spec.networks
    ]
    with refused_as(RescheduledException, f"Cannot attach VIF to the node {uuid} due to error: "):
        driver.plug_vifs(session, uuid, port_ids)
    owned = block_devices.volumes_of(session, [ident])[ident]
    for device in owned:
        problem = (
            f"Build of instance {ident} aborted: volume {device['volume_id']} can't be "
            f"connected to node {uuid}: "
        )
        with refused_as(BuildAbortException, problem):
            volumes.attachment_update(session, instance, node, device)
    driver.spawn(session, instance, node, spec.owner, owned)
    # Not before: other requests check the node of an instance in this state.
    if not instances.save(session, instance, task_state=instances.SPAWNING):
        # Another request has deleted it, perhaps without seeing that the node is deployed.
        driver.destroy(session, {**instance, "node_uuid": uuid})


def _fail(session: Session, instance: Record, message: str, details: str | None = None) -> None:
    """Set an instance to ERROR, and take it off its node if possible now."""
    if set_error_state(session, instance, message, details, unfinished=True):
        # The next request tries again, unless another one did.
        with suppress(Refused, InstanceNotFound):
            _clean_up(session, instance["id"])


def _clean_up(session: Session, ident: str) -> None:
    """Take a broken instance off its node if possible now; raise Refused if a service fails."""
    if _shutdown_instance(session, instances.get(session, ident)):
        instances.update(session, ident, node_uuid=None, unfinished=False)


def _delete_instance(session: Session, instance: Record) -> None:
    """Remove an instance if possible now; raise Refused if another service fails."""
    if not _shutdown_instance(session, instance):
        return
    ident = instance["id"]
    for device in block_devices.volumes_of(session, [ident])[ident]:
        if device["delete_on_termination"]:
            volumes.delete(session, device["volume_id"])
    instances.destroy(session, ident)
    actions.finish(session, ident)


def _shutdown_instance(session: Session, instance: Record) -> bool:
    """Take an instance off its node, and return its volumes, ports and allocation.

    :returns: whether that is possible now.
    :raises Refused: if another service fails.
    """
    if not driver.destroy(session, instance):
        return False
    ident = instance["id"]
    for device in block_devices.get_all(session, server_id=ident):
        volumes.attachment_delete(session, device)
    for port in block_devices.ports_of(session, ident).values():
        neutron.deallocate_port(session, port)
    scheduler.delete_allocation_for_instance(session, ident)
    return True


def _look_at_node(session: Session, instance: Record) -> None:
    """Check whether a node has done what it was asked for."""
    node = driver.get_node(session, instance["node_uuid"])
    if node is None or node["instance_uuid"] != instance["id"]:
        _fail(session, instance, f"Instance {instance['id']} could not be found.")
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
            _reschedule(session, instance, node["uuid"], message, deployed=True)
        else:
            set_error_state(session, instance, message)
    elif state in driver.FREE:
        _fail(session, instance, f"Instance {ident} could not be found.")


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
    set_error_state(session, instance, form.format(instance["id"], reason))


def _finish(session: Session, instance: Record, node: driver.Node, **changes: Any) -> None:
    """Store that a task is done, with the power state that the node has now."""
    power = power_states.of(node)
    state = instances.STOPPED if power == instances.SHUTDOWN else instances.ACTIVE
    instances.save(session, instance, task_state=None, power_state=power, vm_state=state, **changes)
    actions.finish(session, instance["id"])
    if instance["unfinished"]:
        volume_targets.sync(session, instance)
