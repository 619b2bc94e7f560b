"""VIFs in ``extra.vif_port_id`` of ports and port groups, before there were calls for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors

if TYPE_CHECKING:
    from fake_server.baremetal.task.objects import Connection, NetworkTask

_KEY = "vif_port_id"


def listed(task: NetworkTask) -> list[dict[str, Any]]:
    """Return the attached VIFs."""
    return [{"id": vif} for row in _rows(task) if (vif := _vif(row))]


def attach(task: NetworkTask, vif_id: str) -> None:
    """Attach a VIF to the first port that has none, as Nova did.

    :raises VifAlreadyAttached: if it is attached.
    :raises NoFreePhysicalPorts: if all ports have one.
    """
    for row in _rows(task):
        if _vif(row) == vif_id:
            kind = type(row).__name__
            raise errors.VifAlreadyAttached(vif=vif_id, object_type=kind, object_uuid=row.uuid)
    for row in task.ports:
        if not _vif(row):
            row.extra = {**row.extra, _KEY: vif_id}
            row.save()
            return
    raise errors.NoFreePhysicalPorts(vif=vif_id)


def detach(task: NetworkTask, vif_id: str) -> None:
    """Detach a VIF; raise VifNotAttached if it isn't attached."""
    for row in _rows(task):
        if _vif(row) == vif_id:
            row.extra = {key: value for key, value in row.extra.items() if key != _KEY}
            row.save()
            return
    raise errors.VifNotAttached(vif=vif_id, node=task.node.uuid)


def _rows(task: NetworkTask) -> list[Connection]:
    return [*task.ports, *task.portgroups]


def _vif(row: Connection) -> str | None:
    found: str | None = row.extra.get(_KEY)
    return found
