"""Export the state of a server as a seed."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import tables
from fake_server.baremetal.conductor.work import WORK
from fake_server.baremetal.fields import timestamp
from fake_server.baremetal.models import nodes as node_models
from fake_server.block_storage.models import types
from fake_server.common import due_work
from fake_server.seeds import accounts, networks, schema, services

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction
    from fake_server.seeds.resource_kind import ResourceKind


def export(tx: Transaction, clock: Clock) -> dict[str, Any]:
    """Return a seed that a server without nodes can be given to have the same ones.

    It holds secrets as they are. Times aren't in it, nor what nodes are in the middle of.
    """
    chassis = _rows(tx, schema.CHASSIS)
    nodes = _rows(tx, schema.NODES)
    shown = {row["id"]: differing(schema.NODES, row) for row in nodes}
    uuids = {row["id"]: row["uuid"] for row in chassis}
    due = due_work.by_thing(tx, map(node_models.thing_of, nodes))
    for row in nodes:
        entry = shown[row["id"]]
        # Always there: a seed without it would have the usual one of the state.
        entry["power_state"] = row["power_state"]
        if row["chassis_id"] is not None:
            entry["chassis_uuid"] = uuids[row["chassis_id"]]
        if row["parent_node"]:
            entry["parent_node"] = row["parent_node"]
        if any(one["kind"] in WORK for one in due.get(node_models.thing_of(row), ())):
            # The lock of work that isn't in a seed would never end.
            entry.pop("reservation", None)
    for row in tx.all(sa.select(tables.machines)):
        shown[row["node_id"]]["machine"] = row["state"]
    for row in tx.all(sa.select(tables.node_inventory)):
        found = {"inventory": row["inventory_data"], "plugin_data": row["plugin_data"]}
        shown[row["node_id"]]["inventory"] = found
    _add_traits(tx, schema.NODES, shown)
    groups: dict[int, str] = {}
    for kind in schema.OF_NODES:
        for row in _rows(tx, kind):
            entry = differing(kind, row)
            if kind is schema.PORTGROUPS:
                groups[row["id"]] = row["uuid"]
            if row.get("portgroup_id") is not None:
                entry["portgroup"] = groups[row["portgroup_id"]]
            if row["node_id"] in shown:
                shown[row["node_id"]].setdefault(kind.key, []).append(entry)
    lab = {
        schema.CHASSIS.key: [differing(schema.CHASSIS, row) for row in chassis],
        schema.NODES.key: list(shown.values()),
        schema.DEPLOY_TEMPLATES.key: _others(tx, schema.DEPLOY_TEMPLATES),
        schema.RUNBOOKS.key: _others(tx, schema.RUNBOOKS),
        schema.INSPECTION_RULES.key: _others(tx, schema.INSPECTION_RULES),
        schema.ALLOCATIONS.key: _allocations(tx, shown),
        **accounts.export(tx),
        **networks.export(tx, clock),
        **{kind.key: _with_children(tx, kind) for kind in services.ROWS},
    }
    usual = [differing(services.VOLUME_TYPES, row) for row in types.built_in()]
    key = services.VOLUME_TYPES.key
    lab[key] = [one for one in lab[key] if one not in usual]
    return {key: entries for key, entries in lab.items() if entries}


def differing(kind: ResourceKind, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry: what differs from what a new row would have."""
    defaults = kind.defaults()
    return {
        name: timestamp(row[name]) if isinstance(row[name], datetime) else row[name]
        for name in kind.fields
        if name in kind.required
        or (
            name in row
            and row[name] != defaults[name]
            and not (row[name] in ({}, []) and defaults[name] is None)
        )
    }


def _rows(tx: Transaction, kind: ResourceKind) -> list[Record]:
    return tx.all(sa.select(kind.table).order_by(*kind.table.primary_key))


def _with_children(tx: Transaction, kind: ResourceKind) -> list[dict[str, Any]]:
    """Return the entries of a kind whose rows are what a seed says."""
    rows = _rows(tx, kind)
    shown = {row.get("id", row["number"]): differing(kind, row) for row in rows}
    for child in kind.children:
        for row in _rows(tx, child):
            shown[row[str(child.parent)]].setdefault(child.key, []).append(differing(child, row))
    return list(shown.values())


def _others(tx: Transaction, kind: ResourceKind) -> list[dict[str, Any]]:
    shown = {row["id"]: differing(kind, row) for row in _rows(tx, kind)}
    _add_traits(tx, kind, shown)
    return list(shown.values())


def _allocations(tx: Transaction, nodes: Mapping[int, dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for row in _rows(tx, schema.ALLOCATIONS):
        entry = differing(schema.ALLOCATIONS, row)
        if row["node_id"] is not None:
            entry["node"] = nodes[row["node_id"]]["uuid"]
        found.append(entry)
    return found


def _add_traits(tx: Transaction, kind: ResourceKind, shown: Mapping[int, dict[str, Any]]) -> None:
    if kind.traits is None:
        return
    owner, trait = kind.traits.primary_key.columns
    for row in tx.all(sa.select(kind.traits).order_by(owner, trait)):
        shown[row[owner.name]].setdefault("traits", []).append(row[trait.name])
