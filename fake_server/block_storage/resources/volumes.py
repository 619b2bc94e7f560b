"""``/v3/volumes``: volumes with their metadata and encryption."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from fake_server.block_storage import microversions, schemas
from fake_server.block_storage.errors import GroupNotFound
from fake_server.block_storage.models import (
    attachments,
    encryption,
    projects,
    types,
    volumes,
)
from fake_server.block_storage.models.filters import matching
from fake_server.block_storage.resources.cinder_resource import CinderResource, linked
from fake_server.block_storage.resources.volume_actions import ACTIONS
from fake_server.block_storage.resources.volume_encryption import Encryption
from fake_server.common.dialects.cinder import InvalidInput
from fake_server.common.errors import BadRequest
from fake_server.common.microversions import ABSENT
from fake_server.common.parsing import parse_boolean
from fake_server.common.resources.declaration import Field, Level, always, both
from fake_server.common.resources.key_values import KeyValues
from fake_server.common.rest import encode
from fake_server.common.schemas import object_schema
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record

_NOT_SET = Level.HIDDEN
_UUIDS = {
    "oneOf": [schemas.UUID, {"type": "array", "items": schemas.UUID, "uniqueItems": True}],
}
_HINTS = {
    "type": ["object", "null"],
    "properties": {
        "local_to_instance": schemas.UUID_OR_NULL,
        **dict.fromkeys(("different_host", "same_host"), _UUIDS),
        "query": {"type": ["string", "object"]},
    },
}
#: Where volumes are, and the process that keeps them.
POOL = "fake@storage#pool"
_SERVICE = str(uuid5(NAMESPACE_URL, f"fake:{POOL}"))


def _metadata(ctx: BlockStorageContext, row: Mapping[str, Any]) -> dict[str, str]:
    """Return the metadata of a volume with its flags."""
    shown = dict(row["metadata"])
    if row["readonly"] is not None:
        shown["readonly"] = str(row["readonly"])
    # The actions of volumes, unlike attachments, leave the mode there.
    modes = [one["attach_mode"] for one in row["used"] if not one["connection_info"]]
    return {**shown, **({"attached_mode": modes[-1]} if modes else {})}


def _attachments(ctx: BlockStorageContext, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "id": one["volume_id"],
            "attachment_id": one["id"],
            "volume_id": one["volume_id"],
            "server_id": one["instance_uuid"],
            "host_name": one["host_name"] if ctx.is_admin else None,
            "device": one["mountpoint"],
            "attached_at": one["attached_at"] and ctx.dialect.moment(one["attached_at"]),
        }
        for one in row["used"]
    ]


def _of_administrators(ctx: BlockStorageContext, row: Mapping[str, Any]) -> Any:
    return None if ctx.is_admin else ABSENT


class Volumes(CinderResource):
    """Volumes."""

    name = "volume"
    rows = volumes.ROWS
    detailed = True
    policies = {
        "list": "volume:get_all",
        "create": ("volume:create", "volume:create_from_image"),
        "show": "volume:get",
        "update": "volume:update",
        "delete": "volume:delete",
    }
    reading = "volume:get"
    filters = (
        *("name", "status", "metadata", "bootable", "migration_status", "availability_zone"),
        *("group_id", "size", "created_at", "updated_at", "consumes_quota"),
    )
    computed = ("volume_type",)
    fields = {
        "id": Field(Level.SUMMARY),
        "name": both(schemas.SHORT_NAME, Level.SUMMARY),
        "display_name": both(schemas.SHORT_NAME, _NOT_SET),
        "links": Field(Level.SUMMARY, of=lambda ctx, row: linked(ctx, "volumes", row)),
        "status": Field(),
        "size": Field(create={**schemas.SIZE, "type": ["integer", "string", "null"]}),
        "availability_zone": Field(create={**schemas.FULL_TEXT, "type": ["string", "null"]}),
        "created_at": Field(),
        "updated_at": Field(),
        "description": both(schemas.SHORT_DESCRIPTION),
        "display_description": both(schemas.SHORT_DESCRIPTION, _NOT_SET),
        "volume_type": Field(create=schemas.OPTIONAL_TEXT),
        "snapshot_id": Field(create=schemas.UUID_OR_NULL),
        "source_volid": Field(create=schemas.UUID_OR_NULL),
        "metadata": Field(create=schemas.METADATA_OR_NULL, update=schemas.METADATA, of=_metadata),
        "user_id": Field(),
        "bootable": Field(of=lambda ctx, row: "true" if row["bootable"] else "false"),
        "encrypted": Field(of=lambda ctx, row: row["encryption_key_id"] is not None),
        "replication_status": Field(of=always(None)),
        "consistencygroup_id": Field(create=schemas.UUID_OR_NULL, of=always(None)),
        "multiattach": Field(create={"oneOf": [{"type": "null"}, schemas.BOOLEAN]}),
        "attachments": Field(of=_attachments),
        "group_id": Field(
            create=schemas.OPTIONAL_TEXT, since=microversions.GROUPS, of=always(None)
        ),
        "shared_targets": Field(since=microversions.SHARED_TARGETS, of=always(True)),
        "service_uuid": Field(since=microversions.SHARED_TARGETS, of=always(_SERVICE)),
        "consumes_quota": Field(since=microversions.CONSUMES_QUOTA, of=always(True)),
        "migration_status": Field(of=_of_administrators),
        "provider_id": Field(since=microversions.PROVIDER_ID, of=_of_administrators),
        "cluster_name": Field(since=microversions.CLUSTER_NAME, of=_of_administrators),
        "volume_type_id": Field(since=microversions.TYPE_ID),
        "encryption_key_id": Field(
            since=microversions.KEY_ID, of=lambda ctx, row: row["encryption_key_id"] or ABSENT
        ),
        "image_id": Field(_NOT_SET, create=schemas.OPTIONAL_TEXT),
        "imageRef": Field(_NOT_SET, create=schemas.OPTIONAL_TEXT),
        "backup_id": Field(
            _NOT_SET, create=schemas.UUID_OR_NULL, since=microversions.VOLUME_FROM_BACKUP
        ),
        "os-vol-tenant-attr:tenant_id": Field(
            Level.DETAIL,
            sees="volume_extension:volume_tenant_attribute",
            of=lambda ctx, row: row["project_id"],
        ),
        "volume_image_metadata": Field(
            Level.DETAIL,
            sees="volume_extension:volume_image_metadata:show",
            of=lambda ctx, row: row["image_metadata"] or ABSENT,
        ),
        "os-vol-host-attr:host": Field(
            Level.DETAIL, sees="volume_extension:volume_host_attribute", of=always(POOL)
        ),
        **dict.fromkeys(
            ("os-vol-mig-status-attr:migstat", "os-vol-mig-status-attr:name_id"),
            Field(
                Level.DETAIL, sees="volume_extension:volume_mig_status_attribute", of=always(None)
            ),
        ),
    }
    actions = ACTIONS
    parts = (
        KeyValues(
            "metadata",
            {
                "list": "volume:get_volume_metadata",
                "add": "volume:create_volume_metadata",
                "replace": "volume:update_volume_metadata",
                "show": "volume:get_volume_metadata",
                "set": "volume:update_volume_metadata",
                "remove": "volume:delete_volume_metadata",
            },
            schemas.METADATA,
            "Volume {id} has no metadata with key {key}.",
            item="meta",
            removal_reads=True,
        ),
        Encryption(),
    )

    @classmethod
    def schema(cls, operation: str, minor: int) -> Schema:
        """Return the schema of a volume, which is stricter in newer versions."""
        found, strict = super().schema(operation, minor), minor >= microversions.STRICT_VOLUMES
        if operation == "create":
            return {**found, "additionalProperties": not strict}
        return {**found, **schemas.some_of(*found["properties"])} if strict else found

    @classmethod
    def whole_schema(cls, operation: str, schema: Schema) -> Schema:
        """Return the schema of a body, which may have hints for the scheduler."""
        if operation == "update":
            return super().whole_schema(operation, schema)
        return object_schema({"volume": schema, "OS-SCH-HNT:scheduler_hints": _HINTS}, "volume")

    def listed(self, ctx: BlockStorageContext) -> list[Record]:
        """Return the volumes that a list shows."""
        filters = ctx.filters(self.filters)
        flag = filters.get("bootable", "false").lower()
        if flag not in ("true", "false", "0", "1") and ctx.minor >= microversions.BOOTABLE:
            raise InvalidInput(f"'bootable = {filters['bootable']}'")
        # Unlike its other lists, Cinder gives this one to clients without a project, too.
        project = ctx.listed_project() if ctx.is_admin else ctx.project_id
        return matching(volumes.ROWS.fetch(ctx.tx, project), filters)

    def completed(self, ctx: BlockStorageContext, row: Record, level: Level) -> Record:
        """Return a volume with the name of its type and its attachments."""
        if level is Level.SUMMARY:
            return row
        found = volumes.type_of(ctx.tx, row)
        states = {"volume_id": row["id"], "status": attachments.ATTACHED}
        used = attachments.ROWS.fetch(ctx.tx, **states)
        return {**row, "volume_type": found["name"] if found else None, "used": used}

    def permit(self, ctx: BlockStorageContext, operation: str) -> None:
        """Ask who may list volumes; who may create one is asked when it is known how."""
        if operation != "create":
            super().permit(ctx, operation)

    def make(self, ctx: BlockStorageContext, wanted: Mapping[str, Any]) -> Record:
        """Create a volume."""
        asked = wanted.get("volume_type")
        kind = types.ROWS.named(ctx.tx, asked, ctx.visible_project) if asked else None
        for group in (wanted.get("consistencygroup_id"), wanted.get("group_id")):
            if group is not None:
                raise GroupNotFound(group)
        origin = self._origin(ctx, wanted)
        if parse_boolean(wanted.get("multiattach")):
            raise BadRequest(
                "multiattach parameter has been removed. The default behavior is to use "
                "multiattach enabled volume types. Contact your administrator to create a "
                "multiattach enabled volume type and use it to create multiattach volumes."
            )
        size = _size(wanted.get("size"), origin)
        image = wanted.get("imageRef") or wanted.get("image_id")
        if image:
            ctx.check_image(image)
            ctx.require("volume:create_from_image")
        ctx.require("volume:create")
        ctx.check_project()
        zone = wanted.get("availability_zone") or volumes.ZONE
        if zone != volumes.ZONE:
            raise BadRequest(f"Availability zone '{zone}' is invalid.")
        if kind is None:
            default = (origin or {}).get("volume_type_id")
            name = default or projects.default_type(ctx.tx, ctx.project_id)
            kind = types.ROWS.named(ctx.tx, name)
        shared = types.shares(kind)
        values = {
            "project_id": ctx.project_id,
            "user_id": ctx.user_id,
            "name": wanted.get("name"),
            "description": wanted.get("description"),
            "metadata": wanted.get("metadata") or {},
            "snapshot_id": wanted.get("snapshot_id"),
            "source_volid": wanted.get("source_volid"),
            "size": size,
            "volume_type_id": kind["id"],
            "multiattach": shared,
            "encryption_key_id": encryption.new_key(kind, shared=shared),
        }
        if image:
            values["bootable"] = True
            values["image_metadata"] = {"image_id": image, "image_name": image}
        elif origin is not None:
            values["bootable"] = origin["bootable"]
            values["image_metadata"] = origin["image_metadata"]
        if ctx.caller is not None:
            projects.check_room(ctx.tx, ctx.project_id, size)
        return volumes.create(ctx.tx, ctx.clock, ctx.delay(values["name"] or ""), values)

    def delete(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Remove a volume."""
        cascade = ctx.flag("cascade")
        force = ctx.minor >= microversions.FORCE_DELETE and ctx.flag("force")
        row = self.found(ctx, ident, "volume:delete")
        if force:
            ctx.require("volume:force_delete", row)
        volumes.delete(ctx.tx, row, force=force, cascade=cascade)
        return Response(self.status("delete"))

    def answer(self, ctx: BlockStorageContext, operation: str, row: Record) -> Response:
        """Return the answer; a new volume is shown as one that is about to be created somewhere."""
        if operation != "create":
            return super().answer(ctx, operation, row)
        shown = self.shown(ctx, row, self.answered)
        changes = {"status": "creating", "updated_at": None, "service_uuid": None}
        shown |= {name: value for name, value in changes.items() if name in shown}
        return encode(self.status(operation), {"volume": shown})

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add the summary of volumes."""
        routes.asking("GET", "/volumes/summary", "volume:get_all", microversions.SUMMARY)(
            self.summarize
        )

    def summarize(self, ctx: BlockStorageContext) -> Response:
        """Show how many volumes there are, and how large they are."""
        rows = volumes.ROWS.fetch(ctx.tx, ctx.listed_project())
        found: dict[str, Any] = {
            "total_size": sum(row["size"] for row in rows),
            "total_count": len(rows),
        }
        if ctx.minor >= microversions.SUMMARY_METADATA:
            values: dict[str, set[str]] = {}
            for row in rows:
                for name, text in row["metadata"].items():
                    values.setdefault(name, set()).add(text)
            found["metadata"] = {name: sorted(texts) for name, texts in values.items()}
        return encode(200, {"volume-summary": found})

    def _origin(self, ctx: BlockStorageContext, wanted: Mapping[str, Any]) -> Record | None:
        """Return the volume that a new one is made from, with the size that it has at least."""
        for kind, name in (("snapshot", "snapshot_id"), ("backup", "backup_id")):
            if wanted.get(name) is not None:
                copied = ctx.kinds[kind].found(ctx, wanted[name], None)
                return {**volumes.ROWS.find(ctx.tx, copied["volume_id"]), "size": copied["size"]}
        source = wanted.get("source_volid")
        return None if source is None else self.found(ctx, source, "volume:get", unread=True)


def _size(size: Any, origin: Record | None) -> int:
    if size is None and origin is None:
        raise BadRequest("Volume size 'None' must be an integer and greater than 0")
    if origin is None:
        return int(size)
    if size is not None and int(size) < origin["size"]:
        raise InvalidInput(
            f"Volume size '{size}'GB cannot be smaller than original volume size  "
            f"{origin['size']}GB. They must be >= original volume size."
        )
    return int(origin["size"] if size is None else size)
