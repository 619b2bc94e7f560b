"""The fields of nodes and the filters of their list.

API reference, section "Nodes"; the versions are those of the REST API version history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource.schema import Field, Filter, ResourceType, SettableField
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from collections.abc import Callable


def _interface(kind: str, label: str, minor: int) -> Field:
    return SettableField(f"{kind}_interface", f"{label} Interface", since=v1(minor))


def _has_all(found: list[str] | None, wanted: list[str]) -> bool:
    return set(wanted) <= set(found or ())


def _has_any(found: list[str] | None, wanted: list[str]) -> bool:
    return not set(wanted).isdisjoint(found or ())


def _lacks_one(found: list[str] | None, wanted: list[str]) -> bool:
    return not _has_all(found, wanted)


def _lacks_all(found: list[str] | None, wanted: list[str]) -> bool:
    return not _has_any(found, wanted)


def _by_traits(
    name: str, query: str, accepts: Callable[[list[str] | None, list[str]], bool]
) -> Filter:
    return Filter(name, query, v1(37), "traits", accepts, "trait")


RESOURCE_TYPE = ResourceType(
    name="node",
    plural="nodes",
    path="nodes",
    list_key="nodes",
    detail="path",
    fields=(
        Field("allocation_uuid", "Allocation UUID", "uuid", v1(52), sortable=False),
        SettableField("automated_clean", "Automated Clean", "boolean", v1(47)),
        _interface("bios", "BIOS", 40),
        _interface("boot", "Boot", 31),
        Field("boot_mode", "Boot Mode", since=v1(75)),
        SettableField("chassis_uuid", "Chassis UUID", "uuid", sortable=False),
        Field("clean_step", "Clean Step", "object", v1(7), sortable=False),
        Field("conductor", "Conductor", since=v1(49), sortable=False),
        SettableField("conductor_group", "Conductor Group", since=v1(46)),
        Field("console_enabled", "Console Enabled", "boolean"),
        _interface("console", "Console", 31),
        Field("created_at", "Created At", "datetime"),
        Field("raid_config", "Current RAID configuration", "object", v1(12), sortable=False),
        _interface("deploy", "Deploy", 31),
        Field("deploy_step", "Deploy Step", "object", v1(44), sortable=False),
        SettableField("description", "Description", since=v1(51)),
        SettableField("disable_power_off", "Disable Power Off", "boolean", v1(95)),
        SettableField("driver", "Driver"),
        SettableField("driver_info", "Driver Info", "object", sortable=False),
        Field("driver_internal_info", "Driver Internal Info", "object", v1(3), sortable=False),
        SettableField("extra", "Extra", "object", sortable=False),
        Field("fault", "Fault", since=v1(42)),
        _interface("firmware", "Firmware", 86),
        Field("health", "Health", since=v1(109)),
        _interface("inspect", "Inspect", 31),
        Field("inspection_finished_at", "Inspection Finished At", "datetime", v1(6)),
        Field("inspection_started_at", "Inspection Started At", "datetime", v1(6)),
        Field("instance_info", "Instance Info", "object", sortable=False, updatable=True),
        SettableField("instance_name", "Instance Name", since=v1(104)),
        SettableField("instance_uuid", "Instance UUID", "uuid"),
        Field("last_error", "Last Error"),
        SettableField("lessee", "Lessee", since=v1(65)),
        Field("maintenance", "Maintenance", "boolean", updatable=True),
        Field("maintenance_reason", "Maintenance Reason"),
        _interface("management", "Management", 31),
        SettableField("name", "Name", since=v1(5)),
        SettableField("network_data", "Network Configuration", "object", v1(66), sortable=False),
        _interface("network", "Network", 20),
        SettableField("network_provider", "Network Provider", since=v1(20), detailed=False),
        SettableField("owner", "Owner", since=v1(50)),
        SettableField("parent_node", "Parent Node", since=v1(83)),
        _interface("power", "Power", 31),
        Field("power_state", "Power State"),
        SettableField("properties", "Properties", "object", sortable=False),
        Field("protected", "Protected", "boolean", v1(48), updatable=True),
        Field("protected_reason", "Protected Reason", since=v1(48), updatable=True),
        Field("provision_updated_at", "Provision Updated At", "datetime"),
        Field("provision_state", "Provisioning State"),
        _interface("raid", "RAID", 31),
        _interface("rescue", "Rescue", 38),
        Field("reservation", "Reservation"),
        SettableField("resource_class", "Resource Class", since=v1(21)),
        Field("retired", "Retired", "boolean", v1(61), updatable=True),
        Field("retired_reason", "Retired Reason", since=v1(61), updatable=True),
        Field("secure_boot", "Secure Boot", "boolean", v1(75)),
        Field("service_step", "Service Step", "object", v1(87), sortable=False, detailed=False),
        SettableField("shard", "Shard", since=v1(82), detailed=False),
        _interface("storage", "Storage", 33),
        Field("target_power_state", "Target Power State"),
        Field("target_provision_state", "Target Provision State"),
        Field("target_raid_config", "Target RAID configuration", "object", v1(12), sortable=False),
        Field("traits", "Traits", "list", v1(37), sortable=False),
        Field("uuid", "UUID", "uuid", creatable=True),
        Field("updated_at", "Updated At", "datetime"),
        _interface("vendor", "Vendor", 31),
        Field("links", "Links", "links", sortable=False, detailed=False),
        Field("ports", "Ports", "links", sortable=False, detailed=False),
        Field("portgroups", "Port Groups", "links", v1(24), sortable=False, detailed=False),
        Field("states", "States", "links", v1(14), sortable=False, detailed=False),
        Field("volume", "Volume", "links", v1(32), sortable=False, detailed=False),
    ),
    listed=(
        "uuid",
        "name",
        "instance_uuid",
        "power_state",
        "provision_state",
        "maintenance",
    ),
    filters=(
        Filter("associated"),
        Filter("maintenance"),
        Filter("retired", since=v1(61)),
        Filter("fault", since=v1(42)),
        Filter("provision_state", since=v1(9)),
        Filter("driver", since=v1(16)),
        Filter("resource_class", since=v1(21)),
        Filter("chassis", "chassis_uuid"),
        Filter("conductor_group", since=v1(46)),
        Filter("conductor", since=v1(49)),
        Filter("owner", since=v1(50)),
        Filter("lessee", since=v1(65)),
        Filter("shards", "shard", since=v1(82), many="name of a shard"),
        Filter("sharded", since=v1(82)),
        Filter("parent_node", since=v1(83)),
        Filter("include_children", since=v1(83)),
        Filter("description_contains", since=v1(51)),
        Filter("instance_name", since=v1(104)),
        Filter("instance_uuid"),
        _by_traits("traits", "traits", _has_all),
        _by_traits("traits_any", "traits-any", _has_any),
        _by_traits("not_traits", "not-traits", _lacks_one),
        _by_traits("not_traits_any", "not-traits-any", _lacks_all),
    ),
)

NOT_LISTED = frozenset(
    {
        *("allocation_uuid", "chassis_uuid", "conductor", "created_at"),
        *("network_provider", "updated_at"),
    }
)
"""The fields that a list cannot be asked for, but which a detailed list has."""
