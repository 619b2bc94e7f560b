"""Instances, which the API calls servers."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.compute.errors import InstanceInvalidState, InstanceNotFound
from fake_server.compute.session import reader, writer
from fake_server.compute.tables import servers
from fake_server.db.queries import Query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.compute.session import Session
    from fake_server.db.store import Record, Transaction

#: Nova's ``vm_states``.
BUILDING, ACTIVE, STOPPED, ERROR = "building", "active", "stopped", "error"
RESCUED = "rescued"
#: Nova's ``task_states``.
SCHEDULING, SPAWNING, DELETING = "scheduling", "spawning", "deleting"
REBUILD_SPAWNING = "rebuild_spawning"
RESCUING, UNRESCUING = "rescuing", "unrescuing"
POWERING_ON, POWERING_OFF = "powering-on", "powering-off"
REBOOT_STARTED, REBOOT_STARTED_HARD = "reboot_started", "reboot_started_hard"
#: Nova's ``power_state``.
NOSTATE, RUNNING, SHUTDOWN = 0, 1, 4

#: Tasks that a node has to get done.
AT_NODE = (
    SPAWNING,
    REBUILD_SPAWNING,
    RESCUING,
    UNRESCUING,
    DELETING,
    POWERING_ON,
    POWERING_OFF,
    REBOOT_STARTED,
    REBOOT_STARTED_HARD,
)
_STATUSES = {
    BUILDING: "BUILD",
    ACTIVE: "ACTIVE",
    STOPPED: "SHUTOFF",
    RESCUED: "RESCUE",
    ERROR: "ERROR",
}
_TASK_STATUSES = {
    REBUILD_SPAWNING: "REBUILD",
    REBOOT_STARTED: "REBOOT",
    REBOOT_STARTED_HARD: "HARD_REBOOT",
}
_ADDRESSES = {"accessIPv4": "access_ip_v4", "accessIPv6": "access_ip_v6"}
_DISK_CONFIG = "OS-DCF:diskConfig"
#: Those with unfinished work.
WAITING = Query(
    sa.select(servers.c.id)
    .where(sa.or_(servers.c.task_state.is_not(None), servers.c.unfinished))
    .order_by(servers.c.number)
)


def columns(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that a request sets with names of the API."""
    found = {
        column: str(ip_address(wanted[name]))
        for name, column in _ADDRESSES.items()
        if name in wanted
    }
    if _DISK_CONFIG in wanted:
        found["disk_config"] = wanted[_DISK_CONFIG]
    return found


def status(instance: Mapping[str, Any]) -> str:
    """Return the status of an instance, as the API shows it."""
    return _TASK_STATUSES.get(instance["task_state"], _STATUSES[instance["vm_state"]])


def check_state(instance: Mapping[str, Any], action: str, *vm_states: str) -> None:
    """Raise InstanceInvalidState unless an instance is idle and in one of the states."""
    if instance["task_state"] is not None:
        raise InstanceInvalidState(action, instance, "task_state")
    if instance["vm_state"] not in vm_states:
        raise InstanceInvalidState(action, instance)


@reader
def get(tx: Transaction, ident: str, project_id: str | None = None) -> Record:
    """Return an instance, of a project if one is given; raise InstanceNotFound without one."""
    row = tx.get(servers, id=ident)
    if row is None or project_id not in (None, row["project_id"]):
        raise InstanceNotFound(ident)
    return row


@reader
def get_all(tx: Transaction, project_id: str | None) -> list[Record]:
    """Return instances, of a project if one is given, the newest first."""
    where = [] if project_id is None else [servers.c.project_id == project_id]
    return tx.all(sa.select(servers).where(*where).order_by(servers.c.number.desc()))


@reader
def waiting(tx: Transaction) -> list[str]:
    """Return the ids of the instances with unfinished work."""
    return [row["id"] for row in tx.ask(WAITING)]


@writer
def create(tx: Transaction, rows: Sequence[Mapping[str, Any]]) -> list[Record]:
    """Store new instances and return them."""
    for row in rows:
        tx.insert(servers, row)
    return [get(tx, row["id"]) for row in rows]


def update(session: Session, ident: str, **changes: Any) -> bool:
    """Change columns of an instance; return whether it is still there."""
    return _update(session, [servers.c.id == ident], changes)


def save(session: Session, instance: Mapping[str, Any], **changes: Any) -> bool:
    """Change an instance and return true, unless its states have changed since it was read.

    As ``Instance.save`` of Nova with the expected states.
    """
    where = [servers.c.id == instance["id"], servers.c.vm_state == instance["vm_state"]]
    where.append(servers.c.task_state.is_not_distinct_from(instance["task_state"]))
    return _update(session, where, changes)


@writer
def destroy(tx: Transaction, ident: str) -> None:
    """Remove an instance with all that belongs to it."""
    tx.delete(servers, servers.c.id == ident)


def _update(session: Session, where: Sequence[Any], changes: Mapping[str, Any]) -> bool:
    return _write(session, where, {**changes, "updated_at": session.clock.now()})


@writer
def _write(tx: Transaction, where: Sequence[Any], values: Mapping[str, Any]) -> bool:
    return bool(tx.update(servers, where, values))
