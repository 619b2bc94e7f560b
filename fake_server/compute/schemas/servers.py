"""JSON schemas of servers and their actions."""

from __future__ import annotations

from functools import cache
from typing import Any

from fake_server.common.microversions import ABSENT, Since, at
from fake_server.common.schemas import Checker, object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.schemas import devices, parts

_USER_DATA = {"type": "string", "format": "base64", "maxLength": 65535}
DISK_CONFIG = {"type": "string", "enum": ["AUTO", "MANUAL"]}
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
_CONSOLES = ["novnc", "rdp-html5", "spice-html5", "spice-direct", "serial", "webmks"]

TAG = parts.checker(parts.TAG)
MOST_TAGS = 50
TAG_LIST = {"type": "array", "items": parts.TAG, "maxItems": MOST_TAGS}


_LETTERS = "^[a-zA-Z0-9]+[a-zA-Z0-9-]*[a-zA-Z0-9]+$"
_HOSTNAME = Since(
    versions.LONG_HOSTNAME,
    parts.HOST,
    before=Since(
        versions.HOSTNAME,
        {"type": "string", "pattern": _LETTERS, "minLength": 2, "maxLength": 63},
    ),
)
#: What can be set in any request that changes a server.
_SERVER: dict[str, Any] = {
    "name": parts.NAME,
    "OS-DCF:diskConfig": DISK_CONFIG,
    "accessIPv4": {"type": "string", "format": "ipv4"},
    "accessIPv6": {"type": "string", "format": "ipv6"},
    "description": Since(versions.DESCRIPTION, parts.TEXT),
    "hostname": _HOSTNAME,
}
_HINT = {"anyOf": [parts.UUID, {"type": "array", "items": parts.UUID}]}
#: Those of the hints for the scheduler that have to be ids of something.
_HINTS = {
    **dict.fromkeys(("group", "different_host"), _HINT),
    "same_host": {"type": ["string", "array"], "items": parts.UUID},
}
_DEPLOYED: dict[str, Any] = {
    **_SERVER,
    "adminPass": {"type": "string"},
    "metadata": parts.METADATA,
    "personality": Since(versions.NO_PERSONALITY, ABSENT, before=_PERSONALITY),
    "trusted_image_certificates": Since(versions.TRUSTED_CERTIFICATES, _CERTIFICATES),
}
_UPDATED: dict[str, Any] = {
    **_SERVER,
    "pinned_availability_zone": Since(versions.CHANGE_PINNED_ZONE, parts.LOOSE_NAME),
}
REBUILT: dict[str, Any] = {
    **_DEPLOYED,
    "imageRef": parts.UUID,
    "preserve_ephemeral": parts.BOOLEAN,
    "key_name": Since(versions.REBUILD_KEY, parts.LOOSE_NAME),
    "user_data": Since(versions.NO_PERSONALITY, {**_USER_DATA, "type": ["string", "null"]}),
}


@cache
def create(minor: int) -> Checker:
    """Return what checks a new server."""
    properties: dict[str, Any] = {
        **_DEPLOYED,
        "imageRef": {"type": "string", "anyOf": [{"format": "uuid"}, {"maxLength": 0}]},
        "flavorRef": {"type": ["string", "integer"], "minLength": 1},
        "networks": devices.networks(minor),
        "availability_zone": parts.NAME,
        "block_device_mapping": {"type": "array", "items": devices.LEGACY_BLOCK_DEVICE},
        "block_device_mapping_v2": {"type": "array", "items": devices.block_device(minor)},
        "config_drive": parts.BOOLEAN,
        "key_name": parts.NAME,
        "min_count": parts.COUNT,
        "max_count": parts.COUNT,
        "return_reservation_id": parts.BOOLEAN,
        "security_groups": {"type": "array", "items": object_schema({"name": parts.NAME})},
        "user_data": _USER_DATA,
        "tags": Since(versions.CREATE_TAGS, TAG_LIST),
        "host": Since(versions.CREATE_ON_HOST, parts.HOST),
        "hypervisor_hostname": Since(versions.CREATE_ON_HOST, parts.HOST),
    }
    required = ["name", "flavorRef"]
    if minor >= versions.NETWORKS_REQUIRED:
        required.append("networks")
    hints = {"type": "object", "properties": _HINTS}
    return parts.checker(
        object_schema(
            {
                "server": object_schema(at(minor, properties), *required),
                "os:scheduler_hints": hints,
                "OS-SCH-HNT:scheduler_hints": hints,
            },
            "server",
        )
    )


@cache
def remote_console(minor: int) -> Checker:
    """Return what checks a request for a console."""
    protocols = ["vnc", "spice", "serial", "rdp", *(["mks"] * (minor >= versions.MKS_CONSOLES))]
    enums = {"protocol": protocols, "type": _CONSOLES}
    wanted = {name: {"type": "string", "enum": enums[name]} for name in enums}
    console = object_schema(wanted, *wanted)
    return parts.checker(object_schema({"remote_console": console}, "remote_console"))


@cache
def update(minor: int) -> Checker:
    """Return what checks the changes of a server."""
    return parts.checker(object_schema({"server": object_schema(at(minor, _UPDATED))}, "server"))
