"""JSON schemas of the devices of servers: volumes, other disks and ports."""

from __future__ import annotations

from typing import Any

from fake_server.common.microversions import ABSENT, Since
from fake_server.common.schemas import Checker, object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.schemas import parts


def _tag(gone: int) -> Since:
    """Return the schema of a device's tag, which was there first until a version."""
    first = Since(versions.FIRST_DEVICE_TAGS, parts.TAG)
    return Since(versions.DEVICE_TAGS, parts.TAG, before=Since(gone, ABSENT, before=first))


#: As the specification "Volume multiattach enhancements" has it.
ATTACH_MODE = {"type": "string", "enum": ["ro", "rw"]}
_DEVICE = {"type": ["string", "null"], "pattern": "(^/dev/x{0,1}[a-z]{0,1}d{0,1})([a-z]+)[0-9]*$"}
_LEGACY_BLOCK_DEVICE: dict[str, Any] = {
    "virtual_name": {"type": "string", "maxLength": 255},
    "volume_id": parts.UUID,
    "snapshot_id": parts.UUID,
    "volume_size": parts.SIZE,
    "device_name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        "pattern": "^[a-zA-Z0-9._/-]*$",
    },
    "delete_on_termination": parts.BOOLEAN,
    "no_device": {},
    "connection_info": {"type": "string", "maxLength": 16777215},
}
#: An item of ``block_device_mapping``.
LEGACY_BLOCK_DEVICE = object_schema(_LEGACY_BLOCK_DEVICE)
_TEXT = {"type": "string", "maxLength": 255}
_BLOCK_DEVICE: dict[str, Any] = {
    **_LEGACY_BLOCK_DEVICE,
    "source_type": {"type": "string", "enum": ["volume", "image", "snapshot", "blank"]},
    "uuid": {**_TEXT, "minLength": 1, "pattern": "^[a-zA-Z0-9._-]*$"},
    "image_id": parts.UUID,
    "destination_type": {"type": "string", "enum": ["local", "volume"]},
    "guest_format": _TEXT,
    "device_type": _TEXT,
    "disk_bus": _TEXT,
    "boot_index": {"type": ["integer", "string", "null"], "pattern": "^-?[0-9]+$"},
    "tag": _tag(versions.FIRST_DEVICE_TAGS + 1),
    "volume_type": Since(
        versions.BLOCK_DEVICE_TYPE, {"type": ["string", "null"], "minLength": 0, "maxLength": 255}
    ),
    "attach_mode": Since(versions.ATTACH_MODE, ATTACH_MODE),
}
_NETWORK: dict[str, Any] = {
    "fixed_ip": parts.ANY_ADDRESS,
    "port": {"type": ["string", "null"], "format": "uuid"},
    "uuid": Since(versions.NETWORKS_REQUIRED, parts.UUID, before={"type": "string"}),
    "tag": _tag(versions.NETWORKS_REQUIRED),
}
_INTERFACE: dict[str, Any] = {
    "net_id": parts.UUID,
    "port_id": parts.UUID,
    "fixed_ips": {
        "type": "array",
        "minItems": 1,
        "maxItems": 1,
        "items": object_schema({"ip_address": parts.ANY_ADDRESS}, "ip_address"),
    },
    "tag": Since(versions.ATTACH_TAG, parts.TAG),
}
_ATTACHED: dict[str, Any] = {
    "volumeId": parts.UUID,
    "device": _DEVICE,
    "tag": Since(versions.ATTACH_TAG, parts.TAG),
    "delete_on_termination": Since(versions.DELETE_ON_TERMINATION, parts.BOOLEAN),
    "attach_mode": Since(versions.ATTACH_MODE, ATTACH_MODE),
}
_CHANGED: dict[str, Any] = {
    "volumeId": parts.UUID,
    "device": Since(versions.CHANGE_ATTACHMENT, _DEVICE),
    "tag": Since(versions.CHANGE_ATTACHMENT, parts.TAG),
    "delete_on_termination": Since(versions.CHANGE_ATTACHMENT, parts.BOOLEAN),
    "serverId": Since(versions.CHANGE_ATTACHMENT, parts.UUID),
    "id": Since(versions.CHANGE_ATTACHMENT, parts.UUID),
}


def _attachment(properties: dict[str, Any]) -> Checker:
    item = object_schema(properties, "volumeId")
    return parts.checker(object_schema({"volumeAttachment": item}, "volumeAttachment"))


ATTACH_VOLUME = _attachment(_ATTACHED)
#: The volume that is to take the place of another; its mode stays.
CHANGE_ATTACHMENT = _attachment(_CHANGED)
ATTACH_INTERFACE = parts.checker(object_schema({"interfaceAttachment": object_schema(_INTERFACE)}))
_LISTED = {"type": "array", "items": object_schema(_NETWORK)}
#: The networks that a server is to be on.
NETWORKS = Since(
    versions.NETWORKS_REQUIRED,
    {"oneOf": [_LISTED, {"type": "string", "enum": ["none", "auto"]}]},
    before=_LISTED,
)
#: An item of ``block_device_mapping_v2``.
BLOCK_DEVICE = object_schema(_BLOCK_DEVICE)
