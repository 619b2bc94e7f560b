"""VIFs in ``extra.vif_port_id`` of ports and port groups, before there were calls for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import errors
from ..tables import portgroups, ports

if TYPE_CHECKING:
    from collections.abc import Iterator

    import sqlalchemy as sa

    from ...store import Record
    from ..conductor.task import Task

_KEY = "vif_port_id"


def listed(task: Task) -> list[dict[str, Any]]:
    """Return the attached VIFs."""
    return [{"id": vif} for _, row in _rows(task) if (vif := _vif(row))]


def attach(task: Task, vif_id: str) -> None:
    """Attach a VIF to the first port that has none, as Nova did.

    :raises VifAlreadyAttached: if it is attached.
    :raises NoFreePhysicalPorts: if all ports have one.
    """
    for table, row in _rows(task):
        if _vif(row) == vif_id:
            kind = "Port" if table is ports else "Portgroup"
            raise errors.VifAlreadyAttached(vif=vif_id, object_type=kind, object_uuid=row["uuid"])
    for row in task.ports:
        if not _vif(row):
            _keep(task, ports, row, {**(row["extra"] or {}), _KEY: vif_id})
            return
    raise errors.NoFreePhysicalPorts(vif=vif_id)


def detach(task: Task, vif_id: str) -> None:
    """Detach a VIF.

    :raises VifNotAttached: if it isn't attached.
    """
    for table, row in _rows(task):
        if _vif(row) == vif_id:
            extra = {key: value for key, value in row["extra"].items() if key != _KEY}
            _keep(task, table, row, extra)
            return
    raise errors.VifNotAttached(vif=vif_id, node=task.node["uuid"])


def _rows(task: Task) -> Iterator[tuple[sa.Table, Record]]:
    yield from ((ports, row) for row in task.ports)
    yield from ((portgroups, row) for row in task.portgroups)


def _vif(row: Record) -> str | None:
    return (row["extra"] or {}).get(_KEY)


def _keep(task: Task, table: sa.Table, row: Record, extra: dict[str, Any]) -> None:
    values = {"extra": extra, "updated_at": task.session.clock.now()}
    task.session.tx.update(table, [table.c.id == row["id"]], values)
