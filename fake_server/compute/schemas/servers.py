"""JSON schemas of servers and their actions."""

from __future__ import annotations

from typing import Any

from fake_server.common.microversions import ABSENT, Since
from fake_server.common.schemas import object_schema
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
_OF_HINTS = {
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


_HINTS = {"type": "object", "properties": _OF_HINTS}
_CREATED: dict[str, Any] = {
    **_DEPLOYED,
    "imageRef": {"type": "string", "anyOf": [{"format": "uuid"}, {"maxLength": 0}]},
    "flavorRef": {"type": ["string", "integer"], "minLength": 1},
    "networks": devices.NETWORKS,
    "availability_zone": parts.NAME,
    "block_device_mapping": {"type": "array", "items": devices.LEGACY_BLOCK_DEVICE},
    "block_device_mapping_v2": {"type": "array", "items": devices.BLOCK_DEVICE},
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
_NEEDED = ["name", "flavorRef", Since(versions.NETWORKS_REQUIRED, "networks")]
CREATE = parts.checker(
    object_schema(
        {
            "server": {**object_schema(_CREATED), "required": _NEEDED},
            "os:scheduler_hints": _HINTS,
            "OS-SCH-HNT:scheduler_hints": _HINTS,
        },
        "server",
    )
)
UPDATE = parts.checker(object_schema({"server": object_schema(_UPDATED)}, "server"))
_PROTOCOLS = ["vnc", "spice", "serial", "rdp", Since(versions.MKS_CONSOLES, "mks")]
_CONSOLE = {
    name: {"type": "string", "enum": known}
    for name, known in {"protocol": _PROTOCOLS, "type": _CONSOLES}.items()
}
REMOTE_CONSOLE = parts.checker(
    object_schema({"remote_console": object_schema(_CONSOLE, *_CONSOLE)}, "remote_console")
)
