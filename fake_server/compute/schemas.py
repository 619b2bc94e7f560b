"""What bodies of requests have to be, by microversion."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..baremetal.schemas import Checker, object_schema
from . import microversions as versions

_NAME = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^\S(.*\S)?$"}
_TEXT = {"type": ["string", "null"], "maxLength": 255}
_TAG = {"type": "string", "minLength": 1, "maxLength": 60, "pattern": "^[^,/]*$"}
_BOOLEAN = {
    "enum": [True, False, "true", "false", "True", "False", "1", "0", "on", "off", "yes", "no"]
}
_COUNT = {"type": ["integer", "string"], "pattern": "^[0-9]*$", "minimum": 1, "minLength": 1}
_SIZE = {"type": ["integer", "string"], "pattern": "^[0-9]+$", "minimum": 1, "minLength": 1}
_AMOUNT = {"type": ["integer", "string"], "pattern": "^[0-9]*$", "minimum": 0, "minLength": 1}
_UUID = {"type": "string", "format": "uuid"}
_METADATA = {
    "type": "object",
    "patternProperties": {"^[a-zA-Z0-9-_:. ]{1,255}$": {"type": "string", "maxLength": 255}},
    "additionalProperties": False,
}
_DEVICE = {"type": ["string", "null"], "pattern": "(^/dev/x{0,1}[a-z]{0,1}d{0,1})([a-z]+)[0-9]*$"}
_HOST = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[a-zA-Z0-9-._]*$"}
#: As the specification "Volume multiattach enhancements" has it.
ATTACH_MODE = {"type": "string", "enum": ["ro", "rw"]}
_USER_DATA = {"type": ["string", "null"], "maxLength": 65535}
_DISK_CONFIG = {"type": "string", "enum": ["AUTO", "MANUAL"]}
_ADDRESS = {"type": ["string", "null"], "maxLength": 45}

_FLAVOR = {
    "name": _NAME,
    "id": {
        "type": ["string", "number", "null"],
        "minLength": 1,
        "maxLength": 255,
        "pattern": "^(?! )[a-zA-Z0-9. _-]+(?<! )$",
    },
    "ram": _SIZE,
    "vcpus": _SIZE,
    "disk": _AMOUNT,
    "OS-FLV-EXT-DATA:ephemeral": _AMOUNT,
    "swap": _AMOUNT,
    "os-flavor-access:is_public": _BOOLEAN,
}
_DESCRIPTION = {"type": ["string", "null"], "maxLength": 65535}

EXTRA_SPECS = Checker(
    object_schema(
        {
            "extra_specs": {
                "type": "object",
                "patternProperties": {
                    "^[a-zA-Z0-9-_:. ]{1,255}$": {
                        "type": ["string", "number", "boolean"],
                        "maxLength": 255,
                    }
                },
                "additionalProperties": False,
            }
        },
        "extra_specs",
    )
)
UPDATE_FLAVOR = Checker(
    object_schema({"flavor": object_schema({"description": _DESCRIPTION}, "description")}, "flavor")
)
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
_TENANT = object_schema({"tenant": {"type": "string", "minLength": 1}}, "tenant")
CHANGE_ACCESS = Checker(
    {
        **object_schema({"addTenantAccess": _TENANT, "removeTenantAccess": _TENANT}),
        "minProperties": 1,
        "maxProperties": 1,
    }
)


@cache
def create_flavor(minor: int) -> Checker:
    """Return what checks a new flavor."""
    properties = dict(_FLAVOR)
    if minor < versions.SLIM_FLAVORS:
        properties["rxtx_factor"] = {
            "type": ["number", "string"],
            "pattern": r"^[0-9]+(\.[0-9]+)?$",
        }
    if minor >= versions.FLAVOR_DESCRIPTION:
        properties["description"] = _DESCRIPTION
    return Checker(
        object_schema(
            {"flavor": object_schema(properties, "name", "ram", "vcpus", "disk")}, "flavor"
        )
    )


@cache
def create_keypair(minor: int) -> Checker:
    """Return what checks a new key pair."""
    properties: dict[str, Any] = {"name": _NAME, "public_key": {"type": "string"}}
    if minor >= versions.KEYPAIR_TYPE:
        properties["type"] = {"type": "string", "enum": ["ssh", "x509"]}
    if minor >= versions.KEYPAIR_USER:
        properties["user_id"] = {"type": "string", "minLength": 1, "maxLength": 255}
    return Checker(object_schema({"keypair": object_schema(properties, "name")}, "keypair"))


@cache
def create_server(minor: int) -> Checker:
    """Return what checks a new server."""
    properties: dict[str, Any] = {
        "name": _NAME,
        "imageRef": {"type": "string", "maxLength": 255},
        "flavorRef": {"type": ["string", "integer"], "minLength": 1},
        "adminPass": {"type": "string"},
        "metadata": _METADATA,
        "networks": _networks(minor),
        "OS-DCF:diskConfig": _DISK_CONFIG,
        "accessIPv4": _ADDRESS,
        "accessIPv6": _ADDRESS,
        "availability_zone": _NAME,
        "block_device_mapping": {"type": "array", "items": _legacy_block_device()},
        "block_device_mapping_v2": {"type": "array", "items": _block_device(minor)},
        "config_drive": _BOOLEAN,
        "key_name": _NAME,
        "min_count": _COUNT,
        "max_count": _COUNT,
        "return_reservation_id": _BOOLEAN,
        "security_groups": {"type": "array", "items": object_schema({"name": _NAME})},
        "user_data": {"type": "string", "maxLength": 65535},
    }
    required = ["name", "flavorRef"]
    if minor < versions.NO_PERSONALITY:
        properties["personality"] = {"type": "array", "items": {"type": "object"}}
    if minor >= versions.DESCRIPTION:
        properties["description"] = _TEXT
    if minor >= versions.NETWORKS_REQUIRED:
        required.append("networks")
    if minor >= versions.CREATE_TAGS:
        properties["tags"] = {"type": "array", "items": _TAG, "maxItems": 50}
    if minor >= versions.TRUSTED_CERTIFICATES:
        properties["trusted_image_certificates"] = {
            "type": ["array", "null"],
            "minItems": 1,
            "maxItems": 50,
            "uniqueItems": True,
            "items": {"type": "string", "minLength": 1},
        }
    if minor >= versions.CREATE_ON_HOST:
        properties |= {"host": _HOST, "hypervisor_hostname": _HOST}
    if minor >= versions.HOSTNAME:
        properties["hostname"] = _HOST
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
def update_server(minor: int) -> Checker:
    """Return what checks the changes of a server."""
    properties: dict[str, Any] = {
        "name": _NAME,
        "OS-DCF:diskConfig": _DISK_CONFIG,
        "accessIPv4": _ADDRESS,
        "accessIPv6": _ADDRESS,
    }
    if minor >= versions.DESCRIPTION:
        properties["description"] = _TEXT
    if minor >= versions.HOSTNAME:
        properties["hostname"] = _HOST
    return Checker(object_schema({"server": object_schema(properties)}, "server"))


@cache
def rebuild(minor: int) -> Checker:
    """Return what checks how a server is to be rebuilt."""
    properties: dict[str, Any] = {
        "name": _NAME,
        "imageRef": {"type": "string", "maxLength": 255},
        "adminPass": {"type": "string"},
        "metadata": _METADATA,
        "preserve_ephemeral": _BOOLEAN,
        "OS-DCF:diskConfig": _DISK_CONFIG,
        "accessIPv4": _ADDRESS,
        "accessIPv6": _ADDRESS,
    }
    if minor >= versions.DESCRIPTION:
        properties["description"] = _TEXT
    if minor >= versions.REBUILD_KEY:
        properties["key_name"] = {**_NAME, "type": ["string", "null"]}
    if minor >= versions.NO_PERSONALITY:
        properties["user_data"] = _USER_DATA
    if minor >= versions.TRUSTED_CERTIFICATES:
        properties["trusted_image_certificates"] = {"type": ["array", "null"]}
    if minor >= versions.HOSTNAME:
        properties["hostname"] = _HOST
    return Checker(object_schema({"rebuild": object_schema(properties, "imageRef")}, "rebuild"))


@cache
def attach_volume(minor: int) -> Checker:
    """Return what checks a volume to attach."""
    properties: dict[str, Any] = {"volumeId": _UUID, "device": _DEVICE}
    if minor >= versions.ATTACH_TAG:
        properties["tag"] = _TAG
    if minor >= versions.DELETE_ON_TERMINATION:
        properties["delete_on_termination"] = _BOOLEAN
    if minor >= versions.ATTACH_MODE:
        properties["attach_mode"] = ATTACH_MODE
    return _attachment(properties)


@cache
def change_attachment(minor: int) -> Checker:
    """Return what checks the volume that is to take the place of another; its mode stays."""
    properties: dict[str, Any] = {"volumeId": _UUID}
    if minor >= versions.CHANGE_ATTACHMENT:
        properties |= {
            "device": _DEVICE,
            "tag": _TAG,
            "delete_on_termination": _BOOLEAN,
            "serverId": _UUID,
            "id": _UUID,
        }
    return _attachment(properties)


@cache
def attach_interface(minor: int) -> Checker:
    """Return what checks a port to attach."""
    properties: dict[str, Any] = {
        "net_id": {"type": "string"},
        "port_id": _UUID,
        "fixed_ips": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": object_schema({"ip_address": {"type": "string"}}, "ip_address"),
        },
    }
    if minor >= versions.ATTACH_TAG:
        properties["tag"] = _TAG
    return Checker(object_schema({"interfaceAttachment": object_schema(properties)}))


def is_true(value: Any) -> bool:
    """Tell what a value means that may be a boolean or the word for one."""
    return value in (True, "true", "True", "1", "on", "yes")


def _attachment(properties: dict[str, Any]) -> Checker:
    item = object_schema(properties, "volumeId")
    return Checker(object_schema({"volumeAttachment": item}, "volumeAttachment"))


def _networks(minor: int) -> dict[str, Any]:
    strict = minor >= versions.NETWORKS_REQUIRED
    item: dict[str, Any] = {
        "fixed_ip": {"type": "string", "maxLength": 45},
        "port": {"type": ["string", "null"], "format": "uuid"},
        "uuid": _UUID if strict else {"type": "string"},
    }
    first_tags = versions.FIRST_DEVICE_TAGS <= minor < versions.NETWORKS_REQUIRED
    if first_tags or minor >= versions.DEVICE_TAGS:
        item["tag"] = _TAG
    listed = {"type": "array", "items": object_schema(item)}
    if not strict:
        return listed
    return {"oneOf": [listed, {"type": "string", "enum": ["none", "auto"]}]}


def _legacy_block_device() -> dict[str, Any]:
    return dict(object_schema(_LEGACY_BLOCK_DEVICE))


def _block_device(minor: int) -> dict[str, Any]:
    properties: dict[str, Any] = {
        **_LEGACY_BLOCK_DEVICE,
        "source_type": {"type": "string", "enum": ["volume", "image", "snapshot", "blank"]},
        "uuid": {
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[a-zA-Z0-9._-]*$",
        },
        "image_id": {"type": "string"},
        "destination_type": {"type": "string", "enum": ["local", "volume"]},
        "guest_format": {"type": "string", "maxLength": 255},
        "device_type": {"type": "string", "maxLength": 255},
        "disk_bus": {"type": "string", "maxLength": 255},
        "boot_index": {"type": ["integer", "string", "null"], "pattern": "^-?[0-9]+$"},
    }
    if minor == versions.FIRST_DEVICE_TAGS or minor >= versions.DEVICE_TAGS:
        properties["tag"] = _TAG
    if minor >= versions.BLOCK_DEVICE_TYPE:
        properties["volume_type"] = {"type": ["string", "null"], "minLength": 0, "maxLength": 255}
    if minor >= versions.ATTACH_MODE:
        properties["attach_mode"] = ATTACH_MODE
    return dict(object_schema(properties))


_LEGACY_BLOCK_DEVICE: dict[str, Any] = {
    "virtual_name": {"type": "string", "maxLength": 255},
    "volume_id": {"type": "string", "minLength": 1},
    "snapshot_id": {"type": "string"},
    "volume_size": _SIZE,
    "device_name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        "pattern": "^[a-zA-Z0-9._/-]*$",
    },
    "delete_on_termination": _BOOLEAN,
    "no_device": {},
    "connection_info": {"type": "string", "maxLength": 16777215},
}
