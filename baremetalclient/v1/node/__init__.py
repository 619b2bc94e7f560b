"""Nodes: the bare metal machines; a module for each topic.

API reference, section "Nodes".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.resource import Resource
from baremetalclient.v1.node.bulk import NodeBulk
from baremetalclient.v1.node.children import NodeParts
from baremetalclient.v1.node.explanation import NodeExplanation
from baremetalclient.v1.node.features import RESET_INTERFACES
from baremetalclient.v1.node.history import NodeHistory
from baremetalclient.v1.node.indicators import NodeIndicators
from baremetalclient.v1.node.inventory import NodeInventory
from baremetalclient.v1.node.management import NodeManagement
from baremetalclient.v1.node.provision import NodeProvision
from baremetalclient.v1.node.schema import RESOURCE_TYPE
from baremetalclient.v1.node.states import NodeStates
from baremetalclient.v1.node.traits import NodeTraits
from baremetalclient.v1.node.vifs import NodeVifs
from baremetalclient.v1.node.vmedia import NodeVirtualMedia

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import NodeFields, NodeFilters
    from baremetalclient.v1.chassis import Chassis
    from baremetalclient.v1.objects import Link, Patch, RAIDConfig
    from baremetalclient.v1.types import (
        BIOSInterface,
        BootInterface,
        BootMode,
        ConsoleInterface,
        DeployInterface,
        DriverName,
        Fault,
        FirmwareInterface,
        Health,
        InspectInterface,
        ManagementInterface,
        NetworkInterface,
        PowerInterface,
        PowerState,
        ProvisionState,
        RAIDInterface,
        RescueInterface,
        SortDirection,
        StorageInterface,
        VendorInterface,
    )

__all__ = ["RESOURCE_TYPE", "Node", "NodeManager"]


class Node(Resource):
    """A node."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    allocation_uuid: str | None
    automated_clean: bool | None
    bios_interface: BIOSInterface
    boot_interface: BootInterface
    boot_mode: BootMode | None
    chassis_uuid: str | None
    clean_step: dict[str, Any]
    conductor: str | None
    conductor_group: str
    console_enabled: bool
    console_interface: ConsoleInterface
    created_at: str
    raid_config: dict[str, Any]
    deploy_interface: DeployInterface
    deploy_step: dict[str, Any]
    description: str | None
    disable_power_off: bool | None
    driver: DriverName
    driver_info: dict[str, Any]
    driver_internal_info: dict[str, Any]
    extra: dict[str, Any]
    fault: Fault | None
    firmware_interface: FirmwareInterface
    health: Health | None
    inspect_interface: InspectInterface
    inspection_finished_at: str | None
    inspection_started_at: str | None
    instance_info: dict[str, Any]
    instance_name: str | None
    instance_uuid: str | None
    last_error: str | None
    lessee: str | None
    maintenance: bool
    maintenance_reason: str | None
    management_interface: ManagementInterface
    name: str | None
    network_data: dict[str, Any]
    network_interface: NetworkInterface
    network_provider: NetworkInterface | None
    owner: str | None
    parent_node: str | None
    power_interface: PowerInterface
    power_state: PowerState | None
    properties: dict[str, Any]
    protected: bool
    protected_reason: str | None
    provision_updated_at: str | None
    provision_state: ProvisionState
    raid_interface: RAIDInterface
    rescue_interface: RescueInterface
    reservation: str | None
    resource_class: str | None
    retired: bool | None
    retired_reason: str | None
    secure_boot: bool | None
    service_step: dict[str, Any]
    shard: str | None
    storage_interface: StorageInterface
    target_power_state: PowerState | None
    target_provision_state: ProvisionState | None
    target_raid_config: RAIDConfig
    traits: list[str]
    uuid: str
    updated_at: str | None
    vendor_interface: VendorInterface
    links: list[Link]
    ports: list[Link]
    portgroups: list[Link]
    states: list[Link]
    volume: list[Link]


