"""How instances are built on nodes, and on others if one doesn't work."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from fake_server.compute import driver, endings, neutron, scheduler, volumes
from fake_server.compute.cloud import Refused, refused_as
from fake_server.compute.errors import BuildAbortException, RescheduledException
from fake_server.compute.models import block_devices, instances, services
from fake_server.compute.request_spec import RequestSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.compute.session import Session
    from fake_server.db.store import Record

#: How many nodes are tried for an instance.
_MAX_ATTEMPTS = 3
_NO_HOST = "No valid host was found. "
_NO_RETRY = "Exceeded maximum number of retries. "


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
                endings.fail(session, one, reason)
            return
        hosts.append(uuid)
    for instance, uuid in zip(rows, hosts, strict=True):
        _do_build_and_run_instance(session, instance, uuid)


def _do_build_and_run_instance(session: Session, instance: Record, uuid: str) -> None:
    """Build an instance on a node, or on another one if that one doesn't work."""
    try:
        _build_and_run_instance(session, instance, uuid)
    except RescheduledException as exc:
        reschedule(session, instance, uuid, str(exc))
    except BuildAbortException as exc:
        endings.fail(session, instance, str(exc))
    except Refused as exc:
        endings.fail(session, instance, f"Build of instance {instance['id']} aborted: {exc}")


def reschedule(
    session: Session, instance: Record, uuid: str, reason: str, *, deployed: bool = False
) -> None:
    """Go on with an instance that can't be built on a node.

    :param deployed: whether the node has to be torn down, which takes time.
    """
    ident = instance["id"]
    if instance["request_spec"] is None or RequestSpec.of(instance).node is not None:
        endings.fail(session, instance, f"Build of instance {ident} was re-scheduled: {reason}")
        return
    spec = RequestSpec.of(instance)
    spec = replace(spec, tried=[*spec.tried, uuid], failure=reason)
    changes = {"task_state": instances.SPAWNING, **spec.columns()}
    if not instances.save(session, instance, **changes):
        return
    after = {**instance, **changes}
    with suppress(Refused):  # the next request tries again
        if retry(session, after) or deployed:
            return
    if not deployed:
        endings.fail(session, after, f"{_NO_HOST}{reason}")


def retry(session: Session, instance: Record) -> bool:
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
        endings.fail(session, instance, f"{_NO_RETRY}{reason}", details)
        return
    try:
        found = scheduler.get_allocation_candidates(session, instance["flavor"], None)
    except Refused as exc:
        endings.fail(session, instance, f"{_NO_HOST}{exc}", details)
        return
    others = [one for one in found if one["allocations"].keys().isdisjoint(spec.tried)]
    uuid = scheduler.select_destination(session, instance, others)
    if uuid is not None:
        _do_build_and_run_instance(session, instance, uuid)
        return
    reason = f"Exhausted all hosts available for retrying build failures for instance {ident}."
    endings.fail(session, instance, f"{_NO_RETRY}{reason}", details)


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
