"""The representation of resources in the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions
from fake_server.block_storage.models import attachments, types, volumes

if TYPE_CHECKING:
    from datetime import datetime

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.db.store import Record


def summary(ctx: BlockStorageContext, volume: Record) -> dict[str, Any]:
    """Return what a plain list shows of a volume."""
    links = ctx.links(f"volumes/{volume['id']}")
    return {"id": volume["id"], "name": volume["name"], "links": links}


def volume(ctx: BlockStorageContext, row: Record) -> dict[str, Any]:
    """Return all of a volume."""
    found = volumes.type_of(ctx.tx, row)
    shown = {
        **summary(ctx, row),
        "status": row["status"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": timestamp(row["created_at"]),
        "updated_at": timestamp(row["updated_at"]),
        "description": row["description"],
        "volume_type": found["name"] if found else None,
        "snapshot_id": row["snapshot_id"],
        "source_volid": row["source_volid"],
        "metadata": {**row["metadata"], **({"readonly": "True"} if row["readonly"] else {})},
        "user_id": row["user_id"],
        "bootable": "true" if row["bootable"] else "false",
        "encrypted": False,
        "replication_status": None,
        "consistencygroup_id": None,
        "multiattach": row["multiattach"],
        "migration_status": None,
        "attachments": [
            _of_volume(attachment)
            for attachment in attachments.fetch(ctx.tx, None, volume_id=row["id"])
            if attachment["status"] == attachments.ATTACHED
        ],
        "os-vol-tenant-attr:tenant_id": row["project_id"],
    }
    if row["image_metadata"]:
        shown["volume_image_metadata"] = row["image_metadata"]
    if ctx.is_admin:
        shown["os-vol-host-attr:host"] = "fake@storage#pool"
        shown["os-vol-mig-status-attr:migstat"] = None
        shown["os-vol-mig-status-attr:name_id"] = None
    return shown


def attachment(row: Record, *, detailed: bool = True) -> dict[str, Any]:
    """Return an attachment."""
    shown = {
        "id": row["id"],
        "status": row["status"],
        "instance": row["instance_uuid"],
        "volume_id": row["volume_id"],
    }
    if detailed:
        shown |= {
            "attached_at": timestamp(row["attached_at"]) or "",
            "detached_at": "",
            "attach_mode": row["attach_mode"],
            "connection_info": row["connection_info"],
        }
    return shown


def volume_type(ctx: BlockStorageContext, row: Record) -> dict[str, Any]:
    """Return a volume type; its extra specs are for administrators."""
    shown = {
        "id": row["id"],
        "name": row["name"],
        "description": row["description"],
        "is_public": row["is_public"],
        "os-volume-type-access:is_public": row["is_public"],
        "qos_specs_id": None,
    }
    if ctx.is_admin or ctx.minor >= microversions.MULTIATTACH_BY_TYPE:
        shown["extra_specs"] = (
            row["extra_specs"]
            if ctx.is_admin
            else {key: row["extra_specs"][key] for key in ("multiattach",) if types.shares(row)}
        )
    return shown


def timestamp(moment: datetime | None) -> str | None:
    """Return a moment as the API shows it."""
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S.%f}"


def _of_volume(row: Record) -> dict[str, Any]:
    return {
        "id": row["volume_id"],
        "attachment_id": row["id"],
        "volume_id": row["volume_id"],
        "server_id": row["instance_uuid"],
        "host_name": row["host_name"],
        "device": row["mountpoint"],
        "attached_at": timestamp(row["attached_at"]),
    }
