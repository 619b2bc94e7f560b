"""What a node may be made of, in a request that creates or changes it."""

from __future__ import annotations

from typing import Any

from .. import arguments
from ..schemas import Checker, checked
from . import network_data

MAX_DESCRIPTION = 4096

_NULLABLE = (
    "bios_interface",
    "boot_interface",
    "boot_mode",
    "chassis_uuid",
    "conductor_group",
    "console_interface",
    "deploy_interface",
    "firmware_interface",
    "inspect_interface",
    "instance_uuid",
    "lessee",
    "management_interface",
    "name",
    "network_interface",
    "owner",
    "power_interface",
    "raid_interface",
    "rescue_interface",
    "retired_reason",
    "shard",
    "storage_interface",
    "uuid",
    "vendor_interface",
)
_BOOLEANS = (
    "automated_clean",
    "console_enabled",
    "disable_power_off",
    "maintenance",
    "retired",
    "secure_boot",
)
_OBJECTS = ("driver_info", "extra", "instance_info", "properties")
#: Fields that a patch may touch, in the order in which errors name them.
PATCHABLE = (
    "automated_clean",
    "bios_interface",
    "boot_interface",
    "chassis_uuid",
    "conductor_group",
    "console_interface",
    "deploy_interface",
    "description",
    "disable_power_off",
    "driver",
    "driver_info",
    "extra",
    "inspect_interface",
    "instance_info",
    "instance_name",
    "instance_uuid",
    "lessee",
    "maintenance",
    "management_interface",
    "name",
    "network_data",
    "network_interface",
    "owner",
    "power_interface",
    "properties",
    "protected",
    "protected_reason",
    "raid_interface",
    "rescue_interface",
    "resource_class",
    "retired",
    "retired_reason",
    "shard",
    "storage_interface",
    "vendor_interface",
    "parent_node",
    "firmware_interface",
)


def _text(**limits: int) -> dict[str, Any]:
    return {"type": ["string", "null"], **limits}


def _properties() -> dict[str, Any]:
    truth = {"type": ["string", "boolean", "null"]}
    properties: dict[str, Any] = {name: _text() for name in _NULLABLE}
    properties |= dict.fromkeys(_BOOLEANS, truth)
    properties |= {name: {"type": ["object", "null"]} for name in _OBJECTS}
    properties["description"] = _text(maxLength=MAX_DESCRIPTION)
    properties["driver"] = {"type": "string"}
    properties["instance_name"] = _text(minLength=1, maxLength=255)
    properties["network_data"] = {
        "anyOf": [
            {"type": "null"},
            {"type": "object", "additionalProperties": False},
            network_data.schema(),
        ]
    }
    properties["parent_node"] = _text(maxLength=36)
    properties["resource_class"] = _text(maxLength=80)
    return dict(sorted(properties.items()))


def _create_schema() -> dict[str, Any]:
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": _properties(),
        "required": ["driver"],
        "additionalProperties": False,
    }


def _patched_schema() -> dict[str, Any]:
    schema = _create_schema()
    schema["properties"] |= {
        "protected": {"type": ["string", "boolean", "null"]},
        "protected_reason": _text(),
    }
    return schema


_values = arguments.mapping(
    automated_clean=arguments.boolean,
    chassis_uuid=arguments.uuid,
    console_enabled=arguments.boolean,
    disable_power_off=arguments.boolean,
    instance_uuid=arguments.uuid,
    protected=arguments.boolean,
    maintenance=arguments.boolean,
    retired=arguments.boolean,
    uuid=arguments.uuid,
)

#: Fields of a node as a patched document holds them.
SETTABLE = frozenset((*_properties(), "protected", "protected_reason"))
#: Takes a node to create.
new_node = arguments.chain(checked(_create_schema), _values)
#: Takes a node that was patched.
patched_node = arguments.chain(checked(_patched_schema), _values)
#: Checks ``network_data`` by itself.
NETWORK_DATA = Checker(network_data.schema)
