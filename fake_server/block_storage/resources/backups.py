"""``/v3/backups``: volumes kept elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, schemas
from fake_server.block_storage.errors import InvalidVolume, explaining
from fake_server.block_storage.models import copies, projects, types, volumes
from fake_server.block_storage.resources.cinder_resource import Copies, linked
from fake_server.common.errors import BadRequest
from fake_server.common.microversions import Since
from fake_server.common.parsing import parse_boolean
from fake_server.common.resources.declaration import Field, Level, always, both
from fake_server.common.rest import encode
from fake_server.common.schemas import Checker, object_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record

_ADMINISTERING = "volume_extension:backup_admin_actions"
_PROJECT = "backup:backup_project_attribute"
_RESTORED = {"name": schemas.OPTIONAL_TEXT, "volume_id": schemas.UUID_OR_NULL}
_RESTORE = Checker(
    object_schema({"restore": {**object_schema(_RESTORED), "type": ["object", "null"]}}, "restore")
)


def _created_at(ctx: BlockStorageContext, row: Mapping[str, Any]) -> Any:
    return row["created_at"]


class Backups(Copies):
    """Backups."""

    name = "backup"
    rows = copies.BACKUPS
    policies = {
        "list": "backup:get_all",
        "create": "backup:create",
        "show": "backup:get",
        "update": "backup:update",
        "delete": "backup:delete",
    }
    reading = "backup:get"
    filters = ("name", "status", "volume_id")
    answered = Level.SUMMARY
    computed = ("has_dependent_backups",)
    added = {"update": microversions.BACKUP_UPDATE}
    fields = {
        "id": Field(Level.SUMMARY),
        "name": both(schemas.OPTIONAL_TEXT, Level.SUMMARY),
        "links": Field(Level.SUMMARY, of=lambda ctx, row: linked(ctx, "backups", row)),
        "description": both(schemas.DESCRIPTION),
        "volume_id": Field(create=schemas.UUID, required=True),
        "container": Field(create=schemas.OPTIONAL_TEXT),
        "incremental": Field(Level.HIDDEN, create=schemas.BOOLEAN),
        "force": Field(Level.HIDDEN, create=schemas.BOOLEAN),
        "snapshot_id": Field(create=schemas.UUID_OR_NULL),
        "metadata": Field(
            create=schemas.METADATA_OR_NULL,
            update=schemas.METADATA,
            since=microversions.BACKUP_METADATA,
        ),
        "availability_zone": Field(
            create=Since(microversions.BACKUP_ZONE, schemas.OPTIONAL_TEXT), of=always(volumes.ZONE)
        ),
        **dict.fromkeys(("status", "size", "is_incremental", "created_at", "updated_at"), Field()),
        "object_count": Field(of=always(0)),
        "fail_reason": Field(of=always(None)),
        "has_dependent_backups": Field(),
        "data_timestamp": Field(of=_created_at),
        "os-backup-project-attr:project_id": Field(
            since=microversions.BACKUP_PROJECT,
            sees=_PROJECT,
            of=lambda ctx, row: row["project_id"],
        ),
        "user_id": Field(since=microversions.BACKUP_USER, sees=_PROJECT),
    }
    more_of_body = {"update": {"type": ["object", "null"]}}
    actions = Copies.administered(copies.BACKUPS, _ADMINISTERING, "backup_status")

    def completed(self, ctx: BlockStorageContext, row: Record, level: Level) -> Record:
        """Return a backup with whether others depend on it."""
        if level is Level.SUMMARY:
            return row
        return {**row, "has_dependent_backups": bool(_dependent(ctx, row))}

    def make(self, ctx: BlockStorageContext, wanted: Mapping[str, Any]) -> Record:
        """Back a volume up."""
        volume = ctx.kinds["volume"].found(ctx, wanted["volume_id"], "backup:create")
        snapshot = wanted.get("snapshot_id")
        if snapshot:
            ctx.kinds["snapshot"].found(ctx, snapshot, None)
        if ctx.caller is not None:
            projects.check_room(ctx.tx, ctx.project_id, volume["size"], "backups")
        incremental = bool(parse_boolean(wanted.get("incremental")))
        parents = self.rows.fetch(ctx.tx, volume_id=volume["id"])
        if incremental and not parents:
            raise BadRequest("Invalid backup: No backups available to do an incremental backup.")
        in_use = bool(snapshot) or bool(parse_boolean(wanted.get("force")))
        copies.check_backup(volume, in_use=in_use)
        values = {
            **self.values(ctx, wanted),
            "is_incremental": incremental,
            "parent_id": parents[0]["id"] if incremental else None,
        }
        return copies.create(ctx.tx, ctx.clock, self.rows, volume, values)

    def remove(self, ctx: BlockStorageContext, row: Record) -> None:
        """Remove a backup on which no other depends."""
        if _dependent(ctx, row):
            raise BadRequest("Invalid backup: Incremental backups exist for this backup.")
        super().remove(ctx, row)

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add the restoring of volumes."""
        routes.add("POST", "/backups/{ident}/restore", "backup:restore")(self.restore)

    def restore(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Fill a volume, a new one by default, with what was backed up."""
        wanted = ctx.json(_RESTORE)["restore"] or {}
        row = self.found(ctx, ident, "backup:restore")
        if wanted.get("volume_id"):
            volume = ctx.kinds["volume"].found(ctx, wanted["volume_id"], "volume:get")
            if volume["status"] != copies.AVAILABLE or volume["size"] < row["size"]:
                raise InvalidVolume(
                    "Volume to be restored to must be available, and not smaller than the backup "
                    f"({row['size']} GiB)."
                )
        else:
            volume = _new_volume(ctx, row, wanted.get("name"))
        body = {"backup_id": row["id"], "volume_id": volume["id"], "volume_name": volume["name"]}
        return encode(202, {"restore": body})


def _dependent(ctx: BlockStorageContext, row: Record) -> list[Record]:
    return copies.BACKUPS.fetch(ctx.tx, parent_id=row["id"])


def _new_volume(ctx: BlockStorageContext, row: Record, name: str | None) -> Record:
    with explaining(projects.OVER_GIGABYTES, projects.OVER_VOLUMES):
        projects.check_room(ctx.tx, ctx.project_id, row["size"])
    name = name or f"restore_backup_{row['id']}"
    kind = types.ROWS.named(ctx.tx, projects.default_type(ctx.tx, ctx.project_id))
    values = {"project_id": ctx.project_id, "user_id": ctx.user_id, "size": row["size"]}
    values |= {"name": name, "volume_type_id": kind["id"]}
    return volumes.create(ctx.tx, ctx.clock, ctx.delay(name), values)
