"""Firmware components of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.baremetal.tables import firmware_components

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def fetch(session: Session, node: Record) -> list[Record]:
    """Return the components of a node."""
    table = firmware_components
    query = sa.select(table).where(table.c.node_id == node["id"]).order_by(table.c.id)
    return session.tx.all(query)
