"""The representation of resources in the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from fake_server.block_storage import microversions
from fake_server.block_storage.models import attachments, copies, volumes
from fake_server.common.microversions import Since, at

if TYPE_CHECKING:
    from datetime import datetime

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.db.store import Record


#: Extra specs that all see.
_INSENSITIVE = ("RESKEY:availability_zones", "multiattach", "replication_enabled")
#: Where volumes are, and the process that keeps them.
POOL = "fake@storage#pool"
SERVICE = str(uuid5(NAMESPACE_URL, f"fake:{POOL}"))
#: What newer versions show of all volumes.
_LATER = {
    "group_id": Since(microversions.GROUPS, None),
    "shared_targets": Since(microversions.SHARED_TARGETS, True),
    "service_uuid": Since(microversions.SHARED_TARGETS, SERVICE),
    "consumes_quota": Since(microversions.CONSUMES_QUOTA, True),
}
_LATER_FOR_ADMINISTRATORS = {
    "provider_id": Since(microversions.PROVIDER_ID, None),
    "cluster_name": Since(microversions.CLUSTER_NAME, None),
}


def summary(ctx: BlockStorageContext, volume: Record) -> dict[str, Any]:
    """Return what a plain list shows of a volume."""
    links = ctx.links(f"volumes/{volume['id']}")
    return {"id": volume["id"], "name": volume["name"], "links": links}


def volume(ctx: BlockStorageContext, row: Record) -> dict[str, Any]:
    """Return all of a volume, as requests for it show it."""
    shown = changed_volume(ctx, row)
    if ctx.may("volume_extension:volume_tenant_attribute"):
        shown["os-vol-tenant-attr:tenant_id"] = row["project_id"]
    if row["image_metadata"] and ctx.may("volume_extension:volume_image_metadata:show"):
        shown["volume_image_metadata"] = row["image_metadata"]
    if ctx.may("volume_extension:volume_host_attribute"):
        shown["os-vol-host-attr:host"] = POOL
    if ctx.may("volume_extension:volume_mig_status_attribute"):
        shown["os-vol-mig-status-attr:migstat"] = None
        shown["os-vol-mig-status-attr:name_id"] = None
    return shown


def new_volume(ctx: BlockStorageContext, row: Record) -> dict[str, Any]:
    """Return a volume that is about to be created somewhere."""
    shown = {**changed_volume(ctx, row), "status": "creating", "updated_at": None}
    return {**shown, "service_uuid": None} if "service_uuid" in shown else shown


def changed_volume(ctx: BlockStorageContext, row: Record) -> dict[str, Any]:
    """Return a volume as requests that create or change it show it."""
    found = volumes.type_of(ctx.tx, row)
    states = {"volume_id": row["id"], "status": attachments.ATTACHED}
    used = attachments.fetch(ctx.tx, None, **states)
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
        "metadata": {**row["metadata"], **_flags(row, used)},
        "user_id": row["user_id"],
        "bootable": "true" if row["bootable"] else "false",
        "encrypted": row["encryption_key_id"] is not None,
        "replication_status": None,
        "consistencygroup_id": None,
        "multiattach": row["multiattach"],
        "attachments": [_of_volume(ctx, one) for one in used],
        **at(ctx.minor, _LATER),
    }
    if ctx.is_admin:
        shown["migration_status"] = None
        shown |= at(ctx.minor, _LATER_FOR_ADMINISTRATORS)
    if ctx.minor >= microversions.TYPE_ID:
        shown["volume_type_id"] = row["volume_type_id"]
    if ctx.minor >= microversions.KEY_ID and row["encryption_key_id"]:
        shown["encryption_key_id"] = row["encryption_key_id"]
    return shown


def _flags(row: Record, used: list[Record]) -> dict[str, str]:
    """Return what metadata shows of a volume beside its own."""
    flags = {} if row["readonly"] is None else {"readonly": str(row["readonly"])}
    # The actions of volumes, unlike attachments, leave the mode there.
    modes = [one["attach_mode"] for one in used if not one["connection_info"]]
    return {**flags, **({"attached_mode": modes[-1]} if modes else {})}


def listed_snapshot(_ctx: BlockStorageContext, row: Record, **_options: Any) -> dict[str, Any]:
    """Return what a plain list shows of a snapshot."""
    names = ("id", "name", "description", "volume_id", "status", "size", "metadata")
    return {
        **{name: row[name] for name in names},
        "created_at": timestamp(row["created_at"]),
        "updated_at": timestamp(row["updated_at"]),
    }


def snapshot(ctx: BlockStorageContext, row: Record, *, detailed: bool = False) -> dict[str, Any]:
    """Return a snapshot."""
    shown = listed_snapshot(ctx, row)
    if detailed and ctx.may("volume_extension:extended_snapshot_attributes"):
        shown["os-extended-snapshot-attributes:project_id"] = row["project_id"]
        shown["os-extended-snapshot-attributes:progress"] = "100%"
    if ctx.minor >= microversions.GROUP_SNAPSHOTS:
        shown["group_snapshot_id"] = None
    if ctx.minor >= microversions.SNAPSHOT_USER:
        shown["user_id"] = row["user_id"]
    if ctx.minor >= microversions.CONSUMES_QUOTA:
        shown["consumes_quota"] = True
    return shown


def new_snapshot(ctx: BlockStorageContext, row: Record) -> dict[str, Any]:
    """Return a snapshot that is about to be made."""
    return {**snapshot(ctx, row), "status": "creating", "updated_at": None}


def backup(ctx: BlockStorageContext, row: Record, *, detailed: bool = True) -> dict[str, Any]:
    """Return a backup."""
    shown = {"id": row["id"], "name": row["name"], "links": ctx.links(f"backups/{row['id']}")}
    if not detailed:
        return shown
    names = ("status", "size", "volume_id", "container", "description", "is_incremental")
    shown |= {
        **{name: row[name] for name in names},
        "object_count": 0,
        "availability_zone": volumes.ZONE,
        "created_at": timestamp(row["created_at"]),
        "updated_at": timestamp(row["updated_at"]),
        "fail_reason": None,
        "has_dependent_backups": bool(
            copies.fetch(ctx.tx, copies.BACKUPS, None, {"parent_id": row["id"]})
        ),
        "snapshot_id": row["snapshot_id"],
        "data_timestamp": timestamp(row["created_at"]),
    }
    sees_project = ctx.may("backup:backup_project_attribute")
    if ctx.minor >= microversions.BACKUP_PROJECT and sees_project:
        shown["os-backup-project-attr:project_id"] = row["project_id"]
    if ctx.minor >= microversions.BACKUP_METADATA:
        shown["metadata"] = row["metadata"]
    if ctx.minor >= microversions.BACKUP_USER and sees_project:
        shown["user_id"] = row["user_id"]
    return shown


def transfer(ctx: BlockStorageContext, row: Record, *, detailed: bool) -> dict[str, Any]:
    """Return a transfer, without its key."""
    shown = {name: row[name] for name in ("id", "volume_id", "name")}
    shown["links"] = ctx.links(f"os-volume-transfer/{row['id']}")
    if detailed:
        shown["created_at"] = timestamp(row["created_at"])
        if ctx.minor >= microversions.TRANSFERS:
            shown["no_snapshots"] = row["no_snapshots"]
        if ctx.minor >= microversions.TRANSFER_HISTORY:
            shown |= {"source_project_id": row["project_id"], "destination_project_id": None}
            shown["accepted"] = False
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


def volume_type(ctx: BlockStorageContext, row: Record, *, short: bool = False) -> dict[str, Any]:
    """Return a volume type, as requests for it show it."""
    shown = changed_volume_type(ctx, row, short=short)
    if ctx.may("volume_extension:access_types_qos_specs_id"):
        shown["qos_specs_id"] = row["qos_specs_id"]
    return shown


def changed_volume_type(
    ctx: BlockStorageContext, row: Record, *, short: bool = False
) -> dict[str, Any]:
    """Return a volume type as requests that create or change it show it."""
    shown = {name: row[name] for name in ("id", "name", "description", "is_public")}
    if ctx.may("volume_extension:access_types_extra_specs"):
        shown["extra_specs"] = extra_specs(ctx, row)
    if not short and ctx.may("volume_extension:volume_type_access"):
        shown["os-volume-type-access:is_public"] = row["is_public"]
    return shown


def extra_specs(ctx: BlockStorageContext, row: Record) -> dict[str, str]:
    """Return the extra specs of a type that the client sees."""
    specs: dict[str, str] = row["extra_specs"]
    if ctx.may("volume_extension:types_extra_specs:read_sensitive"):
        return specs
    return {key: specs[key] for key in _INSENSITIVE if key in specs}


def timestamp(moment: datetime | None) -> str | None:
    """Return a moment as the API shows it."""
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S.%f}"


def _of_volume(ctx: BlockStorageContext, row: Record) -> dict[str, Any]:
    return {
        "id": row["volume_id"],
        "attachment_id": row["id"],
        "volume_id": row["volume_id"],
        "server_id": row["instance_uuid"],
        "host_name": row["host_name"] if ctx.is_admin else None,
        "device": row["mountpoint"],
        "attached_at": timestamp(row["attached_at"]),
    }
