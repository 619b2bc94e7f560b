"""The inventories of nodes, as inspections found them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.tables import node_inventory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def get(session: Session, node: Record) -> Record:
    """Return what the last inspection of a node found out; raise NotFound if there was none."""
    found = session.tx.get(node_inventory, node_id=node["id"])
    if found is None:
        raise errors.NotFound(f"Node inventory record for node {node['id']} could not be found.")
    return found


def store(
    session: Session, node: Record, inventory: Mapping[str, Any], plugin_data: Mapping[str, Any]
) -> None:
    """Keep what an inspection found out, in place of what was known before."""
    session.tx.delete(node_inventory, node_inventory.c.node_id == node["id"])
    session.tx.insert(
        node_inventory,
        {
            "node_id": node["id"],
            "created_at": session.clock.now(),
            "inventory_data": dict(inventory),
            "plugin_data": dict(plugin_data),
        },
    )
