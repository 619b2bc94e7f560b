"""JSON schemas of servers and their actions."""

from __future__ import annotations

from functools import cache
from typing import Any

from fake_server.common.schemas import Checker, object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.schemas import devices, parts

_COUNT = {**parts.SIZE, "pattern": "^[0-9]*$", "minLength": 1}
_METADATA = {
    "type": "object",
    "patternProperties": {"^[a-zA-Z0-9-_:. ]{1,255}$": {"type": "string", "maxLength": 255}},
    "additionalProperties": False,
}
_USER_DATA = {"type": "string", "format": "base64", "maxLength": 65535}
_DISK_CONFIG = {"type": "string", "enum": ["AUTO", "MANUAL"]}
_ADDRESSES = {
    "accessIPv4": {"type": "string", "format": "ipv4"},
    "accessIPv6": {"type": "string", "format": "ipv6"},
}
#: Documents to write into the machine, until :data:`~.microversions.NO_PERSONALITY`.
_PERSONALITY = {
    "type": "array",
    "items": object_schema(
        {"path": {"type": "string"}, "contents": {"type": "string", "format": "base64"}}
    ),
}
_CERTIFICATES = {
    "type": ["array", "null"],
    "minItems": 1,
    "maxItems": 50,
    "uniqueItems": True,
    "items": {"type": "string", "minLength": 1},
}

REBOOT = Checker(
    object_schema(
        {
            "reboot": object_schema(
                {"type": {"enum": ["HARD", "Hard", "hard", "SOFT", "Soft", "soft"]}}, "type"
            )
        },
        "reboot",
    )
)
METADATA = Checker(object_schema({"metadata": _METADATA}, "metadata"))


@cache
def create(minor: int) -> Checker:
    """Return what checks a new server."""
    properties: dict[str, Any] = {
        "name": parts.NAME,
        "imageRef": {"type": "string", "anyOf": [{"format": "uuid"}, {"maxLength": 0}]},
        "flavorRef": {"type": ["string", "integer"], "minLength": 1},
        "adminPass": {"type": "string"},
        "metadata": _METADATA,
        "networks": devices.networks(minor),
        "OS-DCF:diskConfig": _DISK_CONFIG,
        **_ADDRESSES,
        "availability_zone": parts.NAME,
        "block_device_mapping": {"type": "array", "items": devices.legacy_block_device()},
        "block_device_mapping_v2": {"type": "array", "items": devices.block_device(minor)},
        "config_drive": parts.BOOLEAN,
        "key_name": parts.NAME,
        "min_count": _COUNT,
        "max_count": _COUNT,
        "return_reservation_id": parts.BOOLEAN,
        "security_groups": {"type": "array", "items": object_schema({"name": parts.NAME})},
        "user_data": _USER_DATA,
    }
    required = ["name", "flavorRef"]
    if minor < versions.NO_PERSONALITY:
        properties["personality"] = _PERSONALITY
    if minor >= versions.DESCRIPTION:
        properties["description"] = parts.TEXT
    if minor >= versions.NETWORKS_REQUIRED:
        required.append("networks")
    if minor >= versions.CREATE_TAGS:
        properties["tags"] = {"type": "array", "items": parts.TAG, "maxItems": 50}
    if minor >= versions.TRUSTED_CERTIFICATES:
        properties["trusted_image_certificates"] = _CERTIFICATES
    if minor >= versions.CREATE_ON_HOST:
        properties |= {"host": parts.HOST, "hypervisor_hostname": parts.HOST}
    if minor >= versions.HOSTNAME:
        properties["hostname"] = _hostname(minor)
    hints = {"type": "object"}
    return Checker(
        object_schema(
            {
                "server": object_schema(properties, *required),
                "os:scheduler_hints": hints,
                "OS-SCH-HNT:scheduler_hints": hints,
            },
            "server",
        )
    )


@cache
def update(minor: int) -> Checker:
    """Return what checks the changes of a server."""
    properties: dict[str, Any] = {
        "name": parts.NAME,
        "OS-DCF:diskConfig": _DISK_CONFIG,
        **_ADDRESSES,
    }
    if minor >= versions.DESCRIPTION:
        properties["description"] = parts.TEXT
    if minor >= versions.HOSTNAME:
        properties["hostname"] = _hostname(minor)
    if minor >= versions.CHANGE_PINNED_ZONE:
        properties["pinned_availability_zone"] = parts.LOOSE_NAME
    return Checker(object_schema({"server": object_schema(properties)}, "server"))


@cache
def rebuild(minor: int) -> Checker:
    """Return what checks how a server is to be rebuilt."""
    properties: dict[str, Any] = {
        "name": parts.NAME,
        "imageRef": parts.UUID,
        "adminPass": {"type": "string"},
        "metadata": _METADATA,
        "preserve_ephemeral": parts.BOOLEAN,
        "OS-DCF:diskConfig": _DISK_CONFIG,
        **_ADDRESSES,
    }
    if minor >= versions.DESCRIPTION:
        properties["description"] = parts.TEXT
    if minor >= versions.REBUILD_KEY:
        properties["key_name"] = parts.LOOSE_NAME
    if minor < versions.NO_PERSONALITY:
        properties["personality"] = _PERSONALITY
    else:
        properties["user_data"] = {**_USER_DATA, "type": ["string", "null"]}
    if minor >= versions.TRUSTED_CERTIFICATES:
        properties["trusted_image_certificates"] = _CERTIFICATES
    if minor >= versions.HOSTNAME:
        properties["hostname"] = _hostname(minor)
    return Checker(object_schema({"rebuild": object_schema(properties, "imageRef")}, "rebuild"))


def _hostname(minor: int) -> dict[str, Any]:
    if minor >= versions.LONG_HOSTNAME:
        return dict(parts.HOST)
    letters = "^[a-zA-Z0-9]+[a-zA-Z0-9-]*[a-zA-Z0-9]+$"
    return {"type": "string", "minLength": 2, "maxLength": 63, "pattern": letters}
