"""The fields of a node: in which version each came, and how a node is shown."""

from __future__ import annotations

from typing import Any

from ...store import Record
from .. import listing, microversions
from ..context import Context

#: Minor version that introduced a field; fields that aren't here have always been there.
SINCE = {
    "driver_internal_info": 3,
    "name": 5,
    "inspection_finished_at": 6,
    "inspection_started_at": 6,
    "clean_step": 7,
    "raid_config": 12,
    "target_raid_config": 12,
    "network_interface": 20,
    "resource_class": 21,
    "boot_interface": 31,
    "console_interface": 31,
    "deploy_interface": 31,
    "inspect_interface": 31,
    "management_interface": 31,
    "power_interface": 31,
    "raid_interface": 31,
    "vendor_interface": 31,
    "storage_interface": 33,
    "traits": 37,
    "rescue_interface": 38,
    "bios_interface": 40,
    "fault": 42,
    "deploy_step": 44,
    "conductor_group": 46,
    "automated_clean": 47,
    "protected": 48,
    "protected_reason": 48,
    "conductor": 49,
    "owner": 50,
    "description": 51,
    "allocation_uuid": 52,
    "events": 54,
    "retired": 61,
    "retired_reason": 61,
    "lessee": 65,
    "network_data": 66,
    "boot_mode": 75,
    "secure_boot": 75,
    "shard": 82,
    "parent_node": 83,
    "firmware_interface": 86,
    "service_step": 87,
    "disable_power_off": 95,
    "instance_name": 104,
    "health": 109,
}
#: Columns that are shown, in order.
COLUMNS = (
    "uuid",
    "created_at",
    "updated_at",
    "automated_clean",
    "bios_interface",
    "boot_interface",
    "boot_mode",
    "clean_step",
    "conductor_group",
    "console_enabled",
    "console_interface",
    "disable_power_off",
    "deploy_interface",
    "deploy_step",
    "description",
    "driver",
    "driver_info",
    "driver_internal_info",
    "extra",
    "fault",
    "firmware_interface",
    "health",
    "inspection_finished_at",
    "inspection_started_at",
    "inspect_interface",
    "instance_info",
    "instance_name",
    "instance_uuid",
    "last_error",
    "lessee",
    "maintenance",
    "maintenance_reason",
    "management_interface",
    "name",
    "network_data",
    "network_interface",
    "owner",
    "parent_node",
    "power_interface",
    "power_state",
    "properties",
    "protected",
    "protected_reason",
    "provision_state",
    "provision_updated_at",
    "raid_config",
    "raid_interface",
    "rescue_interface",
    "reservation",
    "resource_class",
    "retired",
    "retired_reason",
    "secure_boot",
    "service_step",
    "shard",
    "storage_interface",
    "target_power_state",
    "target_provision_state",
    "target_raid_config",
    "vendor_interface",
)
_OBJECTS = frozenset(
    {
        "clean_step",
        "deploy_step",
        "driver_info",
        "driver_internal_info",
        "extra",
        "instance_info",
        "network_data",
        "properties",
        "raid_config",
        "service_step",
        "target_raid_config",
    }
)
_TIMES = frozenset(
    {
        "created_at",
        "updated_at",
        "inspection_finished_at",
        "inspection_started_at",
        "provision_updated_at",
    }
)
#: What is linked below a node, and since when.
_LINKED = {
    "ports": 1,
    "states": microversions.STATES_LINKS,
    "portgroups": microversions.PORTGROUPS_OF_NODE,
    "volume": microversions.VOLUME,
}


def show(ctx: Context, node: Record) -> dict[str, Any]:
    """Return all that the API shows of a node in the request's version."""
    shown: dict[str, Any] = {}
    for name in COLUMNS:
        if SINCE.get(name, 1) <= ctx.minor:
            value = node[name]
            if name in _OBJECTS:
                value = value or {}
            elif name in _TIMES:
                value = listing.timestamp(value)
            shown[name] = value
    for name, since in _LINKED.items():
        if ctx.minor >= since:
            shown[name] = ctx.links("nodes", f"{node['uuid']}/{name}")
    shown["links"] = ctx.links("nodes", node["uuid"])
    return shown
