"""Servers, and the states that they are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.compute.errors import ServerNotFound
from fake_server.compute.tables import servers
from fake_server.db.queries import Query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

BUILDING, ACTIVE, STOPPED, ERROR = "building", "active", "stopped", "error"
SCHEDULING, SPAWNING, REBUILDING, DELETING = (
    "scheduling",
    "spawning",
    "rebuild_spawning",
    "deleting",
)
STARTING, STOPPING = "powering-on", "powering-off"
REBOOTING, REBOOTING_HARD = "reboot_started", "reboot_started_hard"
NO_POWER, RUNNING, SHUTDOWN = 0, 1, 4

#: Tasks that a node has to get done.
AT_NODE = (SPAWNING, REBUILDING, DELETING, STARTING, STOPPING, REBOOTING, REBOOTING_HARD)
_STATUSES = {BUILDING: "BUILD", ACTIVE: "ACTIVE", STOPPED: "SHUTOFF", ERROR: "ERROR"}
_TASK_STATUSES = {REBUILDING: "REBUILD", REBOOTING: "REBOOT", REBOOTING_HARD: "HARD_REBOOT"}
_WAITING = Query(
    sa.select(servers.c.id)
    .where(sa.or_(servers.c.task_state.is_not(None), servers.c.unfinished))
    .order_by(servers.c.number)
)


def status(server: Mapping[str, Any]) -> str:
    """Return the status of a server, as the API shows it."""
    return _TASK_STATUSES.get(server["task_state"], _STATUSES[server["vm_state"]])


def find(tx: Transaction, ident: str, project_id: str | None) -> Record:
    """Return a server, of a project if one is given; raise ServerNotFound if there is none."""
    row = tx.get(servers, id=ident)
    if row is None or project_id not in (None, row["project_id"]):
        raise ServerNotFound(ident)
    return row


def fetch(tx: Transaction, project_id: str | None) -> list[Record]:
    """Return servers, of a project if one is given, the newest first."""
    where = [] if project_id is None else [servers.c.project_id == project_id]
    return tx.all(sa.select(servers).where(*where).order_by(servers.c.number.desc()))


def waiting(tx: Transaction) -> list[str]:
    """Return the ids of the servers with unfinished work."""
    return [row["id"] for row in tx.ask(_WAITING)]


def create(tx: Transaction, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store new servers."""
    for row in rows:
        tx.insert(servers, row)


def update(tx: Transaction, clock: Clock, ident: str, **changes: Any) -> bool:
    """Change columns of a server; return whether it is still there."""
    values = {**changes, "updated_at": clock.now()}
    return bool(tx.update_row(servers, ident, values))


def move(tx: Transaction, clock: Clock, server: Mapping[str, Any], **changes: Any) -> bool:
    """Change a server and return true, unless its states have changed since it was read."""
    where = [servers.c.id == server["id"], servers.c.vm_state == server["vm_state"]]
    where.append(servers.c.task_state.is_not_distinct_from(server["task_state"]))
    return bool(tx.update(servers, where, {**changes, "updated_at": clock.now()}))


def delete(tx: Transaction, ident: str) -> None:
    """Remove a server with all that belongs to it."""
    tx.delete(servers, servers.c.id == ident)
