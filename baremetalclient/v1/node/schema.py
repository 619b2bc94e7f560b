"""What nodes consist of, and what they can be listed by.

API reference, section "Nodes"; the versions are those of the REST API version history.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from baremetalclient._resource.schema import Field, Filter, Resource
from baremetalclient.microversion import Version

if TYPE_CHECKING:
    from collections.abc import Callable


def _v(minor: int) -> Version:
    return Version(1, minor)


_Settable = partial(Field, creatable=True, updatable=True)


def _interface(kind: str, label: str, minor: int) -> Field:
    return _Settable(f"{kind}_interface", f"{label} Interface", since=_v(minor))


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
    return Filter(name, query, _v(37), "traits", accepts, "trait")


RESOURCE = Resource(
    name="node",
    plural="nodes",
    path="nodes",
    list_key="nodes",
    detail="path",
    fields=(
        Field("allocation_uuid", "Allocation UUID", "uuid", _v(52), sortable=False),
        _Settable("automated_clean", "Automated Clean", "boolean", _v(47)),
        _interface("bios", "BIOS", 40),
        _interface("boot", "Boot", 31),
        Field("boot_mode", "Boot Mode", since=_v(75)),
        _Settable("chassis_uuid", "Chassis UUID", "uuid", sortable=False),
        Field("clean_step", "Clean Step", "object", _v(7), sortable=False),
        Field("conductor", "Conductor", since=_v(49), sortable=False),
        _Settable("conductor_group", "Conductor Group", since=_v(46)),
        Field("console_enabled", "Console Enabled", "boolean"),
        _interface("console", "Console", 31),
        Field("created_at", "Created At", "datetime"),
        Field("raid_config", "Current RAID configuration", "object", _v(12), sortable=False),
        _interface("deploy", "Deploy", 31),
        Field("deploy_step", "Deploy Step", "object", _v(44), sortable=False),
        _Settable("description", "Description", since=_v(51)),
        _Settable("disable_power_off", "Disable Power Off", "boolean", _v(95)),
        _Settable("driver", "Driver"),
        _Settable("driver_info", "Driver Info", "object", sortable=False),
        Field("driver_internal_info", "Driver Internal Info", "object", _v(3), sortable=False),
        _Settable("extra", "Extra", "object", sortable=False),
        Field("fault", "Fault", since=_v(42)),
        _interface("firmware", "Firmware", 86),
        Field("health", "Health", since=_v(109)),
        _interface("inspect", "Inspect", 31),
        Field("inspection_finished_at", "Inspection Finished At", "datetime", _v(6)),
        Field("inspection_started_at", "Inspection Started At", "datetime", _v(6)),
        Field("instance_info", "Instance Info", "object", sortable=False, updatable=True),
        _Settable("instance_name", "Instance Name", since=_v(104)),
        _Settable("instance_uuid", "Instance UUID", "uuid"),
        Field("last_error", "Last Error"),
        _Settable("lessee", "Lessee", since=_v(65)),
        Field("maintenance", "Maintenance", "boolean", updatable=True),
        Field("maintenance_reason", "Maintenance Reason"),
        _interface("management", "Management", 31),
        _Settable("name", "Name", since=_v(5)),
        _Settable("network_data", "Network Configuration", "object", _v(66), sortable=False),
        _interface("network", "Network", 20),
        _Settable("network_provider", "Network Provider", since=_v(20), detailed=False),
        _Settable("owner", "Owner", since=_v(50)),
        _Settable("parent_node", "Parent Node", since=_v(83)),
        _interface("power", "Power", 31),
        Field("power_state", "Power State"),
        _Settable("properties", "Properties", "object", sortable=False),
        Field("protected", "Protected", "boolean", _v(48), updatable=True),
        Field("protected_reason", "Protected Reason", since=_v(48), updatable=True),
        Field("provision_updated_at", "Provision Updated At", "datetime"),
        Field("provision_state", "Provisioning State"),
        _interface("raid", "RAID", 31),
        _interface("rescue", "Rescue", 38),
        Field("reservation", "Reservation"),
        _Settable("resource_class", "Resource Class", since=_v(21)),
        Field("retired", "Retired", "boolean", _v(61), updatable=True),
        Field("retired_reason", "Retired Reason", since=_v(61), updatable=True),
        Field("secure_boot", "Secure Boot", "boolean", _v(75)),
        Field("service_step", "Service Step", "object", _v(87), sortable=False, detailed=False),
        _Settable("shard", "Shard", since=_v(82), detailed=False),
        _interface("storage", "Storage", 33),
        Field("target_power_state", "Target Power State"),
        Field("target_provision_state", "Target Provision State"),
        Field("target_raid_config", "Target RAID configuration", "object", _v(12), sortable=False),
        Field("traits", "Traits", "list", _v(37), sortable=False),
        Field("uuid", "UUID", "uuid", creatable=True),
        Field("updated_at", "Updated At", "datetime"),
        _interface("vendor", "Vendor", 31),
        Field("links", "Links", "links", sortable=False, detailed=False),
        Field("ports", "Ports", "links", sortable=False, detailed=False),
        Field("portgroups", "Port Groups", "links", _v(24), sortable=False, detailed=False),
        Field("states", "States", "links", _v(14), sortable=False, detailed=False),
        Field("volume", "Volume", "links", _v(32), sortable=False, detailed=False),
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
        Filter("retired", since=_v(61)),
        Filter("fault", since=_v(42)),
        Filter("provision_state", since=_v(9)),
        Filter("driver", since=_v(16)),
        Filter("resource_class", since=_v(21)),
        Filter("chassis", "chassis_uuid"),
        Filter("conductor_group", since=_v(46)),
        Filter("conductor", since=_v(49)),
        Filter("owner", since=_v(50)),
        Filter("lessee", since=_v(65)),
        Filter("shards", "shard", since=_v(82), many="name of a shard"),
        Filter("sharded", since=_v(82)),
        Filter("parent_node", since=_v(83)),
        Filter("include_children", since=_v(83)),
        Filter("description_contains", since=_v(51)),
        Filter("instance_name", since=_v(104)),
        Filter("instance_uuid"),
        _by_traits("traits", "traits", _has_all),
        _by_traits("traits_any", "traits-any", _has_any),
        _by_traits("not_traits", "not-traits", _lacks_one),
        _by_traits("not_traits_any", "not-traits-any", _lacks_all),
    ),
)
