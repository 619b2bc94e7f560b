"""What bodies of requests have to be, by microversion."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..baremetal.schemas import Checker, object_schema
from . import microversions as versions

_NAME = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^\S([\s\S]*\S)?$"}
#: Any name, with blanks around it too.
_LOOSE_NAME = {"type": ["string", "null"], "minLength": 1, "maxLength": 255}
_TEXT = {"type": ["string", "null"], "maxLength": 255, "pattern": r"^[^\x00-\x1f\x7f]*$"}
_TAG = {"type": "string", "minLength": 1, "maxLength": 60, "pattern": "^[^,/]*$"}
_WORDS = {
    True: ("True", "TRUE", "true", "1", "ON", "On", "on", "YES", "Yes", "yes"),
    False: ("False", "FALSE", "false", "0", "OFF", "Off", "off", "NO", "No", "no"),
}
_BOOLEAN = {
    "type": ["boolean", "string"],
    "enum": [True, False, *_WORDS[True], *_WORDS[False]],
}
_LARGEST = 2**31 - 1
_COUNT = {"type": ["integer", "string"], "pattern": "^[0-9]*$", "minimum": 1, "minLength": 1}
_SIZE = {"type": ["integer", "string"], "pattern": "^[0-9]+$", "minimum": 1, "maximum": _LARGEST}
_AMOUNT = {"type": ["integer", "string"], "pattern": "^[0-9]+$", "minimum": 0, "maximum": _LARGEST}
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
_USER_DATA = {"type": "string", "format": "base64", "maxLength": 65535}
_DISK_CONFIG = {"type": "string", "enum": ["AUTO", "MANUAL"]}
_ADDRESSES = {
    "accessIPv4": {"type": "string", "format": "ipv4"},
    "accessIPv6": {"type": "string", "format": "ipv6"},
}
_ANY_ADDRESS = {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}
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
_DESCRIPTION = {**_TEXT, "maxLength": 65535}

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
    imported = minor >= versions.KEYPAIRS_IMPORTED
    letters = r"^[_\-@. a-zA-Z0-9]+$" if imported else r"^[_\- a-zA-Z0-9]+$"
    required = ("name", "public_key") if imported else ("name",)
    properties: dict[str, Any] = {
        "name": {**_NAME, "allOf": [{"pattern": letters}]},
        "public_key": {"type": "string"},
    }
    if minor >= versions.KEYPAIR_TYPE:
        properties["type"] = {"type": "string", "enum": ["ssh", "x509"]}
    if minor >= versions.KEYPAIR_USER:
        properties["user_id"] = {"type": "string"}
    return Checker(object_schema({"keypair": object_schema(properties, *required)}, "keypair"))


@cache
def create_server(minor: int) -> Checker:
    """Return what checks a new server."""
    properties: dict[str, Any] = {
        "name": _NAME,
        "imageRef": {"type": "string", "anyOf": [{"format": "uuid"}, {"maxLength": 0}]},
        "flavorRef": {"type": ["string", "integer"], "minLength": 1},
        "adminPass": {"type": "string"},
        "metadata": _METADATA,
        "networks": _networks(minor),
        "OS-DCF:diskConfig": _DISK_CONFIG,
        **_ADDRESSES,
        "availability_zone": _NAME,
        "block_device_mapping": {"type": "array", "items": _legacy_block_device()},
        "block_device_mapping_v2": {"type": "array", "items": _block_device(minor)},
        "config_drive": _BOOLEAN,
        "key_name": _NAME,
        "min_count": _COUNT,
        "max_count": _COUNT,
        "return_reservation_id": _BOOLEAN,
        "security_groups": {"type": "array", "items": object_schema({"name": _NAME})},
        "user_data": _USER_DATA,
    }
    required = ["name", "flavorRef"]
    if minor < versions.NO_PERSONALITY:
        properties["personality"] = _PERSONALITY
    if minor >= versions.DESCRIPTION:
        properties["description"] = _TEXT
    if minor >= versions.NETWORKS_REQUIRED:
        required.append("networks")
    if minor >= versions.CREATE_TAGS:
        properties["tags"] = {"type": "array", "items": _TAG, "maxItems": 50}
    if minor >= versions.TRUSTED_CERTIFICATES:
        properties["trusted_image_certificates"] = _CERTIFICATES
    if minor >= versions.CREATE_ON_HOST:
        properties |= {"host": _HOST, "hypervisor_hostname": _HOST}
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
def update_server(minor: int) -> Checker:
    """Return what checks the changes of a server."""
    properties: dict[str, Any] = {
        "name": _NAME,
        "OS-DCF:diskConfig": _DISK_CONFIG,
        **_ADDRESSES,
    }
    if minor >= versions.DESCRIPTION:
        properties["description"] = _TEXT
    if minor >= versions.HOSTNAME:
        properties["hostname"] = _hostname(minor)
    if minor >= versions.CHANGE_PINNED_ZONE:
        properties["pinned_availability_zone"] = _LOOSE_NAME
    return Checker(object_schema({"server": object_schema(properties)}, "server"))


@cache
def rebuild(minor: int) -> Checker:
    """Return what checks how a server is to be rebuilt."""
    properties: dict[str, Any] = {
        "name": _NAME,
        "imageRef": _UUID,
        "adminPass": {"type": "string"},
        "metadata": _METADATA,
        "preserve_ephemeral": _BOOLEAN,
        "OS-DCF:diskConfig": _DISK_CONFIG,
        **_ADDRESSES,
    }
    if minor >= versions.DESCRIPTION:
        properties["description"] = _TEXT
    if minor >= versions.REBUILD_KEY:
        properties["key_name"] = _LOOSE_NAME
    if minor < versions.NO_PERSONALITY:
        properties["personality"] = _PERSONALITY
    else:
        properties["user_data"] = {**_USER_DATA, "type": ["string", "null"]}
    if minor >= versions.TRUSTED_CERTIFICATES:
        properties["trusted_image_certificates"] = _CERTIFICATES
    if minor >= versions.HOSTNAME:
        properties["hostname"] = _hostname(minor)
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
        "net_id": _UUID,
        "port_id": _UUID,
        "fixed_ips": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": object_schema({"ip_address": _ANY_ADDRESS}, "ip_address"),
        },
    }
    if minor >= versions.ATTACH_TAG:
        properties["tag"] = _TAG
    return Checker(object_schema({"interfaceAttachment": object_schema(properties)}))


def is_true(value: Any) -> bool:
    """Tell what a value means that may be a boolean or the word for one."""
    return value is True or value in _WORDS[True]


def _hostname(minor: int) -> dict[str, Any]:
    if minor >= versions.LONG_HOSTNAME:
        return dict(_HOST)
    letters = "^[a-zA-Z0-9]+[a-zA-Z0-9-]*[a-zA-Z0-9]+$"
    return {"type": "string", "minLength": 2, "maxLength": 63, "pattern": letters}


def _attachment(properties: dict[str, Any]) -> Checker:
    item = object_schema(properties, "volumeId")
    return Checker(object_schema({"volumeAttachment": item}, "volumeAttachment"))


def _networks(minor: int) -> dict[str, Any]:
    strict = minor >= versions.NETWORKS_REQUIRED
    item: dict[str, Any] = {
        "fixed_ip": _ANY_ADDRESS,
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
        "image_id": _UUID,
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
    "volume_id": _UUID,
    "snapshot_id": _UUID,
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
