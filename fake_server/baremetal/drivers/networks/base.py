"""Base of network providers; each method does nothing unless a provider overrides it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.drivers.networks import legacy_vifs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.objects import Connection, NetworkTask, Port, Portgroup


class NetworkProvider:
    """Leaves all networks as they are.

    Methods follow the network provider documents of Ironic: the node is switched between the
    networks for provisioning, cleaning, rescuing, inspecting and servicing, and those of the
    tenant; VIFs are attached to and detached from it. They have the names and arguments of Ironic's
    ``NetworkInterface``.
    """

    def validate(self, task: NetworkTask) -> None:
        """Raise InvalidParameterValue if the node lacks something that the provider needs."""

    def add_provisioning_network(self, task: NetworkTask) -> None:
        """Connect the node to the provisioning network."""

    def remove_provisioning_network(self, task: NetworkTask) -> None:
        """Disconnect the node from the provisioning network."""

    def add_cleaning_network(self, task: NetworkTask) -> None:
        """Connect the node to the cleaning network."""

    def remove_cleaning_network(self, task: NetworkTask) -> None:
        """Disconnect the node from the cleaning network."""

    def configure_tenant_networks(self, task: NetworkTask) -> None:
        """Connect the node to the networks of its VIFs."""

    def unconfigure_tenant_networks(self, task: NetworkTask) -> None:
        """Disconnect the node from the networks of its VIFs."""

    def add_rescuing_network(self, task: NetworkTask) -> None:
        """Connect the node to the rescuing network."""

    def remove_rescuing_network(self, task: NetworkTask) -> None:
        """Disconnect the node from the rescuing network."""

    def add_inspection_network(self, task: NetworkTask) -> None:
        """Connect the node to the inspection network."""

    def remove_inspection_network(self, task: NetworkTask) -> None:
        """Disconnect the node from the inspection network."""

    def add_servicing_network(self, task: NetworkTask) -> None:
        """Connect the node to the servicing network."""

    def remove_servicing_network(self, task: NetworkTask) -> None:
        """Disconnect the node from the servicing network."""

    def vif_list(self, task: NetworkTask) -> list[dict[str, Any]]:
        """Return the attached VIFs, each with its ``id``.

        A provider that has no such methods of its own has VIFs in ``extra`` of ports, where the
        dialect knows these.
        """
        return legacy_vifs.listed(task) if task.session.dialect.vifs_in_extra else []

    def vif_attach(self, task: NetworkTask, vif_info: Mapping[str, Any]) -> None:
        """Attach a VIF; see :meth:`vif_list`.

        :param vif_info: its ``id``, and preferences such as ``port_uuid``.
        :raises ApiError: if it can't be attached.
        """
        if task.session.dialect.vifs_in_extra:
            legacy_vifs.attach(task, vif_info["id"])

    def vif_detach(self, task: NetworkTask, vif_id: str) -> None:
        """Detach a VIF; see :meth:`vif_list`; raise VifNotAttached if it isn't attached."""
        if task.session.dialect.vifs_in_extra:
            legacy_vifs.detach(task, vif_id)

    def get_current_vif(self, task: NetworkTask, p_obj: Connection) -> str | None:
        """Return what is attached to a port or port group."""
        return None

    def port_changed(self, task: NetworkTask, port_obj: Port) -> None:
        """Handle a change of a port.

        :param port_obj: the port with its new values, which aren't stored yet;
            ``obj_what_changed()`` names them.
        :raises Conflict: if the change isn't possible.
        """

    def portgroup_changed(self, task: NetworkTask, portgroup_obj: Portgroup) -> None:
        """Handle a change of a port group; see :meth:`port_changed`."""
