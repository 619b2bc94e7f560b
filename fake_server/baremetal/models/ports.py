"""Ports: the network interfaces of a node.

Records have the columns of the table, ``node_uuid`` and ``portgroup_uuid``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors
from fake_server.baremetal.models import node_resources, paging, rows
from fake_server.baremetal.tables import nodes, portgroups, ports
from fake_server.common.formats import is_mac, is_uuid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.models.paging import Page
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record, Transaction

#: Key of a port's ``internal_info`` under which the VIF of its tenant is kept.
TENANT_VIF = "tenant_vif_port_id"
#: The same for the VIFs of all kinds of networks.
VIF_KEYS = tuple(
    f"{kind}_vif_port_id"
    for kind in ("cleaning", "provisioning", "rescuing", "inspection", "servicing", "tenant")
)
_NUMBER = re.compile(r"0|[1-9][0-9]*")
#: Digits that the ``id`` of a row never has.
_TOO_LONG = 10
_SELECT = (
    sa.select(ports, nodes.c.uuid.label("node_uuid"), portgroups.c.uuid.label("portgroup_uuid"))
    .join(nodes, nodes.c.id == ports.c.node_id, isouter=True)
    .join(portgroups, portgroups.c.id == ports.c.portgroup_id, isouter=True)
)


def get(session: Session, ident: str) -> Record:
    """Return a port by UUID, MAC address, name or ``id``; raise PortNotFound if there is none."""
    return _found(session, ident, identity(ports, ident))


def identity(table: sa.Table, ident: str) -> Any:
    """Return the condition for the row of ports or port groups that text names."""
    if _NUMBER.fullmatch(ident):
        # What is longer is the number of no row.
        return table.c.id == int(ident) if len(ident) < _TOO_LONG else sa.false()
    if is_uuid(ident):
        return table.c.uuid == ident
    return table.c.address == ident if is_mac(ident) else table.c.name == ident


def get_by_uuid(session: Session, uuid: str) -> Record:
    """Return a port; raise PortNotFound if there is none."""
    return _found(session, uuid, ports.c.uuid == uuid)


def fetch(
    session: Session,
    page: Page,
    *,
    portgroup_id: int | None = None,
    description_contains: str | None = None,
    **match: Any,
) -> list[Record]:
    """Return a page of ports.

    :param match: what their nodes have to be; see :func:`.node_resources.of_nodes`.
    """
    conditions = node_resources.of_nodes(ports, **match)
    if portgroup_id is not None:
        conditions.append(ports.c.portgroup_id == portgroup_id)
    if description_contains:
        conditions.append(ports.c.description.like(f"%{description_contains}%"))
    return paging.fetch(session, ports, _SELECT.where(*conditions), page)


def fetch_by_address(session: Session, address: str, project: str | None) -> list[Record]:
    """Return the port with a MAC address, as a list of one or none.

    :param project: the project that owns or leases its node; all without it.
    """
    conditions = [ports.c.address == address, *node_resources.of_project(project)]
    return session.tx.all(_SELECT.where(*conditions))


def physical_networks(tx: Transaction) -> dict[str, set[str]]:
    """Return the physical networks of the ports of all nodes that have some, by UUID."""
    query = (
        sa.select(nodes.c.uuid, ports.c.physical_network)
        .join(ports, ports.c.node_id == nodes.c.id)
        .order_by(nodes.c.id)
    )
    found: dict[str, set[str]] = {}
    for row in tx.all(query):
        names = found.setdefault(row["uuid"], set())
        if row["physical_network"] is not None:
            names.add(row["physical_network"])
    return found


def create(session: Session, values: Mapping[str, Any]) -> Record:
    """Create a port; raise AlreadyExists when it isn't unique."""
    row = {name: value for name, value in values.items() if value is not None}
    return get_by_uuid(session, rows.insert(session, ports, row, "A port", ("address",)))


def update(session: Session, port: Record, changes: Mapping[str, Any]) -> Record:
    """Change a port and return it as it is then; raise AlreadyExists if it isn't unique."""
    rows.update(session, ports, port, changes, "A port")
    return get_by_uuid(session, port["uuid"])


def delete(session: Session, port: Record) -> None:
    """Remove a port."""
    session.tx.delete(ports, ports.c.id == port["id"])


def _found(session: Session, ident: str, condition: Any) -> Record:
    port = session.tx.first(_SELECT.where(condition))
    if port is None:
        raise errors.PortNotFound(port=ident)
    return port
