"""``/v3/backups``: volumes kept elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, views
from fake_server.block_storage.errors import InvalidVolume
from fake_server.block_storage.handlers.copies import administer, listed
from fake_server.block_storage.models import copies, volumes
from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/backups")
def list_backups(ctx: BlockStorageContext) -> Response:
    """List backups in short."""
    return listed(ctx, copies.BACKUPS, views.backup, detailed=False)


@ROUTES.add("GET", "/backups/detail")
def list_details(ctx: BlockStorageContext) -> Response:
    """List backups in detail."""
    return listed(ctx, copies.BACKUPS, views.backup, detailed=True)


@ROUTES.add("POST", "/backups")
def create(ctx: BlockStorageContext) -> Response:
    """Back a volume up."""
    ctx.require_member("backup:create")
    wanted = ctx.body("backup")
    ident = ctx.text(wanted, "volume_id", required=True) or ""
    volume = volumes.find(ctx.tx, ctx.clock, ident, ctx.visible_project)
    snapshot = ctx.text(wanted, "snapshot_id")
    if snapshot:
        copies.find(ctx.tx, copies.SNAPSHOTS, snapshot, ctx.visible_project)
    incremental = bool(parse_boolean(wanted.get("incremental")))
    if incremental and not _of(ctx, volume):
        raise BadRequest("Invalid backup: No backups available to do an incremental backup.")
    values = {
        "project_id": ctx.project_id,
        "user_id": ctx.user_id,
        "name": ctx.text(wanted, "name"),
        "description": ctx.text(wanted, "description"),
        "metadata": ctx.metadata(wanted.get("metadata")),
        "container": ctx.text(wanted, "container") or "volumebackups",
        "snapshot_id": snapshot,
        "is_incremental": incremental,
    }
    in_use = bool(snapshot) or bool(parse_boolean(wanted.get("force")))
    row = copies.create(ctx.tx, ctx.clock, copies.BACKUPS, volume, values, in_use=in_use)
    return encode(202, {"backup": views.backup(ctx, row, detailed=False)})


@ROUTES.add("GET", "/backups/{ident}")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show a backup."""
    return encode(200, {"backup": views.backup(ctx, _found(ctx, ident))})


@ROUTES.add("PUT", "/backups/{ident}")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Rename or describe a backup."""
    ctx.require_member("backup:update")
    row, wanted = _found(ctx, ident), ctx.body("backup")
    changes: dict[str, Any] = {
        name: ctx.text(wanted, name) for name in ("name", "description") if name in wanted
    }
    if "metadata" in wanted and ctx.minor >= microversions.BACKUP_METADATA:
        changes["metadata"] = ctx.metadata(wanted["metadata"])
    row = copies.update(ctx.tx, ctx.clock, copies.BACKUPS, row, changes)
    return encode(200, {"backup": views.backup(ctx, row, detailed=False)})


@ROUTES.add("DELETE", "/backups/{ident}")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove a backup."""
    ctx.require_member("backup:delete")
    copies.delete(ctx.tx, copies.BACKUPS, _found(ctx, ident))
    return Response(202)


@ROUTES.add("POST", "/backups/{ident}/restore")
def restore(ctx: BlockStorageContext, ident: str) -> Response:
    """Fill a volume, a new one by default, with what was backed up."""
    ctx.require_member("backup:restore")
    row, wanted = _found(ctx, ident), ctx.body("restore")
    target = ctx.text(wanted, "volume_id")
    if target:
        volume = volumes.find(ctx.tx, ctx.clock, target, ctx.visible_project)
        if volume["status"] != copies.AVAILABLE or volume["size"] < row["size"]:
            raise InvalidVolume(
                "Volume to be restored to must be available, and not smaller than the backup "
                f"({row['size']} GiB)."
            )
    else:
        name = ctx.text(wanted, "name") or f"restore_backup_{row['id']}"
        values = {"project_id": ctx.project_id, "user_id": ctx.user_id, "size": row["size"]}
        volume = volumes.create(ctx.tx, ctx.clock, ctx.delay, {**values, "name": name})
    body = {"backup_id": row["id"], "volume_id": volume["id"], "volume_name": volume["name"]}
    return encode(202, {"restore": body})


@ROUTES.add("POST", "/backups/{ident}/action")
def act(ctx: BlockStorageContext, ident: str) -> Response:
    """Set the status of a backup, or remove it in any status."""
    ctx.require_admin("volume_extension:backup_admin_actions:reset_status")
    row, body = _found(ctx, ident), decode(ctx.request)
    return administer(ctx, copies.BACKUPS, row, body, (copies.AVAILABLE, "error"))


def _found(ctx: BlockStorageContext, ident: str) -> Record:
    return copies.find(ctx.tx, copies.BACKUPS, ident, ctx.visible_project)


def _of(ctx: BlockStorageContext, volume: Record) -> list[Record]:
    return copies.fetch(ctx.tx, copies.BACKUPS, None, {"volume_id": volume["id"]})
