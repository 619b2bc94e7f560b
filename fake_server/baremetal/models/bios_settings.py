"""BIOS settings of a node, as the hardware was last known to have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors
from fake_server.baremetal.tables import bios_settings as table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def fetch(session: Session, node: Record) -> list[Record]:
    """Return the settings of a node, by name."""
    query = sa.select(table).where(table.c.node_id == node["id"]).order_by(table.c.name)
    return session.tx.all(query)


def get(session: Session, node: Record, name: str) -> Record:
    """Return one setting; raise NotFound if the node doesn't have it."""
    found = session.tx.get(table, node_id=node["id"], name=name)
    if found is None:
        raise errors.NotFound(f"Node {node['uuid']} doesn't have a BIOS setting '{name}'")
    return found


def replace(session: Session, node: Record, settings: Mapping[str, Mapping[str, Any]]) -> None:
    """Make these all the settings that the node has; those that stay the same keep their times.

    :param settings: columns of the settings by name, ``value`` among them.
    """
    now = session.clock.now()
    present = {setting["name"]: setting["value"] for setting in fetch(session, node)}
    for name in present:
        if name not in settings:
            session.tx.delete(table, table.c.node_id == node["id"], table.c.name == name)
    for name, columns in settings.items():
        if name not in present:
            row = {"node_id": node["id"], "name": name, "created_at": now, **columns}
            session.tx.insert(table, row)
        elif present[name] != columns["value"]:
            where = [table.c.node_id == node["id"], table.c.name == name]
            session.tx.update(table, where, {**columns, "updated_at": now})
