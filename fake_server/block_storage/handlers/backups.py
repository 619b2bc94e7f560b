"""``/v3/backups``: volumes kept elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.block_storage import microversions, schemas, views
from fake_server.block_storage.errors import InvalidVolume, explaining
from fake_server.block_storage.handlers.copies import act_on, listed
from fake_server.block_storage.models import copies, projects, types, volumes
from fake_server.block_storage.policies import POLICIES
from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_POLICIES = {
    name: f"volume_extension:backup_admin_actions:{name.removeprefix('os-')}"
    for name in schemas.BACKUP_ACTIONS
}


@ROUTES.add("GET", "/backups", "backup:get_all")
def list_backups(ctx: BlockStorageContext) -> Response:
    """List backups in short."""
    return listed(ctx, copies.BACKUPS, views.backup, detailed=False)


@ROUTES.add("GET", "/backups/detail", "backup:get_all")
def list_details(ctx: BlockStorageContext) -> Response:
    """List backups in detail."""
    return listed(ctx, copies.BACKUPS, views.backup, detailed=True)


@ROUTES.add("POST", "/backups", "backup:create")
def create(ctx: BlockStorageContext) -> Response:
    """Back a volume up."""
    wanted = ctx.json(schemas.create_backup(ctx.minor))["backup"]
    volume = ctx.volume(wanted["volume_id"], "backup:create")
    snapshot = wanted.get("snapshot_id")
    if snapshot:
        ctx.copy(copies.SNAPSHOTS, snapshot, "volume:get_snapshot")
    if ctx.caller is not None:
        projects.check_room(ctx.tx, ctx.project_id, volume["size"], "backups")
    incremental = bool(parse_boolean(wanted.get("incremental")))
    parents = copies.fetch(ctx.tx, copies.BACKUPS, None, {"volume_id": volume["id"]})
    if incremental and not parents:
        raise BadRequest("Invalid backup: No backups available to do an incremental backup.")
    values = {
        "project_id": ctx.project_id,
        "user_id": ctx.user_id,
        "name": wanted.get("name"),
        "description": wanted.get("description"),
        "metadata": wanted.get("metadata") or {},
        "container": wanted.get("container"),
        "snapshot_id": snapshot,
        "is_incremental": incremental,
        "parent_id": parents[0]["id"] if incremental else None,
    }
    in_use = bool(snapshot) or bool(parse_boolean(wanted.get("force")))
    copies.check_backup(volume, in_use=in_use)
    row = copies.create(ctx.tx, ctx.clock, copies.BACKUPS, volume, values)
    return encode(202, {"backup": views.backup(ctx, row, detailed=False)})


@ROUTES.add("GET", "/backups/{ident}", "backup:get")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show a backup."""
    return encode(200, {"backup": views.backup(ctx, ctx.copy(copies.BACKUPS, ident, "backup:get"))})


@ROUTES.add("PUT", "/backups/{ident}", "backup:update")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Rename or describe a backup."""
    ctx.since(microversions.BACKUP_UPDATE)
    changes = ctx.json(schemas.update_backup(ctx.minor))["backup"] or {}
    row = ctx.copy(copies.BACKUPS, ident, "backup:update")
    row = copies.update(ctx.tx, ctx.clock, copies.BACKUPS, row, changes)
    return encode(200, {"backup": views.backup(ctx, row, detailed=False)})


@ROUTES.add("DELETE", "/backups/{ident}", "backup:delete")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove a backup."""
    row = ctx.copy(copies.BACKUPS, ident, "backup:delete")
    if copies.fetch(ctx.tx, copies.BACKUPS, None, {"parent_id": row["id"]}):
        raise BadRequest("Invalid backup: Incremental backups exist for this backup.")
    copies.delete(ctx.tx, copies.BACKUPS, row)
    return Response(202)


@ROUTES.add("POST", "/backups/{ident}/restore", "backup:restore")
def restore(ctx: BlockStorageContext, ident: str) -> Response:
    """Fill a volume, a new one by default, with what was backed up."""
    wanted = ctx.json(schemas.RESTORE)["restore"] or {}
    row = ctx.copy(copies.BACKUPS, ident, "backup:restore")
    if wanted.get("volume_id"):
        volume = ctx.volume(wanted["volume_id"], "volume:get")
        if volume["status"] != copies.AVAILABLE or volume["size"] < row["size"]:
            raise InvalidVolume(
                "Volume to be restored to must be available, and not smaller than the backup "
                f"({row['size']} GiB)."
            )
    else:
        with explaining(projects.OVER_GIGABYTES, projects.OVER_VOLUMES):
            projects.check_room(ctx.tx, ctx.project_id, row["size"])
        name = wanted.get("name") or f"restore_backup_{row['id']}"
        kind = types.named(ctx.tx, projects.default_type(ctx.tx, ctx.project_id))
        values = {"project_id": ctx.project_id, "user_id": ctx.user_id, "size": row["size"]}
        values |= {"name": name, "volume_type_id": kind["id"]}
        volume = volumes.create(ctx.tx, ctx.clock, ctx.delay(name), values)
    body = {"backup_id": row["id"], "volume_id": volume["id"], "volume_name": volume["name"]}
    return encode(202, {"restore": body})


@ROUTES.add("POST", "/backups/{ident}/action", *_POLICIES.values())
def act(ctx: BlockStorageContext, ident: str) -> Response:
    """Set the status of a backup, or remove it in any status."""
    return act_on(ctx, copies.BACKUPS, ident, schemas.BACKUP_ACTIONS, _POLICIES)
