"""What is known of a node's hardware: its BIOS settings, firmware components and inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors, tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def bios_settings(session: Session, node: Record) -> list[Record]:
    """Return the settings of a node, by name."""
    table = tables.bios_settings
    query = sa.select(table).where(table.c.node_id == node["id"]).order_by(table.c.name)
    return session.tx.all(query)


def bios_setting(session: Session, node: Record, name: str) -> Record:
    """Return one setting; raise NotFound if the node doesn't have it."""
    found = session.tx.get(tables.bios_settings, node_id=node["id"], name=name)
    if found is None:
        raise errors.NotFound(f"Node {node['uuid']} doesn't have a BIOS setting '{name}'")
    return found


def replace_bios_settings(
    session: Session, node: Record, settings: Mapping[str, Mapping[str, Any]]
) -> None:
    """Make these all the settings that the node has; those that stay the same keep their times.

    :param settings: columns of the settings by name, ``value`` among them.
    """
    table, now = tables.bios_settings, session.clock.now()
    present = {setting["name"]: setting["value"] for setting in bios_settings(session, node)}
    for name in present:
        if name not in settings:
            session.tx.remove(table, node_id=node["id"], name=name)
    for name, columns in settings.items():
        if name not in present:
            row = {"node_id": node["id"], "name": name, "created_at": now, **columns}
            session.tx.insert(table, row)
        elif present[name] != columns["value"]:
            where = [table.c.node_id == node["id"], table.c.name == name]
            session.tx.update(table, where, {**columns, "updated_at": now})


def firmware(session: Session, node: Record) -> list[Record]:
    """Return the components of a node."""
    table = tables.firmware_components
    query = sa.select(table).where(table.c.node_id == node["id"]).order_by(table.c.id)
    return session.tx.all(query)


def store_firmware(
    session: Session, node: Record, component: str, values: Mapping[str, Any]
) -> None:
    """Keep what is known of a component; its first version stays the initial one.

    :param values: columns of the component, ``current_version`` among them.
    """
    table, now = tables.firmware_components, session.clock.now()
    found = session.tx.get(table, node_id=node["id"], component=component)
    if found is None:
        row = {"initial_version": values["current_version"], "created_at": now, **values}
        session.tx.insert(table, {"node_id": node["id"], "component": component, **row})
    elif any(found[name] != value for name, value in values.items()):
        session.tx.update_row(table, found["id"], {**values, "updated_at": now})


def inventory(session: Session, node: Record) -> Record:
    """Return what the last inspection of a node found out; raise NotFound if there was none."""
    found = session.tx.get(tables.node_inventory, node_id=node["id"])
    if found is None:
        raise errors.NotFound(f"Node inventory record for node {node['id']} could not be found.")
    return found


def store_inventory(
    session: Session, node: Record, found: Mapping[str, Any], plugin_data: Mapping[str, Any]
) -> None:
    """Keep what an inspection found out, in place of what was known before."""
    session.tx.remove(tables.node_inventory, node_id=node["id"])
    session.tx.insert(
        tables.node_inventory,
        {
            "node_id": node["id"],
            "created_at": session.clock.now(),
            "inventory_data": dict(found),
            "plugin_data": dict(plugin_data),
        },
    )
