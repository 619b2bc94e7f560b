"""The representation of images and members in the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from fake_server.db.store import Record

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
        "created_at": _timestamp(row["created_at"]),
        "updated_at": _timestamp(row["updated_at"]),
        "self": f"/v2/images/{row['id']}",
        "file": f"/v2/images/{row['id']}/file",
        "schema": "/v2/schemas/image",
    }


def member(row: Record) -> dict[str, Any]:
    """Return a member of an image."""
    return {
        **{name: row[name] for name in ("member_id", "image_id", "status")},
        "created_at": _timestamp(row["created_at"]),
        "updated_at": _timestamp(row["updated_at"]),
        "schema": "/v2/schemas/member",
    }


def _timestamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
