"""The ``flat`` provider: one network for nodes, instances and services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.networks.service_ports import ServicePortsProvider
from fake_server.baremetal.drivers.networks.vifs import neutron, vif_of

if TYPE_CHECKING:
    from fake_server.baremetal.task.objects import NetworkTask


class FlatNetwork(ServicePortsProvider):
    """Nodes, instances and services share a network."""

    def validate(self, task: NetworkTask) -> None:
        """Check that there is a cleaning network."""
        self.network_id(task, "cleaning_network")

    def configure_tenant_networks(self, task: NetworkTask) -> None:
        """Bind the VIFs; raise NetworkError if there is none, or one is gone."""
        bound = False
        for row in [*task.ports, *task.portgroups]:
            vif = vif_of(row)
            if not vif:
                continue
            binding = {"binding:host_id": task.node.uuid, "binding:vnic_type": "baremetal"}
            values = {**binding, "mac_address": row.address}
            if neutron(task).update_port(vif, values) is None:
                raise errors.NetworkError(
                    f"Unable to set binding:host_id for neutron port {vif}. Error: Port {vif} "
                    "could not be found."
                )
            bound = True
        if not bound:
            raise errors.NetworkError(
                f"Failed to bind any flat network ports for node {task.node.uuid}"
            )

    def unconfigure_tenant_networks(self, task: NetworkTask) -> None:
        """Unbind the VIFs."""
        self.unbind_all(task)

    add_provisioning_network = configure_tenant_networks
    remove_provisioning_network = unconfigure_tenant_networks
    add_rescuing_network = configure_tenant_networks
    remove_rescuing_network = unconfigure_tenant_networks
    add_servicing_network = configure_tenant_networks
    remove_servicing_network = unconfigure_tenant_networks
