"""Nodes: their fields and the filters of their list.

API reference, section "Nodes"; the versions are those of the REST API version history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.fields import Filter, field, settable
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from collections.abc import Callable

    from baremetalclient.v1.objects import Link, RAIDConfig
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
        StorageInterface,
        TargetPowerState,
        VendorInterface,
    )


_FLAG = "bool | str | None"


def _interface(kind: str, minor: int) -> Any:
    return settable(f"{kind} interface of the node.", since=v1(minor))


def _has_all(found: list[str] | None, wanted: list[str]) -> bool:
    return set(wanted) <= set(found or ())


def _has_any(found: list[str] | None, wanted: list[str]) -> bool:
    return not set(wanted).isdisjoint(found or ())


def _lacks_one(found: list[str] | None, wanted: list[str]) -> bool:
    return not _has_all(found, wanted)


def _lacks_all(found: list[str] | None, wanted: list[str]) -> bool:
    return not _has_any(found, wanted)


def _by_traits(
    name: str, meaning: str, accepts: Callable[[list[str] | None, list[str]], bool]
) -> Filter:
    query = name.replace("_", "-")
    return Filter(name, meaning, "", query, v1(37), "traits", accepts, "trait")


class Node(Resource):
    """A node."""

    __slots__ = ()
    resource_type = ResourceType(
        name="node",
        path="nodes",
        detail="path",
        listed=(
            *("uuid", "name", "instance_uuid", "power_state", "provision_state", "maintenance"),
        ),
        list_arguments=(
            *("associated", "maintenance", "marker", "limit", "detail", "sort_key", "sort_dir"),
            *("fields", "provision_state", "driver", "resource_class", "chassis", "fault"),
        ),
        filters=(
            Filter("associated", "Only those with, or without, an instance.", _FLAG),
            Filter("maintenance", "Only those in, or not in, maintenance.", _FLAG),
            Filter("fault", "List only nodes with this fault.", since=v1(42)),
            Filter("provision_state", "List only nodes in this provision state.", since=v1(9)),
            Filter("driver", "List only nodes with this driver.", since=v1(16)),
            Filter("resource_class", "List only nodes of this resource class.", since=v1(21)),
            Filter(
                "chassis",
                "List only nodes of this chassis.",
                "str | Resource | None",
                query="chassis_uuid",
            ),
            Filter("conductor_group", "List only nodes of this conductor group.", since=v1(46)),
            Filter("conductor", "List only nodes managed by this conductor.", since=v1(49)),
            Filter("owner", "List only nodes of this owner.", since=v1(50)),
            Filter("retired", "Only those that are, or are not, retired.", _FLAG, since=v1(61)),
            Filter("lessee", "List only nodes of this lessee.", since=v1(65)),
            Filter(
                "shards",
                "List only nodes in one of these shards.",
                query="shard",
                since=v1(82),
                many="name of a shard",
            ),
            Filter("sharded", "Only those with, or without, a shard.", _FLAG, since=v1(82)),
            Filter(
                "parent_node",
                "Only children of the node with this UUID.",
                "str | Node | None",
                since=v1(83),
            ),
            Filter(
                "include_children",
                "Whether to return child nodes as well.",
                "bool | None",
                since=v1(83),
                nothing=False,
            ),
            Filter(
                "description_contains",
                "List only nodes whose description contains this text.",
                since=v1(51),
            ),
            Filter("instance_name", "List only nodes whose instance has this name.", since=v1(104)),
            Filter("instance_uuid", "Only that of the instance with this UUID."),
            _by_traits("traits", "List only nodes with all of these traits.", _has_all),
            _by_traits("traits_any", "List only nodes with any of these traits.", _has_any),
            _by_traits("not_traits", "Leave out nodes with all of these traits.", _lacks_one),
            _by_traits("not_traits_any", "Leave out nodes with any of these traits.", _lacks_all),
        ),
    )

    allocation_uuid: str | None = field(
        "Allocation that the node belongs to.", since=v1(52), sortable=False, only_detailed=True
    )
    automated_clean: bool | None = settable(
        "Whether the node is cleaned automatically; None for the default of Ironic.", since=v1(47)
    )
    bios_interface: BIOSInterface = _interface("BIOS", 40)
    boot_interface: BootInterface = _interface("Boot", 31)
    boot_mode: BootMode | None = field("Boot mode of the machine, uefi or bios.", since=v1(75))
    chassis_uuid: str | None = settable(
        "UUID of the chassis that the node belongs to.", sortable=False, only_detailed=True
    )
    clean_step: dict[str, Any] = field("Clean step that runs.", since=v1(7))
    conductor: str | None = field(
        "Conductor that manages the node.", since=v1(49), sortable=False, only_detailed=True
    )
    conductor_group: str = settable("Conductor group of the node.", since=v1(46), blank=True)
    console_enabled: bool = field("Whether the console is enabled.")
    console_interface: ConsoleInterface = _interface("Console", 31)
    created_at: str = field("Time of its creation.", only_detailed=True)
    raid_config: dict[str, Any] = field(
        "RAID configuration that was applied.", "Current RAID configuration", since=v1(12)
    )
    deploy_interface: DeployInterface = _interface("Deploy", 31)
    deploy_step: dict[str, Any] = field("Deploy step that runs.", since=v1(44))
    description: str | None = settable("Description of the node.", since=v1(51))
    disable_power_off: bool | None = settable(
        "Whether the node must not be powered off.", since=v1(95)
    )
    driver: DriverName = settable("Hardware type of the node.", required=True)
    driver_info: dict[str, Any] = settable(
        "Information for the driver, such as credentials of the management controller."
    )
    driver_internal_info: dict[str, Any] = field(
        "What the driver keeps about the node.", since=v1(3)
    )
    extra: dict[str, Any] = settable("Arbitrary metadata.")
    fault: Fault | None = field(
        "Fault for which Ironic put the node into maintenance.", since=v1(42)
    )
    firmware_interface: FirmwareInterface = _interface("Firmware", 86)
    health: Health | None = field(
        "Health of the machine, as its management controller reports it.", since=v1(109)
    )
    inspect_interface: InspectInterface = _interface("Inspect", 31)
    inspection_finished_at: str | None = field(
        "Time of the end of the last inspection.", since=v1(6)
    )
    inspection_started_at: str | None = field(
        "Time of the start of the last inspection.", since=v1(6)
    )
    instance_info: dict[str, Any] = field("Information about the instance.", updatable=True)
    instance_name: str | None = settable("Name of the instance on the node.", since=v1(104))
    instance_uuid: str | None = settable("UUID of the instance.")
    last_error: str | None = field("Last error of an operation on the node.")
    lessee: str | None = settable("Project that has leased the node.", since=v1(65))
    maintenance: bool = field("Whether the node is in maintenance.", updatable=True)
    maintenance_reason: str | None = field("Why the node is in maintenance.")
    management_interface: ManagementInterface = _interface("Management", 31)
    name: str | None = settable("Name of the node.", since=v1(5))
    network_data: dict[str, Any] = settable(
        "Static network configuration in the format of Nova's network_data.json.",
        "Network Configuration",
        since=v1(66),
    )
    network_interface: NetworkInterface = _interface("Network", 20)
    network_provider: NetworkInterface | None = settable(
        "Network provider of the node, for services with providers instead of interfaces.",
        since=v1(20),
        detailed=False,
        only_detailed=True,
    )
    owner: str | None = settable("Project that owns the node.", since=v1(50))
    parent_node: str | None = settable("Parent of the node.", since=v1(83))
    power_interface: PowerInterface = _interface("Power", 31)
    power_state: PowerState | None = field("Power state of the machine.")
    properties: dict[str, Any] = settable("Physical characteristic of the node.")
    protected: bool = field(
        "Whether the node is protected from being undeployed, rebuilt and deleted.",
        since=v1(48),
        updatable=True,
    )
    protected_reason: str | None = field("Why the node is protected.", since=v1(48), updatable=True)
    provision_updated_at: str | None = field("Time of the last change of the provision state.")
    provision_state: ProvisionState = field("Provision state of the node.", "Provisioning State")
    raid_interface: RAIDInterface = _interface("RAID", 31)
    rescue_interface: RescueInterface = _interface("Rescue", 38)
    reservation: str | None = field("Host of the conductor that has locked the node.")
    resource_class: str | None = settable("Resource class of the node.", since=v1(21))
    retired: bool | None = field("Whether the node is retired.", since=v1(61), updatable=True)
    retired_reason: str | None = field("Why the node is retired.", since=v1(61), updatable=True)
    secure_boot: bool | None = field("Whether the machine boots securely.", since=v1(75))
    service_step: dict[str, Any] = field("Service step that runs.", since=v1(87), detailed=False)
    shard: str | None = settable("Shard of the node.", since=v1(82), detailed=False)
    storage_interface: StorageInterface = _interface("Storage", 33)
    target_power_state: TargetPowerState | None = field(
        "Power state that was requested, until it is reached."
    )
    target_provision_state: ProvisionState | None = field(
        "Provision state that was requested, until it is reached."
    )
    target_raid_config: RAIDConfig = field(
        "RAID configuration that the next cleaning applies.",
        "Target RAID configuration",
        type="object",
        since=v1(12),
    )
    traits: list[str] = field("Traits of the node.", since=v1(37))
    uuid: str = field("UUID of the node.", creatable=True)
    updated_at: str | None = field("Time of its last change.", only_detailed=True)
    vendor_interface: VendorInterface = _interface("Vendor", 31)
    links: list[Link] = field("Links to the node.", detailed=False)
    ports: list[Link] = field("Links to its ports.", detailed=False)
    portgroups: list[Link] = field(
        "Links to its port groups.", "Port Groups", since=v1(24), detailed=False
    )
    states: list[Link] = field("Links to its states.", since=v1(14), detailed=False)
    volume: list[Link] = field("Links to its volumes.", since=v1(32), detailed=False)
