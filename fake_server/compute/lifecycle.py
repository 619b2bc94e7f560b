"""Delete, start, stop, reboot and rebuild servers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict
from fake_server.compute import configdrive, nodes, progress, server_deletion
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import BuildError, WrongState
from fake_server.compute.models import servers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.session import Session
    from fake_server.db.store import Record

#: Tenths of a second for which a server may be scheduling before its request counts as lost.
_PATIENCE = 100
#: Actions by name: the states that they need, the task, and what the node is asked for.
_POWER: dict[str, tuple[tuple[str, ...], str, str]] = {
    "start": ((servers.STOPPED,), servers.STARTING, nodes.ON),
    "stop": ((servers.ACTIVE, servers.ERROR), servers.STOPPING, nodes.OFF),
    "reboot": ((servers.ACTIVE,), servers.REBOOTING, nodes.SOFT_REBOOT),
    "reboot_hard": (
        (servers.ACTIVE, servers.STOPPED, servers.ERROR),
        servers.REBOOTING_HARD,
        nodes.REBOOT,
    ),
}


def check(server: Record, action: str, *states: str) -> None:
    """Raise WrongState unless a server is idle and in one of the states."""
    if server["task_state"] is not None:
        raise WrongState(action, server["id"], "task_state", server["task_state"])
    if server["vm_state"] not in states:
        raise WrongState(action, server["id"], "vm_state", server["vm_state"])


def delete(session: Session, server: Record) -> None:
    """Delete a server and what it uses."""
    ident = server["id"]
    _wait_until_scheduled(session, ident)
    session.database.write(
        lambda tx: servers.update(tx, session.clock, ident, task_state=servers.DELETING)
    )
    _look(session, ident)


def power(session: Session, server: Record, action: str) -> None:
    """Start, stop or reboot a server (see ``_POWER``); raise Conflict if it can't be done now."""
    states, task, target = _POWER[action]
    name = action.partition("_")[0]
    check(server, name, *states)
    if server["node_uuid"] is None:
        raise WrongState(name, server["id"], "vm_state", server["vm_state"])
    _begin(session, server, name, task)
    try:
        try:
            nodes.power(session, server["node_uuid"], target)
        except Refused as exc:
            if target != nodes.SOFT_REBOOT or exc.status != 400:
                raise
            nodes.power(session, server["node_uuid"], nodes.REBOOT)
    except Refused as exc:
        _undo(session, server, task)
        raise Conflict(str(exc)) from exc
    _look(session, server["id"])


def rebuild(
    session: Session,
    server: Record,
    changes: Mapping[str, Any],
    owner: Mapping[str, str],
) -> None:
    """Deploy a server again with changed columns; raise Conflict unless it is idle."""
    _begin(session, server, "rebuild", servers.REBUILDING, **changes)
    after = {**server, **changes, "task_state": servers.REBUILDING}
    try:
        _redeploy(session, after, owner)
    except (BuildError, Refused) as exc:
        server_deletion.set_error(session, after, str(exc), unfinished=False)
        return
    _look(session, server["id"])


def _redeploy(session: Session, server: Record, owner: Mapping[str, str]) -> None:
    if server["image_ref"] is None:
        raise BuildError("Ironic doesn't support rebuilding volume backed instances.")
    node = nodes.get(session, server["node_uuid"])
    if node is None:
        raise BuildError(f"Instance {server['id']} could not be found.")
    nodes.prepare(session, server, node, owner, from_volume=False)
    nodes.provision(session, node["uuid"], "rebuild", configdrive.contents(server))


def _look(session: Session, ident: str) -> None:
    """Apply what is due for a server already."""
    try:
        progress.step(session, ident)
    except Refused:
        return  # the next request tries again


def _wait_until_scheduled(session: Session, ident: str) -> None:
    """Wait for another request that is about to hand the server over to Ironic."""
    for _ in range(_PATIENCE):
        server = session.database.read(lambda tx: servers.find(tx, ident, None))
        if server["task_state"] != servers.SCHEDULING:
            return
        time.sleep(0.1)


def _begin(session: Session, server: Record, action: str, task: str, **changes: Any) -> None:
    begun = session.database.write(
        lambda tx: servers.move(tx, session.clock, server, task_state=task, **changes)
    )
    if not begun:
        raise WrongState(action, server["id"], "task_state", task)


def _undo(session: Session, server: Record, task: str) -> None:
    begun = {**server, "task_state": task}
    session.database.write(lambda tx: servers.move(tx, session.clock, begun, task_state=None))
