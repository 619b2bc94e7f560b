"""Ports: the network interfaces of a node.

Records have the columns of the table, ``node_uuid`` and ``portgroup_uuid``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import resource_fields
from fake_server.baremetal.models.model import Model, of_project, with_nodes
from fake_server.baremetal.tables import nodes, portgroups, ports
from fake_server.common.formats import is_mac, is_uuid

if TYPE_CHECKING:
    from collections.abc import Mapping

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


class NodePorts(Model):
    """The operations on ports or port groups."""

    def get(self, session: Session, ident: str) -> Record:
        """Return one by UUID, MAC address, name or ``id``; raise NotFound if there is none."""
        if _NUMBER.fullmatch(ident):
            # What is longer is the number of no row.
            fits = len(ident) < _TOO_LONG
            return self._found(ident, self.find(session, id=int(ident)) if fits else None)
        if is_uuid(ident):
            return self.get_by_uuid(session, ident)
        column = "address" if is_mac(ident) else "name"
        return self._found(ident, self.find(session, **{column: ident}))

    def fetch_by_address(self, session: Session, address: str, project: str | None) -> list[Record]:
        """Return the one with a MAC address, as a list of one or none.

        :param project: the project that owns or leases its node; all without it.
        """
        conditions = [self.table.c.address == address, *of_project(project)]
        return session.tx.all(self.query.where(*conditions))

    def create(self, session: Session, values: Mapping[str, Any]) -> Record:
        """Create one; raise AlreadyExists when it isn't unique."""
        given = {name: value for name, value in values.items() if value is not None}
        return super().create(session, given)

    def update(self, session: Session, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change one and return it as it is then; raise AlreadyExists if it isn't unique."""
        super().update(session, row, changes)
        return self.get_by_uuid(session, row["uuid"])


PORTS = NodePorts(
    ports,
    resource_fields.PORTS,
    "port",
    named=("address",),
    query=with_nodes(ports, portgroups.c.uuid.label("portgroup_uuid")).join(
        portgroups, portgroups.c.id == ports.c.portgroup_id, isouter=True
    ),
)


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
