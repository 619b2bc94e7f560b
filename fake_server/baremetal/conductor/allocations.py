"""Find nodes for allocations, and free them.

Ironic looks for nodes in random order; this takes the one enrolled first, so that tests can be
repeated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.models import allocations, conductors, nodes, paging
from fake_server.baremetal.models.nodes import NODES
from fake_server.common import logs
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

LOG = logs.logger(__name__)

#: How often nodes are looked for while all that suit are locked, and seconds in between.
_ATTEMPTS = 3
_INTERVAL = 1.0
_ONE = paging.Page(limit=1)


def request(session: Session, allocation: Record) -> None:
    """Look for a node, at once or after the delay of transitions."""
    if not allocations.can_be_saved(allocation):
        return
    name = allocation["name"] or allocation["uuid"]
    delay = session.fault_injection.delay_of(name)
    if delay > 0:
        allocations.postpone(session, allocation, delay)
    else:
        allocate(session, allocation)


def allocate(session: Session, allocation: Record, attempts: int = 0) -> None:
    """Give an allocation a suitable node, or store why there is none.

    :param attempts: number of attempts before this one.
    """
    try:
        with session.tx.savepoint():
            locked = _take_one(session, allocation)
    except errors.AllocationFailed as exc:
        allocations.fail(session, allocation, str(exc))
        return
    except RetryError:
        raise
    except Exception as exc:
        LOG.exception("Looking for a node for allocation %s crashed", allocation["uuid"])
        text = f"Unexpected exception during allocation: {exc!r}"
        allocations.fail(session, allocation, text)
        return
    if locked and attempts + 1 < _ATTEMPTS:
        allocations.postpone(session, allocation, _INTERVAL, attempts + 1)
    elif locked:
        error = f"could not reserve any of {locked} suitable nodes"
        failure = errors.AllocationFailed(uuid=allocation["uuid"], error=error)
        allocations.fail(session, allocation, str(failure))


def backfill(session: Session, allocation: Record, node: Record) -> Record:
    """Give an allocation a node that is in use; raise ApiError if the node doesn't fit."""
    try:
        with node_task(session, node) as task:
            _check_backfill(allocation, task.node, task.traits)
            allocations.take(session, allocation, task.node)
    except errors.NodeLocked as exc:
        unexpected = f"Unexpected exception during allocation: {exc}"
        allocations.fail(session, allocation, unexpected)
        session.keeps_changes = True
        raise
    except errors.ApiError as exc:
        allocations.fail(session, allocation, str(exc))
        raise
    return allocations.ALLOCATIONS.get_by_uuid(session, allocation["uuid"])


def deallocate(session: Session, allocation: Record) -> None:
    """Remove an allocation and free its node.

    :raises Invalid: if it can't be told from others by its UUID.
    :raises InvalidState: if the node is deployed or in transition.
    :raises NodeLocked: if someone else works on the node.
    """
    conductors.require_any(session)
    allocations.check_identity(allocation)
    if allocation["node_id"] is None:
        allocations.destroy(session, allocation["id"])
        return
    node = NODES.get_by_id(session, allocation["node_id"])
    with node_task(session, node, no_host_status=None) as task:
        _check_deallocation(allocation, task.node)
        allocations.destroy(session, allocation["id"])


def _filters(allocation: Record) -> dict[str, Any]:
    """Return the conditions on nodes for an allocation, apart from traits."""
    filters = {
        "resource_class": allocation["resource_class"],
        "provision_state": states.AVAILABLE,
        "associated": False,
        "maintenance": False,
        "with_power_state": True,
        "include_children": True,
        "project": allocation["owner"],
    }
    if allocation["candidate_nodes"]:
        filters["uuid_in"] = allocation["candidate_nodes"]
    return filters


