"""Find the node that an agent runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors, states
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.tables import nodes, ports

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

#: Where nodes keep the addresses of their management controller while they are inspected.
BMC_ADDRESSES = "lookup_bmc_addresses"


def by_addresses(session: Session, addresses: Sequence[str]) -> Record:
    """Return the node with ports of these MAC addresses; raise NodeNotFound unless it is one."""
    query = sa.select(ports.c.node_id).where(ports.c.address.in_(addresses)).distinct()
    found = session.tx.all(query)
    if len(found) != 1:
        raise errors.NodeNotFound(node=", ".join(addresses))
    return NODES.get_by_id(session, found[0]["node_id"])


def for_inspection(
    session: Session, addresses: Sequence[str], bmc: Sequence[str], uuid: str | None
) -> Record:
    """Return the node whose inspection a report is about.

    :param addresses: MAC addresses that the report names.
    :param bmc: addresses of the management controller that it names.
    :param uuid: UUID of the node, if the agent sent it.
    :raises NotFound: without the reason, which could help an attacker.
    """
    try:
        node = _find(session, addresses, bmc, uuid)
    except errors.NotFound:
        node = None
    if node is None:
        raise errors.NotFound
    return node


def _find(
    session: Session, addresses: Sequence[str], bmc: Sequence[str], uuid: str | None
) -> Record | None:
    node = NODES.get_by_uuid(session, uuid) if uuid else None
    if addresses:
        query = sa.select(ports.c.node_id).where(ports.c.address.in_(addresses)).distinct()
        ids = {row["node_id"] for row in session.tx.all(query)}
        if len(ids) > 1 or (ids and node and node["id"] not in ids):
            return None
        if ids:
            node = NODES.get_by_id(session, ids.pop())
    if node and node["provision_state"] != states.INSPECTWAIT:
        return None
    candidates = _waiting_behind(session, bmc) if bmc else []
    if not candidates:
        return node
    if node:
        return node if node["id"] in [row["id"] for row in candidates] else None
    return candidates[0] if len(candidates) == 1 else None


def _waiting_behind(session: Session, bmc: Sequence[str]) -> list[Record]:
    query = sa.select(nodes).where(nodes.c.provision_state == states.INSPECTWAIT)
    return [row for row in session.tx.all(query) if set(_bmc_addresses(row)) & set(bmc)]


def _bmc_addresses(node: Record) -> list[Any]:
    return (node["driver_internal_info"] or {}).get(BMC_ADDRESSES) or []
