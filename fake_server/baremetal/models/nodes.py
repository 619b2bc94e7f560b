"""Nodes: how they are found, created, changed and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors, node_fields, periodic, states
from fake_server.baremetal.models import conductors, node_states
from fake_server.baremetal.models.chassis import CHASSIS
from fake_server.baremetal.models.model import Model, of_project
from fake_server.baremetal.tables import chassis as chassis_table
from fake_server.baremetal.tables import node_traits, nodes, ports
from fake_server.common import due_work
from fake_server.db.queries import Change, Query

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from fake_server.baremetal.session import Session
    from fake_server.db.store import DuplicateError, Record

#: Filters that a column must be equal to.
_EQUAL = frozenset(row.name for row in node_fields.NODES.rows if row.filter is not None) | {"name"}
#: Filters that are conditions of their own.
_FILTERS: Mapping[str, Callable[[Any], Any]] = {
    "associated": lambda wanted: _is_set(nodes.c.instance_uuid, wanted),
    "sharded": lambda wanted: _is_set(nodes.c.shard, wanted),
    "reserved": lambda wanted: _is_set(nodes.c.reservation, wanted),
    "with_power_state": lambda wanted: _is_set(nodes.c.power_state, wanted),
    "uuid_in": lambda uuids: nodes.c.uuid.in_(uuids),
    "shard": lambda shards: nodes.c.shard.in_(shards),
    "description_contains": lambda text: nodes.c.description.ilike(f"%{text}%"),
    "project": lambda project: sa.and_(True, *of_project(project)),
    "traits": lambda wanted: _has_all(wanted),
    "traits-any": lambda wanted: _has_any(wanted),
    "not-traits": lambda unwanted: sa.not_(_has_all(unwanted)),
    "not-traits-any": lambda unwanted: sa.not_(_has_any(unwanted)),
}

#: A change of these columns has what watches the node, such as Nova, look at it.
_WATCHED = frozenset({"power_state", "provision_state", "reservation", "target_power_state"})

_TRAITS = Query(
    sa.select(node_traits.c.trait)
    .where(node_traits.c.node_id == sa.bindparam("node_id"))
    .order_by(node_traits.c.trait)
)
_RESERVE = Change(
    sa.update(nodes).where(nodes.c.id == sa.bindparam("node_id"), nodes.c.reservation.is_(None)),
    ["updated_at"],
)


class _Nodes(Model):
    """The operations on nodes."""

    def missing(self, ident: Any) -> errors.NodeNotFound:
        """Return the error for one that isn't there."""
        return errors.NodeNotFound(node=ident)

    def create(self, session: Session, values: Mapping[str, Any]) -> Record:
        """Store one; raise AlreadyExists or InstanceAssociated when it isn't unique."""
        stored = super().create(session, values)
        node_states.note(session, stored, None, stored["provision_state"])
        return stored

    def update(self, session: Session, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change one; raise AlreadyExists or InstanceAssociated when it isn't unique."""
        # It is updated by a change of nothing, too.
        stored = super().update(session, row, {**changes, "updated_at": session.clock.now()})
        old = row["provision_state"]
        if stored["provision_state"] != old:
            node_states.note(session, stored, old, stored["provision_state"])
        _plan_periodic_tasks(session, old, stored, changes)
        if not _WATCHED.isdisjoint(changes):
            due_work.wake(session.tx, thing_of(row), session.clock.seconds())
        return stored

    def delete(self, session: Session, row: Record) -> None:
        """Remove one and all that belongs to it.

        :raises NodeLocked, NodeAssociated, NodeProtected, InvalidState: if it is in use.
        """
        conductors.require(session, row, 400)
        lock(session, row)
        if not row["maintenance"] and row["instance_uuid"] is not None:
            raise errors.NodeAssociated(node=row["uuid"], instance=row["instance_uuid"])
        if row["protected"]:
            raise errors.NodeProtected(node=row["uuid"])
        deletable = (*states.DELETABLE, states.AVAILABLE)
        if not row["maintenance"] and row["provision_state"] not in deletable:
            raise errors.InvalidState(
                f'Can not delete node "{row["uuid"]}" while it is in provision state '
                f'"{row["provision_state"]}". Valid provision states to perform deletion are: '
                f'"{deletable}", or set the node into maintenance mode'
            )
        # MariaDB doesn't see that what refers to port groups goes, too.
        session.tx.remove(ports, node_id=row["id"])
        session.tx.remove(nodes, id=row["id"])
        due_work.cancel(session.tx, thing_of(row))
        due_work.wake(session.tx, thing_of(row), session.clock.seconds())
        node_states.note(session, row, row["provision_state"], None)

    def _not_unique(
        self, exc: DuplicateError, row: Mapping[str, Any], named: Sequence[str]
    ) -> errors.Conflict:
        if "name" not in exc.columns and "instance_uuid" in exc.columns:
            return errors.InstanceAssociated(instance_uuid=row["instance_uuid"], node=row["uuid"])
        return super()._not_unique(exc, row, named)


NODES = _Nodes(nodes, node_fields.NODES, "node", named=("name",))


def conditions(session: Session, filters: Mapping[str, Any]) -> list[Any]:
    """Return the conditions for nodes that filters let through.

    :param filters: what nodes must be. Columns must be equal, but ``shard`` one of a list, and
        ``uuid_in`` is a list of UUIDs; ``associated``, ``sharded``, ``reserved`` and
        ``with_power_state`` say whether there is an instance, a shard, a reservation or a power
        state, and ``description_contains``, ``chassis_uuid`` and ``project`` what their names say.
        ``traits`` and ``traits-any`` want all or one of a list of traits, ``not-traits`` and
        ``not-traits-any`` leave out nodes that have all or one of them. Children are left out
        unless ``include_children`` or ``parent_node`` asks for them.
    :raises NotFound: if there is no such chassis.
    """
    found = [_FILTERS[name](value) for name, value in filters.items() if name in _FILTERS]
    found += [nodes.c[name] == filters[name] for name in filters if name in _EQUAL]
    if "chassis_uuid" in filters:
        chassis = CHASSIS.get_by_uuid(session, filters["chassis_uuid"])
        found.append(nodes.c.chassis_id == chassis["id"])
    if not filters.get("include_children"):
        found.append(nodes.c.parent_node == filters.get("parent_node"))
    return found


def count(session: Session, filters: Mapping[str, Any]) -> int:
    """Return how many nodes there are; see :func:`conditions`."""
    query = sa.select(sa.func.count()).select_from(nodes).where(*conditions(session, filters))
    return int(session.tx.scalar(query))


def shards(session: Session) -> list[tuple[str | None, int]]:
    """Return shards and their numbers of nodes, the largest first; ``None`` for those without."""
    query = sa.select(nodes.c.shard, sa.func.count(nodes.c.id).label("count"))
    rows = session.tx.all(query.group_by(nodes.c.shard))
    found = [(row["shard"], row["count"]) for row in rows]
    return sorted(sorted(found, key=lambda item: item[0] or ""), key=lambda item: -item[1])


def uuids(session: Session, idents: Collection[str], project: str | None) -> dict[str, str]:
    """Return the UUIDs of nodes by what names them: their names, or the UUIDs themselves.

    :param project: the project that owns or leases them; all without it.
    """
    query = sa.select(nodes.c.uuid, nodes.c.name)
    query = query.where(sa.or_(nodes.c.uuid.in_(idents), nodes.c.name.in_(idents)))
    if project is not None:
        query = query.where(_FILTERS["project"](project))
    found = session.tx.all(query)
    return {row[key]: row["uuid"] for row in found for key in ("uuid", "name")}


def traits(session: Session, ids: Sequence[int]) -> dict[int, list[str]]:
    """Return the traits of nodes by their ``id``, in alphabetical order."""
    if len(ids) == 1:
        listed = session.tx.ask(_TRAITS, node_id=ids[0])
        return {ids[0]: [row["trait"] for row in listed]}
    found: dict[int, list[str]] = {}
    statement = (
        sa.select(node_traits).where(node_traits.c.node_id.in_(ids)).order_by(node_traits.c.trait)
    )
    for row in session.tx.all(statement):
        found.setdefault(row["node_id"], []).append(row["trait"])
    return found


def chassis_uuid(session: Session, node: Record) -> str | None:
    """Return the UUID of the chassis that a node is in."""
    if node["chassis_id"] is None:
        return None
    found = session.tx.get(chassis_table, id=node["chassis_id"])
    return None if found is None else found["uuid"]


def thing_of(node: Mapping[str, Any]) -> str:
    """Return how due work names a node."""
    return due_work.thing("nodes", node["uuid"])


def look_later(session: Session, node: Record) -> None:
    """Have periodic tasks find out that the machine of a node has changed."""
    if not due_work.pending(session.tx, thing_of(node), periodic.POWER_SYNC):
        _plan_power_sync(session, node)


def lock(session: Session, node: Record) -> None:
    """Take a node for the rest of the request; it is free again when the request ends.

    A lock shows in ``updated_at``, even of a request that fails.

    :raises NodeLocked: if the node is reserved.
    :raises NotFound, TemporaryFailure: if no conductor is there for it.
    """
    conductors.require(session, node)
    reserve(session, node, session.clock.now())
    session.locked.add(node["id"])


def reserve(session: Session, node: Record, moment: datetime) -> None:
    """Lock a node until the transaction ends; raise NodeLocked if someone else works on it.

    :param moment: when it is updated by that.
    """
    if not session.tx.change(_RESERVE, node_id=node["id"], updated_at=moment):
        current = NODES.get_by_id(session, node["id"])
        raise errors.NodeLocked(node=node["uuid"], host=current["reservation"])


def touch(session: Session, ids: Iterable[int]) -> None:
    """Note that nodes were locked by a request whose changes are undone."""
    session.tx.update(nodes, [nodes.c.id.in_(list(ids))], {"updated_at": session.clock.now()})


def _plan_periodic_tasks(
    session: Session, old_state: str, node: Record, changes: Mapping[str, Any]
) -> None:
    """Plan when periodic tasks look at a node that has changed."""
    waits = not states.WAITING.isdisjoint((old_state, node["provision_state"]))
    if waits and "provision_updated_at" in changes:
        due_work.cancel(session.tx, thing_of(node), periodic.CALLBACK_TIMEOUT)
        options, now = session.settings.periodic, session.clock.now()
        left = periodic.seconds_left(options, node, now)
        if left is not None:
            at = session.clock.seconds() + left
            due_work.add(session.tx, periodic.CALLBACK_TIMEOUT, thing_of(node), at)
    if not periodic.RELEVANT.isdisjoint(changes):
        _plan_power_sync(session, node)


def _plan_power_sync(session: Session, node: Record) -> None:
    """Plan a look at the power state of a node, unless one is planned that sees the change."""
    if node["reservation"]:
        return
    planned = due_work.pending(session.tx, thing_of(node), periodic.POWER_SYNC)
    failures = planned[0]["arguments"]["failures"] if planned else 0
    wait = periodic.interval(session.settings.periodic, node, failures, changed=True)
    at = session.clock.seconds() + wait
    if planned and not (wait and planned[0]["due_at"] <= at):
        due_work.cancel(session.tx, thing_of(node), periodic.POWER_SYNC)
        planned = []
    if wait and not planned:
        arguments = {"failures": failures}
        due_work.add(session.tx, periodic.POWER_SYNC, thing_of(node), at, arguments)


def _is_set(column: Any, wanted: bool) -> Any:
    return column.is_not(None) if wanted else column.is_(None)


def _has_all(traits: Sequence[str]) -> Any:
    return sa.and_(*(_has_any([trait]) for trait in dict.fromkeys(traits)))


def _has_any(traits: Sequence[str]) -> Any:
    having = sa.select(node_traits.c.node_id).where(node_traits.c.trait.in_(traits))
    return nodes.c.id.in_(having)
