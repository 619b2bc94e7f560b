"""Delete servers: free their nodes and what they use of other services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.compute import networks, nodes, scheduling, targets, volumes
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import ServerNotFound
from fake_server.compute.models import devices, servers

if TYPE_CHECKING:
    from fake_server.compute.session import Session
    from fake_server.db.store import Record

_CLEANING = frozenset({"cleaning", "clean wait", "clean hold"})


def give_up(session: Session, server: Record, message: str) -> None:
    """Set a server to ERROR, and take it off its node if possible now."""
    if set_error(session, server, message, unfinished=True):
        try:
            clear(session, server["id"])
        except (Refused, ServerNotFound):
            return  # the next request tries again, unless another one did


def set_error(session: Session, server: Record, message: str, *, unfinished: bool) -> bool:
    """Set a server to ERROR, unless another request changed it since; return whether it was set."""
    fault = {
        "code": 500,
        "created": f"{session.clock.now():%Y-%m-%dT%H:%M:%SZ}",
        "message": message,
    }
    changes: dict[str, Any] = {
        "vm_state": servers.ERROR,
        "task_state": None,
        "fault": fault,
        "unfinished": unfinished,
    }
    return session.database.write(lambda tx: servers.move(tx, session.clock, server, **changes))


def clear(session: Session, ident: str) -> None:
    """Take a broken server away from its node if possible now; raise Refused if a service fails."""
    server = session.database.read(lambda tx: servers.find(tx, ident, None))
    if not unprovision(session, server):
        return
    deallocate(session, server)
    session.database.write(
        lambda tx: servers.update(tx, session.clock, ident, node_uuid=None, unfinished=False)
    )


def delete(session: Session, server: Record) -> None:
    """Remove a server if possible now; raise Refused if another service fails."""
    if not unprovision(session, server):
        return
    ident = server["id"]
    owned = session.database.read(lambda tx: devices.volumes_of(tx, [ident])).get(ident, [])
    deallocate(session, server)
    for device in owned:
        if device["delete_on_termination"]:
            volumes.remove(session, device["volume_id"])
    session.database.write(lambda tx: servers.delete(tx, ident))


def unprovision(session: Session, server: Record) -> bool:
    """Take a server off its node if possible now, return whether it is; raise Refused on errors."""
    uuid = server["node_uuid"]
    node = nodes.get(session, uuid) if uuid else None
    if node is None or node["instance_uuid"] not in (None, server["id"]):
        return True
    try:
        nodes.tear_down(session, node)
        node = nodes.get(session, uuid)
        if node is None:
            return True
        if node["provision_state"] not in nodes.FREE:
            return False
        ident = server["id"]
        owned, ports = session.database.read(
            lambda tx: (devices.volumes_of(tx, [ident]), devices.ports_of(tx, ident))
        )
        if not _clear_targets(session, node, owned.get(ident, [])):
            return False
        nodes.unplug(session, uuid, [port["port_id"] for port in ports])
        if node["instance_uuid"] == ident:
            nodes.release(session, uuid)
    except Refused as exc:
        if exc.status == 409:
            return False  # the node is locked
        raise
    return True


def deallocate(session: Session, server: Record) -> None:
    """Return a server's volumes, ports and allocation; raise Refused if a service fails."""
    ident = server["id"]
    for device in session.database.read(lambda tx: devices.of_server(tx, ident)):
        volumes.delete_attachment(session, device["attachment_id"])
    for port in session.database.read(lambda tx: devices.ports_of(tx, ident)):
        networks.deallocate_port(session, ident, port)
    scheduling.delete_allocations(session, ident)


def _clear_targets(session: Session, node: nodes.Node, owned: list[Record]) -> bool:
    """Delete the targets of a server from a node, which has to be off for that."""
    if targets.remove(session, node["uuid"], owned):
        return True
    if node["provision_state"] in _CLEANING:
        return False
    nodes.power(session, node["uuid"], nodes.OFF)
    return targets.remove(session, node["uuid"], owned)
