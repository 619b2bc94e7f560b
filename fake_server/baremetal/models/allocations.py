"""Allocations: requests for a node of a resource class, and the nodes they were given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors, resource_fields
from fake_server.baremetal.hash_ring import ring_of
from fake_server.baremetal.models import conductors
from fake_server.baremetal.models.model import Model
from fake_server.baremetal.tables import allocations, nodes
from fake_server.common import due_work
from fake_server.common.formats import is_uuid
from fake_server.db.store import DuplicateError, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.baremetal.session import Session

ALLOCATING = "allocating"
ACTIVE = "active"
ERROR = "error"
#: The kind of due work that looks for the node of one.
SEARCH = "do_allocate"

_UNFINISHED = allocations.c.state == ALLOCATING


class _Allocations(Model):
    def create(self, session: Session, values: Mapping[str, Any]) -> Record:
        """Create an allocation that has no node yet."""
        return super().create(session, {**values, "state": ALLOCATING})


ALLOCATIONS = _Allocations(allocations, resource_fields.ALLOCATIONS, "allocation")


def uuids(session: Session, ids: Iterable[int]) -> dict[int, str]:
    """Return the UUIDs of allocations by their ``id``."""
    wanted = list(ids)
    if not wanted:
        return {}
    query = sa.select(allocations.c.id, allocations.c.uuid).where(allocations.c.id.in_(wanted))
    return {row["id"]: row["uuid"] for row in session.tx.all(query)}


def thing_of(allocation: Mapping[str, Any]) -> str:
    """Return how due work names an allocation."""
    return due_work.thing("allocations", allocation["uuid"])


def postpone(session: Session, allocation: Record, seconds: float, attempts: int = 0) -> None:
    """Look for the allocation's node later.

    :param seconds: how much.
    :param attempts: number of attempts to find a node so far.
    """
    at, arguments = session.clock.seconds() + seconds, {"attempts": attempts}
    due_work.add(session.tx, SEARCH, thing_of(allocation), at, arguments)


def orphan(session: Session, hostname: str) -> None:
    """Leave the allocations of a conductor that goes down until another one takes them over.

    Which those are, Ironic leaves to chance.
    """
    ring = ring_of(tuple(sorted(conductors.alive(session))))
    interval = session.settings.periodic["check_allocations_interval"]
    for allocation in session.tx.all(sa.select(allocations).where(_UNFINISHED)):
        if ring.host_of(allocation["uuid"]) != hostname:
            continue
        pending = due_work.pending(session.tx, thing_of(allocation))
        due_work.cancel(session.tx, thing_of(allocation))
        if interval:
            attempts = pending[0]["arguments"]["attempts"] if pending else 0
            postpone(session, allocation, interval, attempts)


def resume(session: Session) -> None:
    """Have the allocations looked at that no conductor looks at."""
    for allocation in session.tx.all(sa.select(allocations).where(_UNFINISHED)):
        if not due_work.pending(session.tx, thing_of(allocation)):
            postpone(session, allocation, 0)


def can_be_saved(allocation: Record) -> bool:
    """Return whether the UUID of an allocation is valid.

    Ironic takes any text for a UUID, and then can't find by it what it wants to save.
    """
    return is_uuid(allocation["uuid"])


def check_identity(allocation: Record) -> None:
    """Raise Invalid if an allocation can't be saved; see :func:`can_be_saved`."""
    if not can_be_saved(allocation):
        raise errors.Invalid(f"Expected a UUID or int but received {allocation['uuid']}.")


def take(session: Session, allocation: Record, node: Record) -> None:
    """Give a node, which the caller has locked, to an allocation.

    :raises Invalid: see :func:`check_identity`.
    :raises NodeAssociated: if the node has another instance.
    :raises InstanceAssociated: if another node has an instance of the allocation's UUID.
    """
    check_identity(allocation)
    if node["instance_uuid"] not in (None, allocation["uuid"]):
        raise errors.NodeAssociated(node=node["uuid"], instance=node["instance_uuid"])
    traits = {"traits": allocation["traits"] or []}
    values = {
        "allocation_id": allocation["id"],
        "instance_uuid": allocation["uuid"],
        "instance_info": {**(node["instance_info"] or {}), **traits},
        "updated_at": session.clock.now(),
    }
    try:
        session.tx.update_row(nodes, node["id"], values)
    except DuplicateError as exc:
        raise errors.InstanceAssociated(
            instance_uuid=allocation["uuid"], node=node["uuid"]
        ) from exc
    ALLOCATIONS.update(session, allocation, {"node_id": node["id"], "state": ACTIVE})


def fail(session: Session, allocation: Record, reason: str) -> None:
    """Store why an allocation failed, if it can be saved."""
    if not can_be_saved(allocation):
        return
    changes = {"node_id": None, "state": ERROR, "last_error": reason}
    ALLOCATIONS.update(session, allocation, changes)


def destroy(session: Session, allocation_id: int) -> None:
    """Remove an allocation and free its node."""
    freed = {"allocation_id": None, "instance_uuid": None, "updated_at": session.clock.now()}
    session.tx.update(nodes, [nodes.c.allocation_id == allocation_id], freed)
    for allocation in session.tx.rows(allocations, "id", id=allocation_id):
        due_work.cancel(session.tx, thing_of(allocation))
    session.tx.remove(allocations, id=allocation_id)
