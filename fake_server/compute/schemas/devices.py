"""JSON schemas of the devices of servers: volumes, other disks and ports."""

from __future__ import annotations

from functools import cache
from typing import Any

from fake_server.common.schemas import Checker, object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.schemas import parts

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


@cache
def attach_volume(minor: int) -> Checker:
    """Return what checks a volume to attach."""
    properties: dict[str, Any] = {"volumeId": parts.UUID, "device": _DEVICE}
    if minor >= versions.ATTACH_TAG:
        properties["tag"] = parts.TAG
    if minor >= versions.DELETE_ON_TERMINATION:
        properties["delete_on_termination"] = parts.BOOLEAN
    if minor >= versions.ATTACH_MODE:
        properties["attach_mode"] = ATTACH_MODE
    return _attachment(properties)


@cache
def change_attachment(minor: int) -> Checker:
    """Return what checks the volume that is to take the place of another; its mode stays."""
    properties: dict[str, Any] = {"volumeId": parts.UUID}
    if minor >= versions.CHANGE_ATTACHMENT:
        properties |= {
            "device": _DEVICE,
            "tag": parts.TAG,
            "delete_on_termination": parts.BOOLEAN,
            "serverId": parts.UUID,
            "id": parts.UUID,
        }
    return _attachment(properties)


@cache
def attach_interface(minor: int) -> Checker:
    """Return what checks a port to attach."""
    properties: dict[str, Any] = {
        "net_id": parts.UUID,
        "port_id": parts.UUID,
        "fixed_ips": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": object_schema({"ip_address": parts.ANY_ADDRESS}, "ip_address"),
        },
    }
    if minor >= versions.ATTACH_TAG:
        properties["tag"] = parts.TAG
    return Checker(object_schema({"interfaceAttachment": object_schema(properties)}))


def networks(minor: int) -> dict[str, Any]:
    """Return the schema of the networks that a server is to be on."""
    strict = minor >= versions.NETWORKS_REQUIRED
    item: dict[str, Any] = {
        "fixed_ip": parts.ANY_ADDRESS,
        "port": {"type": ["string", "null"], "format": "uuid"},
        "uuid": parts.UUID if strict else {"type": "string"},
    }
    first_tags = versions.FIRST_DEVICE_TAGS <= minor < versions.NETWORKS_REQUIRED
    if first_tags or minor >= versions.DEVICE_TAGS:
        item["tag"] = parts.TAG
    listed = {"type": "array", "items": object_schema(item)}
    if not strict:
        return listed
    return {"oneOf": [listed, {"type": "string", "enum": ["none", "auto"]}]}


def legacy_block_device() -> dict[str, Any]:
    """Return the schema of an item of ``block_device_mapping``."""
    return dict(object_schema(_LEGACY_BLOCK_DEVICE))


def block_device(minor: int) -> dict[str, Any]:
    """Return the schema of an item of ``block_device_mapping_v2``."""
    properties: dict[str, Any] = {
        **_LEGACY_BLOCK_DEVICE,
        "source_type": {"type": "string", "enum": ["volume", "image", "snapshot", "blank"]},
        "uuid": {
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[a-zA-Z0-9._-]*$",
        },
        "image_id": parts.UUID,
        "destination_type": {"type": "string", "enum": ["local", "volume"]},
        "guest_format": {"type": "string", "maxLength": 255},
        "device_type": {"type": "string", "maxLength": 255},
        "disk_bus": {"type": "string", "maxLength": 255},
        "boot_index": {"type": ["integer", "string", "null"], "pattern": "^-?[0-9]+$"},
    }
    if minor == versions.FIRST_DEVICE_TAGS or minor >= versions.DEVICE_TAGS:
        properties["tag"] = parts.TAG
    if minor >= versions.BLOCK_DEVICE_TYPE:
        properties["volume_type"] = {"type": ["string", "null"], "minLength": 0, "maxLength": 255}
    if minor >= versions.ATTACH_MODE:
        properties["attach_mode"] = ATTACH_MODE
    return dict(object_schema(properties))


def _attachment(properties: dict[str, Any]) -> Checker:
    item = object_schema(properties, "volumeId")
    return Checker(object_schema({"volumeAttachment": item}, "volumeAttachment"))
