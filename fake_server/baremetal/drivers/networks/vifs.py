"""Attach VIFs, which are Neutron ports, to ports and port groups, and detach them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers.networks import port_choice
from fake_server.baremetal.drivers.networks.base import NetworkProvider
from fake_server.baremetal.models.ports import TENANT_VIF, VIF_KEYS, physical_networks
from fake_server.baremetal.task.objects import Port, Portgroup
from fake_server.common.errors import ServiceError
from fake_server.networking.client import BINDING_FAILED, NetworkingClient

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.objects import Connection, NetworkTask

_UNBINDING = (states.ACTIVE, states.DELETING, states.AVAILABLE)
_UNBOUND: Mapping[str, Any] = {"binding:host_id": "", "binding:profile": {}}


class NeutronProvider(NetworkProvider):
    """Base of the providers with VIFs in Neutron."""

    def vif_list(self, task: NetworkTask) -> list[dict[str, Any]]:
        """Return the VIFs on ports, then those on port groups."""
        found = (vif_of(row) for row in [*task.ports, *task.portgroups])
        return [{"id": vif} for vif in found if vif]

    def vif_attach(self, task: NetworkTask, vif_info: Mapping[str, Any]) -> None:
        """Attach a Neutron port.

        :raises InvalidParameterValue: if Neutron doesn't know it.
        :raises VifAlreadyAttached, NoFreePhysicalPorts: see :func:`.port_choice.choose`.
        """
        vif_id = vif_info["id"]
        client = neutron(task)
        neutron_port = client.find_port(vif_id)
        if neutron_port is None:
            raise errors.InvalidParameterValue(f"Neutron port {vif_id} was not found")
        row = port_choice.choose(task, vif_info, client.physical_networks(neutron_port))
        if row.address:
            self._readdress(task, vif_id, row.address)
        row.internal_info = {**row.internal_info, TENANT_VIF: vif_id}
        row.save()
        if task.node.provision_state == states.ACTIVE:
            self.plug(task, row, vif_id)
        else:
            host = {"binding:vnic_type": "baremetal", "binding:host_id": task.node.uuid}
            client.update_port(vif_id, {**host, "binding:profile": {}})

    def vif_detach(self, task: NetworkTask, vif_id: str) -> None:
        """Detach a VIF; raise VifNotAttached if it isn't attached."""
        candidates = [*task.portgroups, *task.ports]
        row = next((row for row in candidates if vif_of(row) == vif_id), None)
        if row is None:
            raise errors.VifNotAttached(vif=vif_id, node=task.node.uuid)
        row.internal_info = _without(row.internal_info, TENANT_VIF)
        row.extra = _without(row.extra, "vif_port_id")
        row.save()
        if task.node.provision_state in _UNBINDING:
            self.unbind(task, vif_id)

    def get_current_vif(self, task: NetworkTask, p_obj: Connection) -> str | None:
        """Return the first VIF of any kind."""
        info = p_obj.internal_info
        return next((info[key] for key in VIF_KEYS if key in info), None)

    def port_changed(self, task: NetworkTask, port_obj: Port) -> None:
        """Update the address of the VIF, and check the port group."""
        changed, vif = port_obj.obj_what_changed(), vif_of(port_obj)
        if "address" in changed and vif:
            self._readdress(task, vif, port_obj.address)
        if port_obj.portgroup_id is None:
            return
        group = next((row for row in task.portgroups if row.id == port_obj.portgroup_id), None)
        if group is None:
            # Ironic fails here.
            raise errors.Invalid(
                f"Port {port_obj.uuid} can't become a member of a port group of another node."
            )
        if group.standalone_ports_supported:
            return
        if not (changed & {"pxe_enabled", "portgroup_id"} or vif):
            return
        reasons = ["'pxe_enabled' was set to True"] if port_obj.pxe_enabled else []
        reasons += [f"VIF {vif} is attached to the port"] if vif else []
        if reasons:
            raise errors.Conflict(
                f"Port group {group.uuid} doesn't support standalone ports. This port "
                f"{port_obj.uuid} cannot be  a member of that port group because of: "
                f"{', '.join(reasons)}"
            )

    def portgroup_changed(self, task: NetworkTask, portgroup_obj: Portgroup) -> None:
        """Update the address of the VIF, and check the ports."""
        group, vif = portgroup_obj, vif_of(portgroup_obj)
        changed = group.obj_what_changed()
        if "address" in changed and group.address and vif:
            self._readdress(task, vif, group.address)
        if "standalone_ports_supported" not in changed or group.standalone_ports_supported:
            return
        for port in task.ports:
            if port.portgroup_id != group.id:
                continue
            reasons = ["'pxe_enabled' is set to True"] if port.pxe_enabled else []
            reasons += [f"VIF {vif_of(port)} is attached to this port"] if vif_of(port) else []
            if reasons:
                raise errors.Conflict(
                    "standalone_ports_supported can not be set to False, because the port group "
                    f"{group.uuid} contains port with {', '.join(reasons)}"
                )

    def plug(self, task: NetworkTask, row: Connection, vif: str) -> None:
        """Bind a VIF to a port or a port group of the node.

        :raises NetworkError: if the VIF is gone, or if the binding fails and the node's
            ``driver_info`` asks to fail on that.
        """
        node = task.node
        reason = f"Port {vif} could not be found."
        try:
            bound = neutron(task).update_port(vif, binding(task, row))
        except ServiceError as exc:
            bound, reason = None, str(exc)
        if bound is None:
            raise errors.NetworkError(
                f"Could not add public network VIF {vif} to node {node.uuid}, possible network "
                f"issue. {reason}"
            )
        strict = node.driver_info.get("fail_on_binding_failure")
        if strict and bound["binding:vif_type"] == BINDING_FAILED:
            raise errors.NetworkError(
                f"Port {vif} failed to reach status ACTIVE: it can't be bound in network "
                f"{bound['network_id']}"
            )

    def _readdress(self, task: NetworkTask, vif: str, address: str | None) -> None:
        try:
            found = neutron(task).update_port(vif, {"mac_address": address})
        except ServiceError:
            found = None
        if found is None:
            raise errors.FailedToUpdateMacOnPort(port_id=vif)

    def unbind(self, task: NetworkTask, vif: str) -> None:
        """Unbind a VIF from its host."""
        neutron(task).update_port(vif, {**_UNBOUND, "mac_address": None})


