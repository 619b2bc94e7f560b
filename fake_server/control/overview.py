"""The data of the page: nodes with their timers and children."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.conductor.work import WORK
from fake_server.baremetal.models.ports import TENANT_VIF
from fake_server.baremetal.tables import (
    node_traits,
    nodes,
    portgroups,
    ports,
    volume_connectors,
    volume_targets,
)
from fake_server.common import masking

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.db.store import Record, Transaction

#: Nodes that are shown at most.
MOST_NODES = 200
_SHOWN = (
    "uuid",
    "name",
    "provision_state",
    "target_provision_state",
    "power_state",
    "target_power_state",
    "maintenance",
    "reservation",
    "last_error",
)


def of_nodes(tx: Transaction, now: float, text: str = "") -> dict[str, Any]:
    """Return the nodes of the page, with a text in their name, UUID or state, and their number."""
    wanted = [
        sa.or_(
            *(
                column.icontains(text, autoescape=True)
                for column in (nodes.c.name, nodes.c.uuid, nodes.c.provision_state)
            )
        )
    ]
    number = tx.scalar(sa.select(sa.func.count()).select_from(nodes).where(*wanted))
    rows = tx.all(sa.select(nodes).where(*wanted).order_by(nodes.c.id).limit(MOST_NODES))
    shown = {row["id"]: _node(row, now) for row in rows}
    _add_children(tx, shown)
    return {"number": number, "nodes": list(shown.values())}


def _node(row: Record, now: float) -> dict[str, Any]:
    node: dict[str, Any] = {name: row[name] for name in _SHOWN}
    step = next(
        (row[name] for name in ("deploy_step", "clean_step", "service_step") if row[name]), None
    )
    node["step"] = f"{step['interface']}.{step['step']}" if step and "step" in step else None
    due = row["due_event"]
    node["due"] = None
    if due and row["due_at"] is not None:
        node["due"] = {"what": WORK[due["work"]].transition, "seconds": row["due_at"] - now}
    return node | {"traits": [], "vifs": [], "connectors": [], "targets": []}


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
    tx: Transaction, table: sa.Table, ids: Iterable[int], order: sa.Column[Any]
) -> list[Record]:
    return tx.all(sa.select(table).where(table.c.node_id.in_(list(ids))).order_by(order))
