"""Power states of instances, which are those of their nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.compute import driver
from fake_server.compute.models import instances

if TYPE_CHECKING:
    from fake_server.compute.session import Session
    from fake_server.db.store import Record

_STATES = {driver.ON: instances.RUNNING, driver.OFF: instances.SHUTDOWN}


def of(node: driver.Node) -> int:
    """Return the power state of an instance whose node is this one."""
    return _STATES.get(node["power_state"], instances.NOSTATE)


def sync(session: Session, rows: list[Record]) -> list[Record]:
    """Return instances with the power states that their nodes have now."""
    steady = [row for row in rows if row["task_state"] is None and row["node_uuid"]]
    if not steady:
        return rows
    if len(steady) == 1:
        nodes = [driver.get_node(session, steady[0]["node_uuid"])]
    else:
        nodes = [*driver.get_node_list(session, associated="True")]
    having = {node["instance_uuid"]: node for node in nodes if node}
    return [_sync(session, row, having.get(row["id"])) for row in rows]


def _sync(session: Session, row: Record, node: driver.Node | None) -> Record:
    power = _STATES.get(node["power_state"]) if node else None
    if row["task_state"] is not None or power in (None, row["power_state"]):
        return row
    changes: dict[str, Any] = {"power_state": power}
    if row["vm_state"] in (instances.ACTIVE, instances.STOPPED):
        running = power == instances.RUNNING
        changes["vm_state"] = instances.ACTIVE if running else instances.STOPPED
    instances.save(session, row, **changes)
    return {**row, **changes}