def _unlocked(session: Session, allocation: Record, filters: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the nodes that suit and aren't locked, one named like the allocation before others."""
    for first in [{"name": allocation["name"]}, {}] if allocation["name"] else [{}]:
        wanted = nodes.conditions(session, {**filters, **first, "reserved": False})
        found = NODES.fetch(session, _ONE, *wanted)
        while found:
            yield from found
            found = NODES.fetch(session, paging.Page(limit=1, marker=found[0]), *wanted)


def _take_one(session: Session, allocation: Record) -> int:
    """Give an allocation the first node that isn't locked; return the number of those if all are.

    :raises AllocationFailed: if no node suits, or others were faster with all of them.
    """
    matching = _filters(allocation)
    traits = {"traits": allocation["traits"]} if allocation["traits"] else {}
    error = "all nodes were filtered out during reservation"
    none = True
    for candidate in _unlocked(session, allocation, {**matching, **traits}):
        none = False
        try:
            with node_task(
                session, candidate, load_driver=False, keep=False, no_host_status=None
            ) as task:
                task.refresh()
                if _suits(task.node, allocation):
                    allocations.take(session, allocation, task.node)
                    return 0
        except (errors.NodeLocked, errors.NodeAssociated):
            continue
        except errors.InstanceAssociated as exc:
            unexpected = f"Unexpected exception during allocation: {exc}"
            allocations.fail(session, allocation, unexpected)
            return 0
    locked = nodes.count(session, {**matching, **traits, "reserved": True})
    if locked:
        return locked
    if none:
        error = _why_none(session, allocation, matching)
    raise errors.AllocationFailed(uuid=allocation["uuid"], error=error)


def _why_none(session: Session, allocation: Record, matching: Mapping[str, Any]) -> str:
    if allocation["traits"] and nodes.count(session, matching):
        wanted = ", ".join(dict.fromkeys(allocation["traits"]))
        return f"no suitable nodes have the requested traits {wanted}"
    if allocation["candidate_nodes"]:
        error = "none of the requested nodes are available and match the resource class"
    else:
        error = "no available nodes match the resource class"
    return f"{error} {allocation['resource_class']}"


def _suits(node: Record, allocation: Record) -> bool:
    return (
        not node["maintenance"]
        and node["instance_uuid"] is None
        and node["provision_state"] == states.AVAILABLE
        and node["resource_class"] == allocation["resource_class"]
    )


def _check_backfill(allocation: Record, node: Record, traits: list[str]) -> None:
    problems = []
    wanted = allocation["resource_class"]
    if node["provision_state"] != states.ACTIVE:
        problems.append(
            'Node must be in the "active" state, but the current state is '
            f'"{node["provision_state"]}"'
        )
    if wanted and node["resource_class"] != wanted:
        problems.append(
            f"Resource class {node['resource_class']} does not match the requested resource class "
            f"{wanted}"
        )
    if not set(allocation["traits"] or ()).issubset(traits):
        problems.append(
            f"List of traits {traits} does not match the requested traits {allocation['traits']}"
        )
    if allocation["candidate_nodes"] and node["uuid"] not in allocation["candidate_nodes"]:
        problems.append(
            "Candidate nodes must be empty or contain the target node, but got "
            f"{allocation['candidate_nodes']}"
        )
    if problems:
        raise errors.AllocationFailed(
            uuid=allocation["uuid"],
            error=f"Cannot backfill an allocation for node {node['uuid']}: {'; '.join(problems)}",
        )


def _check_deallocation(allocation: Record, node: Record) -> None:
    if node["maintenance"]:
        return
    refusal = f"Cannot remove allocation {allocation['uuid']} for node {node['uuid']}, because the"
    if node["target_provision_state"] and node["provision_state"] not in states.UPDATABLE:
        raise errors.InvalidState(
            f"{refusal} node is in state {node['provision_state']} where updates are not allowed "
            "(and maintenance mode is off)"
        )
    if node["provision_state"] == states.ACTIVE:
        raise errors.InvalidState(f"{refusal} node is active (and maintenance mode is off)")
