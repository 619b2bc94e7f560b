"""Choose the port or port group for a VIF."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.models.ports import TENANT_VIF
from fake_server.baremetal.task.objects import Port, Portgroup

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from fake_server.baremetal.task.objects import Connection, NetworkTask


def choose(task: NetworkTask, vif: Mapping[str, Any], networks: Collection[str]) -> Connection:
    """Choose where a VIF is attached.

    Preferred are, in this order: what is in the VIF's physical network, port groups, ports that
    boot from the network, and what was created first.

    :param vif: its ``id``; ``port_uuid`` or ``portgroup_uuid`` narrow the choice down.
    :param networks: physical networks of the VIF; none means any.
    :raises VifAlreadyAttached: if the VIF is on one of them.
    :raises NoFreePhysicalPorts: if nothing is free.
    """
    ports = task.ports
    free = _free(task, ports, vif, networks)
    if not free:
        raise errors.NoFreePhysicalPorts(vif=vif["id"])

    def preference(row: Connection) -> tuple[bool, bool, bool]:
        if isinstance(row, Portgroup):
            return group_network(row, ports) in networks, True, True
        return row.physical_network in networks, False, bool(row.pxe_enabled)

    return max(free, key=preference)


def group_network(group: Portgroup, ports: Sequence[Port]) -> str | None:
    """Return the physical network of a port group's ports.

    :raises PortgroupPhysnetInconsistent: if they are in several.
    """
    found = {port.physical_network for port in ports if port.portgroup_id == group.id}
    if len(found) > 1:
        raise errors.PortgroupPhysnetInconsistent(
            portgroup=group.uuid, physical_networks=", ".join(sorted(map(str, found)))
        )
    return next(iter(found), None)


def is_usable(task: NetworkTask, port: Port) -> bool:
    """Return whether a port knows enough of its switch for the node's network interface."""
    if port.extra.get("client-id"):
        return True
    link = port.local_link_connection
    if task.interface_name("network") == "neutron" and not link:
        return False
    return bool(port.is_smartnic) == _is_smart(link)


def _is_smart(link: Mapping[str, Any]) -> bool:
    """Return whether connection details, which the API has checked, are those of a Smart NIC."""
    return "port_id" in link and "hostname" in link


def _free(
    task: NetworkTask, ports: Sequence[Port], vif: Mapping[str, Any], networks: Collection[str]
) -> list[Connection]:
    port_uuid = vif.get("port_uuid")
    group_uuid = None if "port_uuid" in vif else vif.get("portgroup_uuid")
    free: list[Connection] = []
    members: dict[Any, list[Port]] = defaultdict(list)
    broken: set[Any] = set()
    for port in ports:
        if (port_uuid and port_uuid != port.uuid) or not is_usable(task, port):
            continue
        if _is_taken(port, vif["id"]):
            broken.add(port.portgroup_id)
        elif not networks or port.physical_network in (None, *networks):
            if port.portgroup_id is None and not group_uuid:
                free.append(port)
            else:
                members[port.portgroup_id].append(port)
    for group in () if port_uuid else task.portgroups:
        if (group_uuid and group_uuid != group.uuid) or _is_taken(group, vif["id"]):
            continue
        if group.id in broken:
            if not group_uuid:
                free.extend(members[group.id])
        elif members[group.id]:
            free.append(group)
    return free


def _is_taken(row: Connection, vif_id: str) -> bool:
    attached = row.internal_info.get(TENANT_VIF)
    if attached == vif_id:
        kind = type(row).__name__
        raise errors.VifAlreadyAttached(vif=vif_id, object_type=kind, object_uuid=row.uuid)
    return attached is not None
