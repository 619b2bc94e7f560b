"""Neutron for the other services of this server, within their transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.formats import is_uuid
from fake_server.identity.roles import identify
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items, networks, ports, segments
from fake_server.networking.models.bindings import BINDING_FAILED
from fake_server.networking.models.items import NetworkingSession

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction
    from fake_server.networking.models.items import Hosts

__all__ = ["BINDING_FAILED", "NetworkingClient"]

#: The project of what the Bare Metal service has in Neutron.
_SERVICE = identify("project", "service")


class NetworkingClient:
    """Neutron's networks and ports, as its service user sees them.

    :param hosts: returns the nodes that have agents.
    """

    def __init__(self, tx: Transaction, clock: Clock, hosts: Hosts) -> None:
        self._session = NetworkingSession(tx, clock, hosts)

    def find_networks(self, name_or_id: str) -> list[Record]:
        """Return the network that has this id, else all that have this name."""
        found = items.find(self._session, "networks", name_or_id)
        return [found] if found else items.fetch(self._session, "networks", name=[name_or_id])

    def ensure_network(self, name_or_id: str) -> None:
        """Make a network of this name or id, unless there is one."""
        if self.find_networks(name_or_id):
            return
        own = {"id": networks.ident_of(name_or_id), "name": name_or_id}
        ident = {"id": name_or_id} if is_uuid(name_or_id) else own
        values = {**KINDS["networks"].defaults(), **ident, "project_id": _SERVICE}
        networks.create(self._session, values)

    def find_port(self, ident: str) -> Record | None:
        """Return a port, or ``None``."""
        return items.find(self._session, "ports", ident)

    def list_ports(self, network_id: str) -> list[Record]:
        """Return the ports of a network."""
        return items.fetch(self._session, "ports", network_id=[network_id])

    def physical_networks(self, port: Mapping[str, Any]) -> Collection[str]:
        """Return the physical networks that a port is in; empty if any will do."""
        return segments.physical_networks(self._session, port)

    def create_port(self, values: Mapping[str, Any]) -> Record:
        """Create a port and return it; raise ServiceError if Neutron refuses it."""
        port = {**KINDS["ports"].defaults(), "project_id": _SERVICE, **values}
        with self._session.tx.savepoint():
            return ports.create(self._session, port)

    def update_port(self, ident: str, changes: Mapping[str, Any]) -> Record | None:
        """Change a port and return it, or ``None`` if there is none.

        :raises ServiceError: if Neutron refuses it.
        """
        port = self.find_port(ident)
        if port is None:
            return None
        with self._session.tx.savepoint():
            return ports.update(self._session, port, changes)

    def delete_port(self, ident: str) -> None:
        """Remove a port."""
        port = self.find_port(ident)
        if port is not None:
            ports.delete(self._session, port)
