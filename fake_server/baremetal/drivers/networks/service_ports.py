"""Neutron ports that connect a node to the provisioning, cleaning and other service networks."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.networks import port_choice
from fake_server.baremetal.drivers.networks.vifs import (
    NeutronProvider,
    client_options,
    neutron,
    vif_of,
)
from fake_server.common.errors import ServiceError

if TYPE_CHECKING:
    from fake_server.baremetal.task.objects import NetworkTask, Port

#: Fields of a port that Ironic's errors put in quotes.
_QUOTED = ("name", "description", "physical_network", "vendor", "category")


def _adding(kind: str) -> Any:
    """Return the method that connects a node to the network of a kind."""
    return lambda self, task: self.add_service_ports(task, kind)


def _removing(kind: str) -> Any:
    """Return the method that disconnects a node from the network of a kind."""
    return lambda self, task: self.remove_service_ports(task, kind)


class ServicePortsProvider(NeutronProvider):
    """Base of the providers that create Neutron ports in service networks."""

    add_provisioning_network = _adding("provisioning")
    remove_provisioning_network = _removing("provisioning")
    add_cleaning_network = _adding("cleaning")
    remove_cleaning_network = _removing("cleaning")
    add_rescuing_network = _adding("rescuing")
    remove_rescuing_network = _removing("rescuing")
    add_inspection_network = _adding("inspection")
    remove_inspection_network = _removing("inspection")
    add_servicing_network = _adding("servicing")
    remove_servicing_network = _removing("servicing")

    def network_id(self, task: NetworkTask, purpose: str) -> str:
        """Return a network's id; raise InvalidParameterValue if it isn't set or can't be found."""
        wanted = task.node.driver_info.get(purpose)
        wanted = wanted or getattr(task.session.settings, purpose, None)
        if not wanted:
            raise errors.MissingParameterValue(
                f"UUID or name of {purpose} is not set in configuration or in node driver_info."
            )
        found = []
        if isinstance(wanted, str):
            found = neutron(task).find_networks(wanted)
        if not found:
            raise errors.InvalidParameterValue(
                f"{purpose} with name or UUID {wanted} was not found"
            )
        if len(found) > 1:
            raise errors.InvalidParameterValue(
                f"More than one {purpose} was found for name {wanted}: "
                f"{', '.join(network['id'] for network in found)}"
            )
        return str(found[0]["id"])

    def unbind_all(self, task: NetworkTask) -> None:
        """Unbind all VIFs of the node."""
        alone = [port for port in task.ports if not port.portgroup_id]
        for row in [*alone, *task.portgroups]:
            vif = vif_of(row)
            if vif:
                self.unbind(task, vif)

    def add_service_ports(self, task: NetworkTask, kind: str) -> None:
        """Give every port that boots from the network a Neutron port in the network of a kind.

        :param kind: ``provisioning``, ``cleaning``, ``rescuing``, ``inspection``, ``servicing``.
        :raises NetworkError: if there is no port that it could be for.
        """
        network = self.network_id(task, f"{kind}_network")
        self._remove_from(task, network)
        candidates = [port for port in task.ports if port.pxe_enabled]
        if not candidates:
            raise errors.NetworkError(f"No available PXE-enabled  ports on node {task.node.uuid}.")
        made = [
            self._add_service_port(task, kind, network, port)
            for port in candidates
            if port_choice.is_usable(task, port)
        ]
        if not any(made):
            raise errors.NetworkError(
                f"Failed to create neutron ports for node's {task.node.uuid} ports "
                f"[{', '.join(_describe(task, port) for port in candidates)}]."
            )

    def remove_service_ports(self, task: NetworkTask, kind: str) -> None:
        """Remove those Neutron ports."""
        self._remove_from(task, self.network_id(task, f"{kind}_network"))
        key = f"{kind}_vif_port_id"
        for port in task.ports:
            port.internal_info = {
                name: value for name, value in port.internal_info.items() if name != key
            }
            port.save()

    def _add_service_port(self, task: NetworkTask, kind: str, network: str, port: Port) -> bool:
        """Attach a Neutron port to a port; return whether Neutron allowed it."""
        try:
            created = neutron(task).create_port(
                {
                    "network_id": network,
                    "admin_state_up": True,
                    "binding:vnic_type": "baremetal",
                    "binding:host_id": task.node.uuid,
                    "binding:profile": {"local_link_information": [port.local_link_connection]},
                    "device_id": task.node.instance_uuid or task.node.uuid,
                    "device_owner": "baremetal:none",
                    "mac_address": port.address,
                    **client_options(port),
                }
            )
        except ServiceError:
            return False
        port.internal_info = {**port.internal_info, f"{kind}_vif_port_id": created["id"]}
        port.save()
        return True

    def _remove_from(self, task: NetworkTask, network: str) -> None:
        """Remove the Neutron ports with MAC addresses of this node from a network."""
        addresses = {port.address for port in task.ports if port.pxe_enabled}
        client = neutron(task)
        for found in client.list_ports(network):
            if found["mac_address"] in addresses:
                client.delete_port(found["id"])


def _describe(task: NetworkTask, port: Port) -> str:
    """Return a port as Ironic's errors spell it."""
    shown = []
    for name, value in sorted({**port.as_dict(), "node_uuid": task.node.uuid}.items()):
        if isinstance(value, datetime):
            value = f"{value:%Y-%m-%dT%H:%M:%SZ}"
        elif name in _QUOTED:
            value = repr(value)
        shown.append(f"{name}={value}")
    return f"Port({','.join(shown)})"
