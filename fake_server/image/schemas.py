"""JSON schemas of the Image API, which clients can read."""

from __future__ import annotations

from typing import Any

from fake_server.common.schemas import Checker

DISK_FORMATS = [
    "ami",
    "ari",
    "aki",
    "vhd",
    "vhdx",
    "vmdk",
    "raw",
    "qcow2",
    "vdi",
    "iso",
    "ploop",
]
CONTAINER_FORMATS = ["ami", "ari", "aki", "bare", "ovf", "ova", "docker", "compressed"]
_UUID = "^([0-9a-fA-F]){8}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){12}$"
_TEXT = {"type": "string"}
_TIME = {"type": "string", "description": "Date and time, in UTC"}


def _text_or_null(longest: int, description: str, **more: Any) -> dict[str, Any]:
    return {"type": ["null", "string"], "maxLength": longest, "description": description, **more}


def _shown(properties: dict[str, Any]) -> dict[str, Any]:
    """Return properties that only the service sets."""
    return {name: {**schema, "readOnly": True} for name, schema in properties.items()}


_LARGEST = 2**31 - 1
_AMOUNT = {"type": "integer", "maximum": _LARGEST}
_BYTES = {"type": ["null", "integer"]}
#: What clients set of an image, beside properties of their own.
SETTABLE: dict[str, dict[str, Any]] = {
    "name": _text_or_null(255, "Name of the image"),
    "visibility": {
        "type": "string",
        "description": "Who sees the image",
        "enum": ["community", "public", "private", "shared"],
    },
    "protected": {"type": "boolean", "description": "Whether the image can't be deleted"},
    "os_hidden": {"type": "boolean", "description": "Whether lists leave the image out"},
    "owner": _text_or_null(255, "Project that the image belongs to"),
    "container_format": {
        "type": ["null", "string"],
        "description": "Format of the container",
        "enum": [None, *CONTAINER_FORMATS],
    },
    "disk_format": {
        "type": ["null", "string"],
        "description": "Format of the disk",
        "enum": [None, *DISK_FORMATS],
    },
    "tags": {
        "type": "array",
        "description": "Texts by which images are found",
        "items": {"type": "string", "maxLength": 255},
    },
    "min_ram": {**_AMOUNT, "description": "MiB of memory that the image needs"},
    "min_disk": {**_AMOUNT, "description": "GiB of disk that the image needs"},
}
#: What the service sets.
READ_ONLY: dict[str, dict[str, Any]] = _shown(
    {
        "status": {
            "type": "string",
            "description": "Status of the image",
            "enum": [
                *("queued", "saving", "active", "killed", "deleted", "uploading", "importing"),
                *("pending_delete", "deactivated"),
            ],
        },
        "checksum": _text_or_null(32, "MD5 of what the image holds"),
        "os_hash_algo": _text_or_null(64, "Algorithm of os_hash_value"),
        "os_hash_value": _text_or_null(128, "Digest of what the image holds"),
        "size": {**_BYTES, "description": "Bytes that the image holds"},
        "virtual_size": {**_BYTES, "description": "Bytes of the disk that the image is of"},
        "created_at": _TIME,
        "updated_at": _TIME,
        "direct_url": {**_TEXT, "description": "Where a store keeps the image"},
        "self": {**_TEXT, "description": "Address of the image"},
        "file": {**_TEXT, "description": "Address of what the image holds"},
        "stores": {**_TEXT, "description": "Stores that keep the image"},
        "schema": {**_TEXT, "description": "Address of this schema"},
    }
)
_PROPERTIES = {
    "id": {"type": "string", "description": "Identifier of the image", "pattern": _UUID},
    **SETTABLE,
    **READ_ONLY,
}
_LINKS = [
    {"rel": "self", "href": "{self}"},
    {"rel": "enclosure", "href": "{file}"},
    {"rel": "describedby", "href": "{schema}"},
]
_IMAGE = {
    "name": "image",
    "properties": _PROPERTIES,
    "additionalProperties": _TEXT,
    "links": _LINKS,
}
_MEMBER = {
    "name": "member",
    "properties": {
        "member_id": {"type": "string", "description": "Project that the image is shared with"},
        "image_id": {"type": "string", "description": "Identifier of the image", "pattern": _UUID},
        "created_at": _TIME,
        "updated_at": _TIME,
        "status": {"type": "string", "enum": ["pending", "accepted", "rejected"]},
        "schema": {**_TEXT, "readOnly": True},
    },
}
_TASK = {
    "name": "task",
    "properties": dict.fromkeys(
        (
            *("id", "type", "status", "owner", "expires_at", "created_at", "updated_at", "message"),
            *("self", "schema"),
        ),
        _TEXT,
    ),
}


def list_of(name: str, one: dict[str, Any], *required: str) -> dict[str, Any]:
    """Return the schema of a list."""
    links = dict.fromkeys(("first", "next", "schema"), _TEXT)
    return {
        "name": name,
        "properties": {name: {"type": "array", "items": one}, **links},
        "links": [
            {"rel": "first", "href": "{first}"},
            {"rel": "next", "href": "{next}"},
            {"rel": "describedby", "href": "{schema}"},
        ],
        **({"required": list(required)} if required else {}),
    }


#: By what is behind ``/v2/schemas/``.
SCHEMAS = {
    "image": _IMAGE,
    "images": list_of("images", _IMAGE),
    "member": _MEMBER,
    "members": {
        "name": "members",
        "properties": {"members": {"type": "array", "items": _MEMBER}, "schema": _TEXT},
        "links": [{"rel": "describedby", "href": "{schema}"}],
    },
    "task": _TASK,
    "tasks": list_of("tasks", _TASK),
}
IMAGE = Checker({"type": "object", **_IMAGE}, name="image")
