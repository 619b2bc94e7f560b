"""Firmware components of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.tables import firmware_components

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def fetch(session: Session, node: Record) -> list[Record]:
    """Return the components of a node."""
    table = firmware_components
    query = sa.select(table).where(table.c.node_id == node["id"]).order_by(table.c.id)
    return session.tx.all(query)


def store(session: Session, node: Record, component: str, values: Mapping[str, Any]) -> None:
    """Keep what is known of a component; its first version stays the initial one.

    :param values: columns of the component, ``current_version`` among them.
    """
    table, now = firmware_components, session.clock.now()
    found = session.tx.get(table, node_id=node["id"], component=component)
    if found is None:
        row = {"initial_version": values["current_version"], "created_at": now, **values}
        session.tx.insert(table, {"node_id": node["id"], "component": component, **row})
    elif any(found[name] != value for name, value in values.items()):
        session.tx.update_row(table, found["id"], {**values, "updated_at": now})