class NodeManager(
    NodeStates[Node],
    NodeProvision[Node],
    NodeBulk[Node],
    NodeTraits[Node],
    NodeVifs[Node],
    NodeVirtualMedia[Node],
    NodeParts[Node],
    NodeManagement[Node],
    NodeIndicators[Node],
    NodeInventory[Node],
    NodeHistory[Node],
    NodeExplanation[Node],
):
    """Calls for nodes."""

    resource_class = Node

    def list(
        self,
        associated: bool | str | None = None,
        maintenance: bool | str | None = None,
        marker: str | None = None,
        limit: int | None = None,
        detail: bool = False,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        fields: Sequence[str] | None = None,
        provision_state: ProvisionState | None = None,
        driver: DriverName | None = None,
        resource_class: str | None = None,
        chassis: str | Chassis | None = None,
        fault: Fault | None = None,
        *,
        conductor_group: str | None = None,
        conductor: str | None = None,
        owner: str | None = None,
        retired: bool | str | None = None,
        lessee: str | None = None,
        shards: Sequence[str] | None = None,
        sharded: bool | str | None = None,
        parent_node: str | Node | None = None,
        include_children: bool | None = None,
        description_contains: str | None = None,
        instance_name: str | None = None,
        traits: Sequence[str] | None = None,
        traits_any: Sequence[str] | None = None,
        not_traits: Sequence[str] | None = None,
        not_traits_any: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Node]:
        """Return nodes; see :class:`.Manager` for the arguments of all lists.

        :param associated: only those with, or without, an instance.
        :param maintenance: only those in, or not in, maintenance.
        :param provision_state: only those in this state.
        :param driver: only those with this driver.
        :param resource_class: only those of this class.
        :param chassis: only those in the chassis with this UUID.
        :param fault: only those with this fault.
        :param conductor_group: only those of this group.
        :param conductor: only those of the conductor on this host.
        :param owner: only those of this owner.
        :param retired: only those that are, or are not, retired.
        :param lessee: only those of this lessee.
        :param shards: only those in one of these shards.
        :param sharded: only those with, or without, a shard.
        :param parent_node: only children of the node with this UUID.
        :param include_children: whether to return child nodes as well.
        :param description_contains: only those with this text in their description.
        :param instance_name: only those with this name of their instance.
        :param traits: only those that have all of these traits.
        :param traits_any: only those that have at least one of these traits.
        :param not_traits: leave out those that have all of these traits.
        :param not_traits_any: leave out those that have any of these traits.
        """
        filters = {
            "associated": associated,
            "maintenance": maintenance,
            "provision_state": provision_state,
            "driver": driver,
            "resource_class": resource_class,
            "chassis": chassis,
            "fault": fault,
            "conductor_group": conductor_group,
            "conductor": conductor,
            "owner": owner,
            "retired": retired,
            "lessee": lessee,
            "shards": shards,
            "sharded": sharded,
            "parent_node": parent_node,
            "include_children": include_children or None,
            "description_contains": description_contains,
            "instance_name": instance_name,
            "traits": traits,
            "traits_any": traits_any,
            "not_traits": not_traits,
            "not_traits_any": not_traits_any,
        }
        return self._list(filters, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[NodeFilters]) -> Iterator[Node]:
        """Yield all matching nodes, holding one page of the server in memory at a time.

        :param options: the filters of :meth:`list`, the arguments of all lists but ``limit``, and
            the options of every call.
        """
        return self._iterate(**options)

    def get(
        self, node_id: str | Node, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Node:
        """Return a node.

        :param node_id: its UUID or name.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(node_id, fields, **call)

    def get_by_instance_uuid(
        self, instance_uuid: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Node:
        """Return the node of an instance.

        :param instance_uuid: the UUID of the instance.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get_by("instance_uuid", instance_uuid, fields, **call)

    def create(self, **attributes: Unpack[NodeFields]) -> Node:
        """Enrol a node.

        :param attributes: ``driver`` and any other fields that can be set; and the options of
            every call.
        :raises InvalidAttribute: if a node does not have one of the fields.
        :raises Conflict: if the UUID, the name or the instance is taken.
        """
        return self._create(**attributes)

    def update(
        self,
        node_id: str | Node,
        patch: Patch,
        http_method: str = "PATCH",
        *,
        reset_interfaces: bool | None = None,
        **call: Unpack[CallOptions],
    ) -> Node:
        """Change a node.

        :param node_id: its UUID or name.
        :param patch: a JSON patch.
        :param http_method: the HTTP method.
        :param reset_interfaces: whether to reset the interfaces that the patch does not set to the
            defaults of the new driver; since version 1.45.
        :returns: the changed node.
        """
        return self._update(
            node_id,
            patch,
            {"reset_interfaces": reset_interfaces},
            [] if reset_interfaces is None else [RESET_INTERFACES],
            http_method,
            **call,
        )

    def delete(self, node_id: str | Node, **call: Unpack[CallOptions]) -> None:
        """Delete a node, with its ports, port groups, traits and volumes.

        :param node_id: its UUID or name.
        """
        self._delete(node_id, **call)
