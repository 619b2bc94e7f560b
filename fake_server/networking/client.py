"""Neutron for the other services of this server, within their transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.networking import models
from fake_server.networking.models import BINDING_FAILED

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

__all__ = ["BINDING_FAILED", "NetworkingClient"]


class NetworkingClient:
    """Neutron's networks and ports."""

    def __init__(self, tx: Transaction, clock: Clock) -> None:
        self._tx = tx
        self._clock = clock

    def find_networks(self, name_or_id: str) -> list[Record]:
        """Return the network that has this id, else all that have this name."""
        return models.find_by_name(self._tx, "networks", name_or_id)

    def find_port(self, ident: str) -> Record | None:
        """Return a port, or ``None``."""
        return models.find(self._tx, "ports", ident)

    def list_ports(self, network_id: str) -> list[Record]:
        """Return the ports of a network."""
        return models.fetch(self._tx, "ports", {"network_id": [network_id]})

    def physical_networks(self, port: Mapping[str, Any]) -> Collection[str]:
        """Return the physical networks that a port is in; empty if any will do."""
        return models.physical_networks(self._tx, port)

    def create_port(self, values: Mapping[str, Any]) -> Record:
        """Create a port and return it."""
        return models.create(self._tx, self._clock, "ports", values)

    def update_port(self, ident: str, changes: Mapping[str, Any]) -> Record | None:
        """Change a port and return it, or ``None`` if there is none."""
        return models.update(self._tx, self._clock, "ports", ident, changes)

    def delete_port(self, ident: str) -> None:
        """Remove a port."""
        models.delete(self._tx, "ports", ident)
