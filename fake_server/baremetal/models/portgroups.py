"""Port groups: ports of a node that work as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, resource_fields
from fake_server.baremetal.models.ports import NodePorts
from fake_server.baremetal.tables import portgroups, ports

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

_DEFAULT_MODE = "active-backup"


class _Portgroups(NodePorts):
    def create(self, session: Session, values: Mapping[str, Any]) -> Record:
        """Create a port group."""
        return super().create(session, {**values, "mode": values.get("mode") or _DEFAULT_MODE})

    def delete(self, session: Session, row: Record) -> None:
        """Remove a port group; raise Invalid if it has ports."""
        if session.tx.get(ports, portgroup_id=row["id"]):
            raise errors.Invalid(
                "Cannot complete the requested action because portgroup "
                f"{row['id']} contains ports."
            )
        super().delete(session, row)

    def move(self, session: Session, group: Record, physical_network: str | None) -> Record:
        """Put a group and its ports into a physical network, and return it as it is then."""
        elsewhere = [
            ports.c.portgroup_id == group["id"],
            ports.c.physical_network.is_distinct_from(physical_network),
        ]
        values = {"physical_network": physical_network, "updated_at": session.clock.now()}
        session.tx.update(ports, elsewhere, values)
        differs = physical_network != group["physical_network"]
        return self.update(
            session, group, {"physical_network": physical_network} if differs else {}
        )


PORTGROUPS = _Portgroups(portgroups, resource_fields.PORTGROUPS, "portgroup")
