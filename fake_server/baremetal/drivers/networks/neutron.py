"""The ``neutron`` provider: service networks separate from those of tenants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.networks.service_ports import ServicePortsProvider
from fake_server.baremetal.drivers.networks.vifs import vif_of

if TYPE_CHECKING:
    from fake_server.baremetal.task.objects import NetworkTask


class NeutronNetwork(ServicePortsProvider):
    """Nodes switch between service networks and the networks of their tenants."""

    def validate(self, task: NetworkTask) -> None:
        """Check that the node may be switched off."""
        if task.node.disable_power_off:
            raise errors.InvalidParameterValue(
                "Nodes with disable_power_off cannot be used with the neutron network interface "
                "(disallowed in the configuration)"
            )

    def configure_tenant_networks(self, task: NetworkTask) -> None:
        """Bind the VIFs to the ports and port groups that they are attached to.

        :raises NetworkError: if there is nothing to bind, or a VIF is gone or refused.
        """
        uuid = task.node.uuid
        if not task.ports:
            raise errors.NetworkError(f"No ports are associated with node {uuid}")
        alone = [port for port in task.ports if not port.portgroup_id]
        attached = [row for row in [*alone, *task.portgroups] if vif_of(row)]
        if not attached:
            raise errors.NetworkError(
                f"No neutron ports or portgroups are associated with node {uuid}"
            )
        for row in attached:
            self.plug(task, row, vif_of(row) or "")

    def unconfigure_tenant_networks(self, task: NetworkTask) -> None:
        """Unbind the VIFs from the node; they stay attached."""
        self.unbind_all(task)