def neutron(task: NetworkTask) -> NetworkingClient:
    """Return the client of this server's Neutron."""
    return NetworkingClient(task.session.tx, task.session.clock, physical_networks)


def binding(task: NetworkTask, row: Connection) -> dict[str, Any]:
    """Return the changes of a Neutron port that bind it to a port or port group."""
    is_group = isinstance(row, Portgroup)
    links = [port for port in task.ports if port.portgroup_id == row.id] if is_group else [row]
    profile: dict[str, Any] = {
        "local_link_information": [port.local_link_connection for port in links]
    }
    if is_group:
        profile["local_group_information"] = {
            "id": row.uuid,
            "name": row.name,
            "bond_mode": row.mode,
            "bond_properties": {
                key if key.startswith("bond") else f"bond_{key}": value
                for key, value in row.properties.items()
            },
        }
    if row.physical_network:
        profile["physical_network"] = row.physical_network
    values: dict[str, Any] = {
        "binding:vnic_type": "baremetal",
        "binding:host_id": task.node.uuid,
        "binding:profile": profile,
    }
    if row.address:
        values["mac_address"] = row.address
    return values if is_group else values | client_options(row)


def client_options(port: Connection) -> dict[str, Any]:
    """Return the changes of a Neutron port that tell DHCP a port's client ID, if it has one."""
    client_id = port.extra.get("client-id")
    if not client_id:
        return {}
    return {"extra_dhcp_opts": [{"opt_name": "61", "opt_value": client_id, "ip_version": 4}]}


def vif_of(row: Connection) -> str | None:
    """Return the tenant's VIF on a port or port group."""
    found: str | None = row.internal_info.get(TENANT_VIF)
    return found


def _without(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != key}
