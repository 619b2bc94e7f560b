"""Types of the arguments of calls.

The types are for annotations in users' programs, too. Nothing else in this package imports the
module at run time, so that it costs nothing there.

Written by `tools/dev arguments`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Required

from baremetalclient._resource.arguments import CallOptions
from baremetalclient._resource.resource import Resource
from baremetalclient.v1.node_fields import Node
from baremetalclient.v1.objects import RuleAction, RuleCondition, Steps
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


class ListOptions(IterateOptions, total=False):
    """The arguments of all lists."""

    limit: int | None


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


class AllocationChanges(CallOptions, total=False):
    """New values of fields of an allocation."""

    name: str | None
    extra: dict[str, Any] | None


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


class ChassisChanges(CallOptions, total=False):
    """New values of fields of a chassis."""

    description: str | None
    extra: dict[str, Any] | None


class DeployTemplateFields(CallOptions, total=False):
    """The fields of a new deploy template."""

    uuid: str
    name: Required[str]
    steps: Required[Steps]
    extra: dict[str, Any]


class DeployTemplateChanges(CallOptions, total=False):
    """New values of fields of a deploy template."""

    name: str | None
    steps: Steps | None
    extra: dict[str, Any] | None


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


class InspectionRuleChanges(CallOptions, total=False):
    """New values of fields of an inspection rule."""

    description: str | None
    priority: int | None
    sensitive: bool | None
    phase: InspectionPhase | None
    actions: Sequence[RuleAction] | None
    conditions: Sequence[RuleCondition] | None


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
    disable_power_off: bool | None
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


class NodeChanges(CallOptions, total=False):
    """New values of fields of a node."""

    automated_clean: bool | None
    bios_interface: BIOSInterface | None
    boot_interface: BootInterface | None
    chassis_uuid: str | None
    conductor_group: str | None
    console_interface: ConsoleInterface | None
    deploy_interface: DeployInterface | None
    description: str | None
    disable_power_off: bool | None
    driver: DriverName | None
    driver_info: dict[str, Any] | None
    extra: dict[str, Any] | None
    firmware_interface: FirmwareInterface | None
    inspect_interface: InspectInterface | None
    instance_info: dict[str, Any] | None
    instance_name: str | None
    instance_uuid: str | None
    lessee: str | None
    maintenance: bool | None
    management_interface: ManagementInterface | None
    name: str | None
    network_data: dict[str, Any] | None
    network_interface: NetworkInterface | None
    network_provider: NetworkInterface | None
    owner: str | None
    parent_node: str | None
    power_interface: PowerInterface | None
    properties: dict[str, Any] | None
    protected: bool | None
    protected_reason: str | None
    raid_interface: RAIDInterface | None
    rescue_interface: RescueInterface | None
    resource_class: str | None
    retired: bool | None
    retired_reason: str | None
    shard: str | None
    storage_interface: StorageInterface | None
    vendor_interface: VendorInterface | None


class NodeFilters(IterateOptions, total=False):
    """The filters of nodes."""

    associated: bool | str | None
    maintenance: bool | str | None
    fault: Fault | None
    provision_state: ProvisionState | None
    driver: DriverName | None
    resource_class: str | None
    chassis: str | Resource | None
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
    is_smartnic: bool | None
    name: str | None
    description: str | None
    available_for_dynamic_portgroup: bool


class PortChanges(CallOptions, total=False):
    """New values of fields of a port."""

    address: str | None
    extra: dict[str, Any] | None
    node_uuid: str | None
    category: str | None
    vendor: str | None
    local_link_connection: dict[str, Any] | None
    portgroup_uuid: str | None
    pxe_enabled: bool | None
    physical_network: str | None
    is_smartnic: bool | None
    name: str | None
    description: str | None
    available_for_dynamic_portgroup: bool | None


class PortFilters(IterateOptions, total=False):
    """The filters of ports."""

    address: str | None
    node: str | Node | None
    portgroup: str | Resource | None
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


class PortgroupChanges(CallOptions, total=False):
    """New values of fields of a port group."""

    address: str | None
    extra: dict[str, Any] | None
    standalone_ports_supported: bool | None
    node_uuid: str | None
    name: str | None
    mode: PortgroupMode | None
    properties: dict[str, Any] | None
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


class RunbookChanges(CallOptions, total=False):
    """New values of fields of a runbook."""

    name: str | None
    description: str | None
    disable_ramdisk: bool | None
    owner: str | None
    public: bool | None
    steps: Steps | None
    extra: dict[str, Any] | None


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


class VolumeConnectorChanges(CallOptions, total=False):
    """New values of fields of a volume connector."""

    node_uuid: str | None
    type: VolumeConnectorType | None
    connector_id: str | None
    extra: dict[str, Any] | None


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


class VolumeTargetChanges(CallOptions, total=False):
    """New values of fields of a volume target."""

    node_uuid: str | None
    volume_type: VolumeType | None
    properties: dict[str, Any] | None
    boot_index: int | None
    extra: dict[str, Any] | None
    volume_id: str | None


class VolumeTargetFilters(IterateOptions, total=False):
    """The filters of volume targets."""

    node: str | Node | None
    volume_type: VolumeType | None
    volume_id: str | None
    boot_index: int | None
