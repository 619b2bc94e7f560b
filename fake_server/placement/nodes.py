"""Ironic's nodes as resource providers, as Nova's driver reports them.

A node that changed is reported with the next request. What clients edited stays for the rest of the
period between two reports, and is undone by the next one.
"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import states
from fake_server.baremetal.tables import node_traits, nodes
from fake_server.db.queries import Query
from fake_server.db.store import ConflictError, DuplicateError
from fake_server.placement.models import classes, inventories, traits
from fake_server.placement.tables import inventories as inventories_table
from fake_server.placement.tables import provider_traits, providers

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

#: The power state of nodes that aren't available.
_BAD_POWER = "error"

_UNAVAILABLE: Any = sa.case(
    (
        sa.and_(
            nodes.c.provision_state == states.AVAILABLE,
            nodes.c.instance_uuid.is_(None),
            sa.not_(nodes.c.maintenance),
            sa.func.coalesce(nodes.c.power_state, "") != _BAD_POWER,
        ),
        0,
    ),
    else_=1,
)
_NODES = sa.select(nodes.c.id, nodes.c.uuid, nodes.c.resource_class, _UNAVAILABLE.label("reserved"))


def _differing_in_traits() -> sa.Select[Any]:
    table = provider_traits
    same = sa.and_(
        table.c.provider_uuid == nodes.c.uuid, table.c.trait == node_traits.c.trait, table.c.on_node
    )
    gained = (
        sa.select(node_traits.c.node_id)
        .join(nodes, nodes.c.id == node_traits.c.node_id)
        .outerjoin(table, same)
        .where(table.c.trait.is_(None))
    )
    lost = (
        sa.select(nodes.c.id)
        .join(table, sa.and_(table.c.provider_uuid == nodes.c.uuid, table.c.on_node))
        .outerjoin(
            node_traits,
            sa.and_(node_traits.c.node_id == nodes.c.id, node_traits.c.trait == table.c.trait),
        )
        .where(node_traits.c.trait.is_(None))
    )
    return _NODES.where(sa.or_(nodes.c.id.in_(gained), nodes.c.id.in_(lost)))


_CHANGED = Query(
    _NODES.outerjoin(providers, providers.c.uuid == nodes.c.uuid).where(
        sa.or_(
            providers.c.uuid.is_(None),
            sa.not_(providers.c.is_node),
            providers.c.node_class.is_distinct_from(nodes.c.resource_class),
            providers.c.node_reserved.is_distinct_from(_UNAVAILABLE),
        )
    )
)
_DIFFERING_IN_TRAITS = Query(_differing_in_traits())
_EDITED = Query(
    sa.select(providers.c.uuid, providers.c.edited_at).where(
        providers.c.is_node, providers.c.edited_at.is_not(None)
    )
)
_GONE = Query(
    sa.select(providers.c.uuid).where(
        providers.c.is_node, providers.c.uuid.not_in(sa.select(nodes.c.uuid))
    )
)


def report(tx: Transaction, clock: Clock, *, interval: float) -> None:
    """Bring the providers of nodes up to date.

    :param interval: seconds between two reports that undo what was edited by hand.
    :raises ConflictError: if another process reports the same nodes.
    """
    _forget_gone(tx)
    changed = {row["uuid"]: row for row in tx.ask(_CHANGED)}
    changed |= {row["uuid"]: row for row in tx.ask(_DIFFERING_IN_TRAITS)}
    changed |= _edited(tx, clock, interval)
    if changed:
        try:
            _apply(tx, clock, list(changed.values()))
        except DuplicateError as exc:
            raise ConflictError(str(exc)) from exc


def _edited(tx: Transaction, clock: Clock, interval: float) -> dict[str, Record]:
    """Return the nodes that were edited by hand before the present period."""
    rows = tx.ask(_EDITED)
    now = clock.seconds()
    due = [
        row["uuid"]
        for row in rows
        if interval <= 0 or floor(row["edited_at"] / interval) < floor(now / interval)
    ]
    return {row["uuid"]: row for row in tx.among(_NODES, nodes.c.uuid, due)}


def _forget_gone(tx: Transaction) -> None:
    """Drop the providers of deleted nodes, with their allocations."""
    for row in tx.ask(_GONE):
        tx.remove(providers, uuid=row["uuid"])


def _apply(tx: Transaction, clock: Clock, rows: list[Record]) -> None:
    column = providers.c.uuid
    known = {
        row["uuid"] for row in tx.among(sa.select(column), column, [row["uuid"] for row in rows])
    }
    wanted: dict[int, list[str]] = {}
    query = sa.select(node_traits)
    for row in tx.among(query, node_traits.c.node_id, [row["id"] for row in rows]):
        wanted.setdefault(row["node_id"], []).append(row["trait"])
    for name in {row["resource_class"] for row in rows if row["resource_class"]}:
        classes.NAMES.create(tx, classes.normalized(name))
    for trait in {trait for found in wanted.values() for trait in found}:
        traits.NAMES.create(tx, trait)
    _create(tx, clock, [row for row in rows if row["uuid"] not in known], wanted)
    for row in rows:
        if row["uuid"] in known:
            _update(tx, clock, row, wanted.get(row["id"], []))


def _create(
    tx: Transaction, clock: Clock, rows: list[Record], wanted: dict[int, list[str]]
) -> None:
    """Make providers of nodes, many at a time."""
    now = clock.now()
    made = [
        {
            "uuid": row["uuid"],
            "name": row["uuid"],
            "root_uuid": row["uuid"],
            "generation": 1,
            "created_at": now,
            "updated_at": now,
            **_source(row),
        }
        for row in rows
    ]
    stock = [
        {"provider_uuid": row["uuid"], "resource_class": name, **values}
        for row in rows
        for name, values in _inventory(row).items()
    ]
    having = [one for row in rows for one in _traits(row["uuid"], wanted.get(row["id"], ()))]
    for table, content in (
        (providers, made),
        (inventories_table, stock),
        (provider_traits, having),
    ):
        if content:
            tx.insert_many(table, content)


def _update(tx: Transaction, clock: Clock, row: Record, wanted: Collection[str]) -> None:
    uuid = row["uuid"]
    changes = {
        "name": uuid,
        "generation": providers.c.generation + 1,
        "updated_at": clock.now(),
        **_source(row),
    }
    tx.update(providers, [providers.c.uuid == uuid], changes)
    stock = _inventory(row)
    present = inventories.fetch(tx, uuid)
    # Inventories of the node's former class stay while they have allocations.
    kept = {
        name: values
        for name, values in present.items()
        if name not in stock and inventories.is_used(tx, uuid, name)
    }
    inventories.replace(tx, uuid, {**kept, **stock})
    tx.remove(provider_traits, provider_uuid=uuid)
    if wanted:
        tx.insert_many(provider_traits, _traits(uuid, wanted))


def _traits(uuid: str, wanted: Collection[str]) -> list[Record]:
    return [
        {"provider_uuid": uuid, "trait": trait, "present": True, "on_node": True}
        for trait in wanted
    ]


def _source(row: Record) -> dict[str, Any]:
    return {
        "is_node": True,
        "node_class": row["resource_class"],
        "node_reserved": row["reserved"],
        "edited_at": None,
    }


def _inventory(row: Record) -> dict[str, dict[str, Any]]:
    if not row["resource_class"]:
        return {}
    values = {**inventories.DEFAULTS, "total": 1, "max_unit": 1, "reserved": row["reserved"]}
    return {classes.normalized(row["resource_class"]): values}
