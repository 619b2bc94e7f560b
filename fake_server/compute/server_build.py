"""Build servers: schedule them, connect them and hand them over to Ironic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fake_server.compute import (
    configdrive,
    networks,
    nodes,
    scheduling,
    server_deletion,
    targets,
    volumes,
)
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import BuildError
from fake_server.compute.models import devices, servers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.compute.session import Session
    from fake_server.db.store import Record

#: How many nodes are tried for a server.
_ATTEMPTS = 3
_NO_HOST = "No valid host was found. "


@dataclass(frozen=True)
class Plan:
    """What the servers of one request have in common, beside what is stored.

    :param networks: their connections.
    :param owner: ``project_name`` and ``user_name``.
    :param node: the only node that may be taken, if it has to be one.
    """

    networks: Sequence[networks.RequestedNetwork]
    owner: Mapping[str, str]
    node: str | None = None


def build(session: Session, rows: Sequence[Record], plan: Plan) -> None:
    """Build new servers; those that fail get a fault."""
    try:
        found = scheduling.candidates(session, rows[0]["flavor"], plan.node)
    except Refused as exc:
        found, reason = [], f"{_NO_HOST}{exc}"
    else:
        reason = f"{_NO_HOST}There are not enough hosts available."
    hosts: list[str] = []
    for server in rows:
        uuid = _allocate(session, server, found)
        if uuid is None:
            # As Nova's scheduler: all of a request, or none.
            for one in rows:
                server_deletion.give_up(session, one, reason)
            return
        hosts.append(uuid)
    for server, uuid in zip(rows, hosts, strict=True):
        _build_one(session, server, uuid, found, plan)


def _allocate(session: Session, server: Record, found: list[scheduling.Candidate]) -> str | None:
    """Allocate the first free candidate to a server; drop it and those before it."""
    while found:
        uuid = scheduling.allocate(session, server, found.pop(0))
        if uuid is not None:
            return uuid
    return None


def _build_one(
    session: Session, server: Record, uuid: str, found: list[scheduling.Candidate], plan: Plan
) -> None:
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            _build_at(session, server, uuid, plan)
            return
        except BuildError as exc:
            reason, elsewhere = str(exc), exc.elsewhere
        except Refused as exc:
            reason, elsewhere = f"Build of instance {server['id']} aborted: {exc}", False
        other = None
        if elsewhere and attempt < _ATTEMPTS:
            other = _move_on(session, server, found)
            reason = f"{_NO_HOST}{reason}"
        if other is None:
            server_deletion.give_up(session, server, reason)
            return
        uuid = other


def _move_on(session: Session, server: Record, found: list[scheduling.Candidate]) -> str | None:
    """Free a node that doesn't work; return another, if there is one."""
    try:
        current = session.database.read(lambda tx: servers.find(tx, server["id"], None))
        if not server_deletion.unprovision(session, current):
            return None
        scheduling.delete_allocations(session, server["id"])
    except Refused:
        return None
    return _allocate(session, server, found)


def _build_at(session: Session, server: Record, uuid: str, plan: Plan) -> None:
    ident, clock, database = server["id"], session.clock, session.database
    database.write(lambda tx: servers.update(tx, clock, ident, node_uuid=uuid))
    node = nodes.claim(session, server, uuid)
    _plug(session, server, uuid, plan)
    owned = database.read(lambda tx: devices.volumes_of(tx, [ident])).get(ident, [])
    for device in owned:
        try:
            volumes.connect(session, server, node, device)
        except Refused as exc:
            raise BuildError(
                f"Build of instance {ident} aborted: volume {device['volume_id']} can't be "
                f"connected to node {uuid}: {exc}"
            ) from exc
    from_volume = any(device["boot_index"] == 0 for device in owned)
    nodes.prepare(session, server, node, plan.owner, from_volume=from_volume)
    targets.add(session, server, uuid, owned)
    nodes.validate(session, node)
    nodes.deploy(session, node, configdrive.contents(server))
    # Not before: other requests check the node of a server in this state.
    if not database.write(lambda tx: servers.move(tx, clock, server, task_state=servers.SPAWNING)):
        # Another request has deleted it, perhaps without seeing that the node is deployed.
        server_deletion.unprovision(session, {**server, "node_uuid": uuid})


def _plug(session: Session, server: Record, uuid: str, plan: Plan) -> None:
    having = session.database.read(lambda tx: devices.ports_of(tx, server["id"]))
    port_ids = [port["port_id"] for port in having]
    if not port_ids:
        port_ids = [networks.make(session, server, network) for network in plan.networks]
    try:
        nodes.plug(session, uuid, port_ids)
    except Refused as exc:
        raise BuildError(
            f"Cannot attach VIF to the node {uuid} due to error: {exc}", elsewhere=True
        ) from exc
