"""Port groups: ports of a node that work as one.

Records have the columns of the table and ``node_uuid``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.models import node_resources, rows
from fake_server.baremetal.models.ports import identity
from fake_server.baremetal.tables import portgroups, ports

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.models.paging import Page
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

_DEFAULT_MODE = "active-backup"
#: The errors for names and addresses that another port group has.


def get(session: Session, ident: str) -> Record:
    """Return a port group by UUID, MAC, name or ``id``; raise PortgroupNotFound without one."""
    return _found(session, ident, identity(portgroups, ident))


def get_by_uuid(session: Session, uuid: Any) -> Record:
    """Return a port group; raise PortgroupNotFound if there is none."""
    return _found(session, uuid, portgroups.c.uuid == str(uuid))


def get_by_name(session: Session, name: str) -> Record:
    """Return a port group by its name; raise PortgroupNotFound if there is none."""
    return _found(session, name, portgroups.c.name == name)


def fetch(session: Session, page: Page, **match: Any) -> list[Record]:
    """Return a page of port groups.

    :param match: what their nodes have to be; see :func:`.node_resources.of_nodes`.
    """
    conditions = node_resources.of_nodes(portgroups, **match)
    return node_resources.fetch(session, portgroups, page, *conditions)


def fetch_by_address(session: Session, address: str, project: str | None) -> list[Record]:
    """Return the port group with a MAC address, as a list of one or none.

    :param project: the project that owns or leases its node; all without it.
    """
    conditions = [portgroups.c.address == address, *node_resources.of_project(project)]
    return session.tx.all(node_resources.select(portgroups).where(*conditions))


def create(session: Session, values: Mapping[str, Any]) -> Record:
    """Create a port group; raise AlreadyExists when it isn't unique."""
    row = {name: value for name, value in values.items() if value is not None}
    row["mode"] = row.get("mode") or _DEFAULT_MODE
    uuid = rows.insert(session, portgroups, row, "A portgroup")
    return get_by_uuid(session, uuid)


def update(session: Session, group: Record, changes: Mapping[str, Any]) -> Record:
    """Change a port group and return it as it is then; raise AlreadyExists if it isn't unique."""
    rows.update(session, portgroups, group, changes, "A portgroup")
    return get_by_uuid(session, group["uuid"])


def move(session: Session, group: Record, physical_network: str | None) -> Record:
    """Put a group and its ports into a physical network, and return it as it is then."""
    elsewhere = [
        ports.c.portgroup_id == group["id"],
        ports.c.physical_network.is_distinct_from(physical_network),
    ]
    values = {"physical_network": physical_network, "updated_at": session.clock.now()}
    session.tx.update(ports, elsewhere, values)
    differs = physical_network != group["physical_network"]
    return update(session, group, {"physical_network": physical_network} if differs else {})


def delete(session: Session, group: Record) -> None:
    """Remove a port group; raise Invalid if it has ports."""
    if session.tx.get(ports, portgroup_id=group["id"]):
        raise errors.Invalid(
            f"Cannot complete the requested action because portgroup {group['id']} contains ports."
        )
    session.tx.delete(portgroups, portgroups.c.id == group["id"])


def _found(session: Session, ident: Any, condition: Any) -> Record:
    group = session.tx.first(node_resources.select(portgroups).where(condition))
    if group is None:
        raise errors.PortgroupNotFound(portgroup=ident)
    return group
