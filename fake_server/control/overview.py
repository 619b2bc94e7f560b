"""The data of the page: nodes with their timers and children."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.conductor.due.registry import AT_NODES
from fake_server.baremetal.hardware_types import FAKE_HARDWARE
from fake_server.baremetal.models import machines
from fake_server.baremetal.models import nodes as node_models
from fake_server.baremetal.models.ports import TENANT_VIF
from fake_server.baremetal.states import ERROR, FAILED, STABLE
from fake_server.baremetal.tables import (
    node_history,
    node_traits,
    nodes,
    portgroups,
    ports,
    volume_connectors,
    volume_targets,
)
from fake_server.common import due_work, masking

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.db.store import Record, Transaction

_CHILDREN: Mapping[str, sa.Table] = {
    "ports": ports,
    "portgroups": portgroups,
    "volume_connectors": volume_connectors,
    "volume_targets": volume_targets,
}
#: Nodes that are shown at most, and entries of the history of one.
MOST_NODES, _MOST_ENTRIES = 200, 50
#: Nodes that failed come first, then those at which something is going on.
_ORDER = sa.case(
    (nodes.c.provision_state.in_((*FAILED, ERROR)), 0),
    (nodes.c.provision_state.in_(STABLE), 2),
    else_=1,
)
SHOWN = (
    "uuid",
    "name",
    "driver",
    "conductor_group",
    "provision_state",
    "target_provision_state",
    "power_state",
    "target_power_state",
    "maintenance",
    "reservation",
    "last_error",
)


_SEARCHED = ("name", "uuid", "provision_state", "driver", "conductor_group", "resource_class")


def of_nodes(tx: Transaction, now: float, text: str = "", state: str = "") -> dict[str, Any]:
    """Return the nodes of the page, their number, and how many nodes are in each state.

    :param text: only those with it in their name, UUID, state, driver, conductor group or resource
        class.
    :param state: only those in this provision state.
    """
    found = (nodes.c[name].icontains(text, autoescape=True) for name in _SEARCHED)
    wanted = [sa.or_(*found), *([nodes.c.provision_state == state] if state else [])]
    number = tx.scalar(sa.select(sa.func.count()).select_from(nodes).where(*wanted))
    rows = tx.all(sa.select(nodes).where(*wanted).order_by(_ORDER, nodes.c.id).limit(MOST_NODES))
    due = due_work.by_thing(tx, map(node_models.thing_of, rows))
    shown = {row["id"]: _node(row, due.get(node_models.thing_of(row), []), now) for row in rows}
    _add_children(tx, shown)
    _keep_errors(tx, shown)
    states = nodes.c.provision_state
    counts = tx.all(
        sa.select(states, sa.func.count().label("count")).group_by(states).order_by(states)
    )
    return {
        "number": number,
        "nodes": list(shown.values()),
        "counts": {row["provision_state"]: row["count"] for row in counts},
    }


def of_node(tx: Transaction, uuid: str, now: float) -> dict[str, Any]:
    """Return all that belongs to a node, secrets masked; of its history the newest first."""
    rows = tx.rows(nodes, "id", uuid=uuid)
    ids = [row["id"] for row in rows]
    traits = _of(tx, node_traits, ids, node_traits.c.trait)
    found: dict[str, Any] = {"traits": [item["trait"] for item in traits]}
    for name, table in _CHILDREN.items():
        found[name] = _of(tx, table, ids, table.c.id)
    things = [node_models.thing_of(row) for row in rows]
    found["due"] = [
        _due(one, now) for work in due_work.by_thing(tx, things).values() for one in work
    ]
    found["history"] = _of(tx, node_history, ids, node_history.c.id.desc())[:_MOST_ENTRIES]
    simulated = [row["id"] for row in rows if row["driver"] != FAKE_HARDWARE]
    found["machine"] = machines.get(tx, simulated[0]) if simulated else None
    return masking.mask(_plain(found))


def _plain(value: Any) -> Any:
    """Return a value with its moments as text."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime) else value


def _node(row: Record, due: list[Record], now: float) -> dict[str, Any]:
    node: dict[str, Any] = {name: row[name] for name in SHOWN}
    step = next(
        (row[name] for name in ("deploy_step", "clean_step", "service_step") if row[name]), None
    )
    node["step"] = f"{step['interface']}.{step['step']}" if step and "step" in step else None
    node["due"] = [_due(one, now) for one in due]
    return node | {"traits": [], "vifs": [], "connectors": [], "targets": []}


def _due(one: Record, now: float) -> dict[str, Any]:
    return {"what": AT_NODES[one["kind"]].label, "seconds": one["due_at"] - now}


def _keep_errors(tx: Transaction, shown: dict[int, dict[str, Any]]) -> None:
    """Show what nodes failed with from their history, where ``last_error`` was cleared since."""
    cleared = [
        ident
        for ident, node in shown.items()
        if not node["last_error"] and node["provision_state"] in (*FAILED, ERROR)
    ]
    for row in _of(tx, node_history, cleared, node_history.c.id) if cleared else ():
        if row["severity"] == "ERROR":
            shown[row["node_id"]]["last_error"] = row["event"]


def _add_children(tx: Transaction, shown: dict[int, dict[str, Any]]) -> None:
    for row in _of(tx, node_traits, shown, node_traits.c.trait):
        shown[row["node_id"]]["traits"].append(row["trait"])
    for table in (portgroups, ports):
        for row in _of(tx, table, shown, table.c.id):
            vif = (row["internal_info"] or {}).get(TENANT_VIF)
            if vif:
                shown[row["node_id"]]["vifs"].append(f"{vif} on {row['name'] or row['address']}")
    for row in _of(tx, volume_connectors, shown, volume_connectors.c.id):
        shown[row["node_id"]]["connectors"].append(f"{row['type']} {row['connector_id']}")
    for row in _of(tx, volume_targets, shown, volume_targets.c.boot_index):
        properties = masking.mask(row["properties"] or {})
        text = f"{row['boot_index']}: {row['volume_type']} {row['volume_id']}"
        shown[row["node_id"]]["targets"].append(f"{text} {properties or ''}".rstrip())


def _of(
    tx: Transaction, table: sa.Table, ids: Iterable[int], order: sa.ColumnElement[Any]
) -> list[Record]:
    return tx.all(sa.select(table).where(table.c.node_id.in_(list(ids))).order_by(order))
