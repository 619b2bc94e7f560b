"""The representation of images and members in the API."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from fake_server.db.store import Record

MOMENTS = ("created_at", "updated_at")
#: How long Glance says that it keeps a task after its end.
_KEPT = timedelta(hours=48)
#: The columns of an image that are shown as they are.
COLUMNS = (
    *("name", "disk_format", "container_format", "visibility", "size", "virtual_size", "status"),
    *("checksum", "protected", "min_ram", "min_disk", "owner", "os_hidden", "os_hash_algo"),
    *("os_hash_value", "id", "tags"),
)


def image(row: Record) -> dict[str, Any]:
    """Return an image."""
    return {
        **row["properties"],
        **{name: row[name] for name in COLUMNS},
        "created_at": timestamp(row["created_at"]),
        "updated_at": timestamp(row["updated_at"]),
        "self": f"/v2/images/{row['id']}",
        "file": f"/v2/images/{row['id']}/file",
        "schema": "/v2/schemas/image",
        **({"stores": ",".join(row["stores"])} if row["stores"] else {}),
    }


def member(row: Record) -> dict[str, Any]:
    """Return a member of an image."""
    return {
        **{name: row[name] for name in ("member_id", "image_id", "status")},
        "created_at": timestamp(row["created_at"]),
        "updated_at": timestamp(row["updated_at"]),
        "schema": "/v2/schemas/member",
    }


def task(row: Record) -> dict[str, Any]:
    """Return an import of an image."""
    names = ("id", "status", "owner", "image_id", "request_id", "user_id", "input", "message")
    is_over, ended = row["status"] != "processing", row["updated_at"]
    return {
        **{name: row[name] for name in names},
        **{name: f"{row[name]:%Y-%m-%dT%H:%M:%S.%f}" for name in MOMENTS},
        "expires_at": f"{ended + _KEPT:%Y-%m-%dT%H:%M:%S.%f}" if is_over else None,
        "result": {"image_id": row["image_id"]} if row["status"] == "success" else None,
        "deleted_at": None,
        "deleted": False,
        "type": "api_image_import",
    }


def timestamp(moment: datetime) -> str:
    """Return a moment as the API shows it."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def namespace(row: Record) -> dict[str, Any]:
    """Return a namespace of metadata definitions, without what is in it."""
    names = ("namespace", "display_name", "description", "visibility", "protected", "owner")
    return {
        **{name: row[name] for name in names if row[name] is not None},
        **_moments(row),
        "schema": "/v2/schemas/metadefs/namespace",
        "self": f"/v2/metadefs/namespaces/{row['namespace']}",
    }


def definition(row: Record) -> dict[str, Any]:
    """Return a metadata definition as it was given."""
    return {"name": row["name"], **row["body"], **_moments(row)}


def object_address(namespace: Record, row: Record) -> dict[str, str]:
    """Return the addresses of an object of metadata definitions and of its schema."""
    return {
        "schema": "/v2/schemas/metadefs/object",
        "self": f"/v2/metadefs/namespaces/{namespace['namespace']}/objects/{row['name']}",
    }


def metadef_object(namespace: Record, row: Record, prefix: str = "") -> dict[str, Any]:
    """Return an object of metadata definitions, whose properties' names begin with a prefix."""
    body = row["body"]
    return {
        **definition(row),
        **object_address(namespace, row),
        "required": [f"{prefix}{name}" for name in body.get("required", ())],
        "properties": {f"{prefix}{name}": one for name, one in body.get("properties", {}).items()},
    }


def _moments(row: Record) -> dict[str, str]:
    return {name: timestamp(row[name]) for name in MOMENTS}
