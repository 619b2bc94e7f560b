"""Instances, which the API calls servers."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common import due_work
from fake_server.compute.errors import InstanceInvalidState, InstanceNotFound
from fake_server.compute.session import reader, writer
from fake_server.compute.tables import servers

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
#: The kind of due work that goes on with one.
STEP = "server_step"
#: Its argument as long as a node is powered off before it is rescued.
_TO_RESCUE = "rescue_password"
#: A change of these columns may let it go on.
_MOVING = frozenset({"node_uuid", "task_state", "vm_state"})


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


@writer
def create(tx: Transaction, rows: Sequence[Mapping[str, Any]], now: float) -> list[Record]:
    """Store new instances and return them.

    :param now: the time, in seconds since the epoch.
    """
    for row in rows:
        tx.insert(servers, row)
    made = [get(tx, row["id"]) for row in rows]
    for row in made:
        _plan(tx, row, now)
    return made


def plan_unfinished(tx: Transaction, now: float) -> None:
    """Have Nova go on with the instances that a seed has in the middle of something."""
    for row in tx.all(sa.select(servers).order_by(servers.c.number)):
        _plan(tx, row, now, moves=False)


def update(session: Session, ident: str, **changes: Any) -> bool:
    """Change columns of an instance; return whether it is still there."""
    return _update(session, ident, [], changes)


def save(session: Session, instance: Mapping[str, Any], **changes: Any) -> bool:
    """Change an instance and return true, unless its states have changed since it was read.

    As ``Instance.save`` of Nova with the expected states.
    """
    where = [
        servers.c.vm_state == instance["vm_state"],
        servers.c.task_state.is_not_distinct_from(instance["task_state"]),
    ]
    return _update(session, instance["id"], where, changes)


@writer
def plan_rescue(tx: Transaction, ident: str, password: str, now: float) -> None:
    """Have Nova rescue an instance when its node is off.

    :param password: with which users log in to the rescue ramdisk.
    """
    _plan(tx, get(tx, ident), now, arguments={_TO_RESCUE: password})


@writer
def begin_rescue(tx: Transaction, ident: str, now: float) -> str | None:
    """Return the password of a rescue that Ironic is to be asked for, for one caller alone."""
    thing = due_work.thing("servers", ident)
    for planned in due_work.pending(tx, thing):
        password: str | None = planned["arguments"].get(_TO_RESCUE)
        if password and due_work.take(tx, planned):
            _plan(tx, get(tx, ident), now)
            return password
    return None


@writer
def destroy(tx: Transaction, ident: str) -> None:
    """Remove an instance with all that belongs to it."""
    tx.remove(servers, id=ident)
    due_work.cancel(tx, due_work.thing("servers", ident))


def _update(session: Session, ident: str, where: Sequence[Any], changes: Mapping[str, Any]) -> bool:
    values = {**changes, "updated_at": session.clock.now()}
    return _write(session, ident, where, values, session.clock.seconds())


@writer
def _write(
    tx: Transaction, ident: str, where: Sequence[Any], values: Mapping[str, Any], now: float
) -> bool:
    if not tx.update(servers, [servers.c.id == ident, *where], values):
        return False
    _plan(tx, get(tx, ident), now, moves=not _MOVING.isdisjoint(values))
    return True


def _plan(
    tx: Transaction,
    row: Mapping[str, Any],
    now: float,
    *,
    moves: bool = True,
    arguments: Mapping[str, Any] | None = None,
) -> None:
    """Have Nova go on with an instance as long as it has unfinished work.

    :param moves: whether that is to be at once.
    """
    thing = due_work.thing("servers", row["id"])
    planned = due_work.pending(tx, thing)
    if row["task_state"] is None and not row["unfinished"]:
        if planned:
            due_work.cancel(tx, thing)
        return
    watches = due_work.thing("nodes", row["node_uuid"]) if row["node_uuid"] else None
    if planned and not moves:
        return
    due_work.cancel(tx, thing)
    due_work.add(tx, STEP, thing, now, arguments, watches=watches)
