"""Types of the keyword arguments of ``create()`` and ``iterate()`` of each manager.

For annotations in users' programs, too. Nothing else in this package imports the module at run
time, so that it costs nothing there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Required

from baremetalclient._resource.arguments import CallOptions
from baremetalclient.v1.chassis import Chassis
from baremetalclient.v1.node import Node
from baremetalclient.v1.objects import RuleAction, RuleCondition, Steps
from baremetalclient.v1.portgroup import Portgroup
from baremetalclient.v1.types import (
    AllocationState,
    BIOSInterface,
    BootInterface,
    ConsoleInterface,
    DeployInterface,
    DriverName,
    DriverType,
    Fault,
    FirmwareInterface,
    InspectInterface,
    InspectionPhase,
    ManagementInterface,
    NetworkInterface,
    PortgroupMode,
    PowerInterface,
    ProvisionState,
    RAIDInterface,
    RescueInterface,
    SortDirection,
    StorageInterface,
    VendorInterface,
    VolumeConnectorType,
    VolumeType,
)


class IterateOptions(CallOptions, total=False):
    """The arguments of ``iterate()`` of every manager."""

    marker: str | None
    sort_key: str | None
    sort_dir: SortDirection | None
    detail: bool
    fields: Sequence[str] | None


class AllocationFields(CallOptions, total=False):
    """The fields of a new allocation."""

    uuid: str
    name: str | None
    owner: str | None
    resource_class: str
    traits: list[str]
    candidate_nodes: list[str]
    extra: dict[str, Any]
    node: str


class AllocationFilters(IterateOptions, total=False):
    """The filters of allocations."""

    resource_class: str | None
    state: AllocationState | None
    node: str | Node | None
    owner: str | None


class ChassisFields(CallOptions, total=False):
    """The fields of a new chassis."""

    uuid: str
    description: str | None
    extra: dict[str, Any]


class DeployTemplateFields(CallOptions, total=False):
    """The fields of a new deploy template."""

    uuid: str
    name: Required[str]
    steps: Required[Steps]
    extra: dict[str, Any]


class DriverFilters(IterateOptions, total=False):
    """The filters of drivers."""

    driver_type: DriverType | None


class InspectionRuleFields(CallOptions, total=False):
    """The fields of a new inspection rule."""

    uuid: str
    description: str | None
    priority: int
    sensitive: bool
    phase: InspectionPhase | None
    actions: Required[Sequence[RuleAction]]
    conditions: Sequence[RuleCondition]


class InspectionRuleFilters(IterateOptions, total=False):
    """The filters of inspection rules."""

    phase: InspectionPhase | None


class NodeFields(CallOptions, total=False):
    """The fields of a new node."""

    automated_clean: bool | None
    bios_interface: BIOSInterface
    boot_interface: BootInterface
    chassis_uuid: str | None
    conductor_group: str
    console_interface: ConsoleInterface
    deploy_interface: DeployInterface
    description: str | None
    disable_power_off: bool
    driver: Required[DriverName]
    driver_info: dict[str, Any]
    extra: dict[str, Any]
    firmware_interface: FirmwareInterface
    inspect_interface: InspectInterface
    instance_name: str | None
    instance_uuid: str | None
    lessee: str | None
    management_interface: ManagementInterface
    name: str | None
    network_data: dict[str, Any]
    network_interface: NetworkInterface
    network_provider: NetworkInterface | None
    owner: str | None
    parent_node: str | None
    power_interface: PowerInterface
    properties: dict[str, Any]
    raid_interface: RAIDInterface
    rescue_interface: RescueInterface
    resource_class: str | None
    shard: str | None
    storage_interface: StorageInterface
    uuid: str
    vendor_interface: VendorInterface


class NodeFilters(IterateOptions, total=False):
    """The filters of nodes."""

    associated: bool | str | None
    maintenance: bool | str | None
    provision_state: ProvisionState | None
    driver: DriverName | None
    resource_class: str | None
    chassis: str | Chassis | None
    fault: Fault | None
    conductor_group: str | None
    conductor: str | None
    owner: str | None
    retired: bool | str | None
    lessee: str | None
    shards: Sequence[str] | None
    sharded: bool | str | None
    parent_node: str | Node | None
    include_children: bool | None
    description_contains: str | None
    instance_name: str | None
    instance_uuid: str | None
    traits: Sequence[str] | None
    traits_any: Sequence[str] | None
    not_traits: Sequence[str] | None
    not_traits_any: Sequence[str] | None


class PortFields(CallOptions, total=False):
    """The fields of a new port."""

    uuid: str
    address: Required[str]
    extra: dict[str, Any]
    node_uuid: Required[str]
    category: str | None
    vendor: str | None
    local_link_connection: dict[str, Any]
    portgroup_uuid: str | None
    pxe_enabled: bool
    physical_network: str | None
    is_smartnic: bool
    name: str | None
    description: str | None
    available_for_dynamic_portgroup: bool


class PortFilters(IterateOptions, total=False):
    """The filters of ports."""

    address: str | None
    node: str | Node | None
    portgroup: str | Portgroup | None
    shards: Sequence[str] | None
    description_contains: str | None
    conductor_groups: Sequence[str] | None


class PortgroupFields(CallOptions, total=False):
    """The fields of a new port group."""

    uuid: str
    address: str | None
    extra: dict[str, Any]
    standalone_ports_supported: bool
    node_uuid: Required[str]
    name: str | None
    mode: PortgroupMode | None
    properties: dict[str, Any]
    physical_network: str | None
    category: str | None


class PortgroupFilters(IterateOptions, total=False):
    """The filters of port groups."""

    node: str | Node | None
    address: str | None
    shards: Sequence[str] | None
    conductor_groups: Sequence[str] | None


class RunbookFields(CallOptions, total=False):
    """The fields of a new runbook."""

    uuid: str
    name: Required[str]
    description: str | None
    disable_ramdisk: bool
    owner: str | None
    public: bool
    steps: Required[Steps]
    extra: dict[str, Any]


class RunbookFilters(IterateOptions, total=False):
    """The filters of runbooks."""

    project: str | None
    public: bool | None


class VolumeConnectorFields(CallOptions, total=False):
    """The fields of a new volume connector."""

    uuid: str
    node_uuid: Required[str]
    type: Required[VolumeConnectorType]
    connector_id: Required[str]
    extra: dict[str, Any]


class VolumeConnectorFilters(IterateOptions, total=False):
    """The filters of volume connectors."""

    node: str | Node | None
    type: VolumeConnectorType | None
    connector_id: str | None


class VolumeTargetFields(CallOptions, total=False):
    """The fields of a new volume target."""

    uuid: str
    node_uuid: Required[str]
    volume_type: Required[VolumeType]
    properties: dict[str, Any]
    boot_index: Required[int]
    extra: dict[str, Any]
    volume_id: Required[str]


class VolumeTargetFilters(IterateOptions, total=False):
    """The filters of volume targets."""

    node: str | Node | None
    volume_type: VolumeType | None
    volume_id: str | None
    boot_index: int | None
