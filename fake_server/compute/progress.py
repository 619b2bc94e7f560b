"""Apply the due events of servers: each request to Nova takes them a step further."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fake_server.compute import nodes, server_deletion, targets, volumes
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import ServerNotFound
from fake_server.compute.models import devices, servers
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.compute.session import Session
    from fake_server.db.store import Record

LOG = logging.getLogger(__name__)

_POWER_STATES = {nodes.ON: servers.RUNNING, nodes.OFF: servers.SHUTDOWN}


def apply_due_events(session: Session) -> None:
    """Take a step for every server with unfinished work."""
    for ident in session.database.read(servers.waiting):
        try:
            step(session, ident)
        except (Refused, ServerNotFound):
            continue  # the next request tries again, unless another one did
        except RetryError:
            raise
        except Exception as exc:
            LOG.exception("Going on with server %s crashed", ident)
            _fail(session, ident, f"Unexpected error: {exc!r}")


def _fail(session: Session, ident: str, message: str) -> None:
    """Set a server whose next step crashed to ERROR, because the step would crash again."""
    with suppress(ServerNotFound):
        server = session.database.read(lambda tx: servers.find(tx, ident, None))
        server_deletion.set_error(session, server, message, unfinished=False)


def step(session: Session, ident: str) -> None:
    """Take a server as far as possible now; raise Refused if another service fails."""
    try:
        server = session.database.read(lambda tx: servers.find(tx, ident, None))
    except ServerNotFound:
        return
    task = server["task_state"]
    if task == servers.DELETING:
        server_deletion.delete(session, server)
    elif server["vm_state"] == servers.ERROR and server["unfinished"]:
        server_deletion.clear(session, ident)
    elif task in servers.AT_NODE:
        _look(session, server)
    elif server["unfinished"]:
        targets.sync(session, server)


def follow(session: Session, rows: Iterable[Record]) -> list[Record]:
    """Return servers with the power states that their nodes have now."""
    found = list(rows)
    steady = [row for row in found if row["task_state"] is None and row["node_uuid"]]
    if not steady:
        return found
    if len(steady) == 1:
        node = nodes.get(session, steady[0]["node_uuid"])
        having = {node["instance_uuid"]: node} if node else {}
    else:
        having = nodes.with_servers(session)
    return [_powered(session, row, having.get(row["id"])) for row in found]


def _powered(session: Session, row: Record, node: nodes.Node | None) -> Record:
    power = _POWER_STATES.get(node["power_state"]) if node else None
    if row["task_state"] is not None or power in (None, row["power_state"]):
        return row
    changes: dict[str, Any] = {"power_state": power}
    if row["vm_state"] in (servers.ACTIVE, servers.STOPPED):
        changes["vm_state"] = servers.ACTIVE if power == servers.RUNNING else servers.STOPPED
    session.database.write(lambda tx: servers.move(tx, session.clock, row, **changes))
    return {**row, **changes}


def _look(session: Session, server: Record) -> None:
    """Check whether a node has done what it was asked for."""
    node = nodes.get(session, server["node_uuid"])
    if node is None or node["instance_uuid"] != server["id"]:
        _lose(session, server)
    elif server["task_state"] in (servers.SPAWNING, servers.REBUILDING):
        _look_at_deployment(session, server, node)
    elif node["target_power_state"] is None:
        _settle(session, server, node)


def _look_at_deployment(session: Session, server: Record, node: nodes.Node) -> None:
    state = node["provision_state"]
    if state == nodes.ACTIVE:
        owned = session.database.read(lambda tx: devices.volumes_of(tx, [server["id"]]))
        for device in owned.get(server["id"], ()):
            if device["attachment_id"]:
                volumes.complete(session, device["attachment_id"])
        if node["power_state"] != nodes.ON:
            # Not every deploy interface switches on what it has deployed.
            _switch_on(session, server, node)
        else:
            _settle(session, server, node, launched=True)
    elif state == nodes.DEPLOY_FAILED:
        message = f"Failed to provision instance {server['id']}: {node['last_error']}"
        if server["task_state"] == servers.SPAWNING:
            server_deletion.give_up(session, server, message)
        else:
            server_deletion.set_error(session, server, message, unfinished=False)
    elif state in nodes.FREE:
        _lose(session, server)


def _switch_on(session: Session, server: Record, node: nodes.Node) -> None:
    if node["target_power_state"] is None:
        nodes.power(session, node["uuid"], nodes.ON)
    found = nodes.get(session, node["uuid"])
    if found is not None and found["power_state"] == nodes.ON:
        _settle(session, server, found, launched=True)


def _settle(session: Session, server: Record, node: nodes.Node, *, launched: bool = False) -> None:
    power = _POWER_STATES.get(node["power_state"], servers.NO_POWER)
    changes: dict[str, Any] = {
        "task_state": None,
        "power_state": power,
        "vm_state": servers.STOPPED if power == servers.SHUTDOWN else servers.ACTIVE,
    }
    if launched:
        changes["launched_at"] = session.clock.now()
    session.database.write(lambda tx: servers.move(tx, session.clock, server, **changes))
    if server["unfinished"]:
        targets.sync(session, server)


def _lose(session: Session, server: Record) -> None:
    """Record that the node of a server was taken away."""
    server_deletion.give_up(session, server, f"Instance {server['id']} could not be found.")
