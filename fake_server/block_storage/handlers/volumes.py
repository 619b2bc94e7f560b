"""``/v3/volumes``: create, list, show, change and remove volumes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, schemas, views
from fake_server.block_storage.errors import GroupNotFound, InvalidInput, VolumeNotFound
from fake_server.block_storage.models import copies, encryption, projects, types, volumes
from fake_server.block_storage.policies import POLICIES
from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.add("GET", "/volumes", "volume:get_all")
def list_volumes(ctx: BlockStorageContext) -> Response:
    """List volumes by name."""
    return _listed(ctx, views.summary)


@ROUTES.add("GET", "/volumes/detail", "volume:get_all")
def list_details(ctx: BlockStorageContext) -> Response:
    """List volumes in detail."""
    return _listed(ctx, views.volume)


@ROUTES.add("POST", "/volumes", "volume:create", "volume:create_from_image")
def create(ctx: BlockStorageContext) -> Response:
    """Create a volume."""
    wanted = ctx.json(schemas.create_volume(ctx.minor))["volume"]
    asked = wanted.get("volume_type")
    kind = types.named(ctx.tx, asked, ctx.visible_project) if asked else None
    values: dict[str, Any] = {
        "project_id": ctx.project_id,
        "user_id": ctx.user_id,
        "name": None,
        "description": None,
        **schemas.names(wanted),
        "availability_zone": wanted.get("availability_zone") or volumes.ZONE,
        "metadata": wanted.get("metadata") or {},
        "snapshot_id": wanted.get("snapshot_id"),
        "source_volid": wanted.get("source_volid"),
    }
    for group in (wanted.get("consistencygroup_id"), wanted.get("group_id")):
        if group is not None:
            raise GroupNotFound(group)
    origin = _origin(ctx, values["snapshot_id"], values["source_volid"], wanted.get("backup_id"))
    if parse_boolean(wanted.get("multiattach")):
        raise BadRequest(
            "multiattach parameter has been removed. The default behavior is to use multiattach "
            "enabled volume types. Contact your administrator to create a multiattach enabled "
            "volume type and use it to create multiattach volumes."
        )
    values["size"] = _size(wanted.get("size"), origin)
    image = wanted.get("imageRef") or wanted.get("image_id")
    if image:
        ctx.check_image(image)
        ctx.require("volume:create_from_image")
    ctx.require("volume:create")
    ctx.check_project()
    if values["availability_zone"] != volumes.ZONE:
        raise BadRequest(f"Availability zone '{values['availability_zone']}' is invalid.")
    if kind is None:
        default = (origin or {}).get("volume_type_id")
        kind = types.named(ctx.tx, default or projects.default_type(ctx.tx, ctx.project_id))
    values |= {"volume_type_id": kind["id"], "multiattach": types.shares(kind)}
    values["encryption_key_id"] = encryption.new_key(kind, shared=values["multiattach"])
    if image:
        values["bootable"] = True
        values["image_metadata"] = {"image_id": image, "image_name": image}
    elif origin is not None:
        values["bootable"] = origin["bootable"]
        values["image_metadata"] = origin["image_metadata"]
    if ctx.caller is not None:
        projects.check_room(ctx.tx, ctx.project_id, values["size"])
    row = volumes.create(ctx.tx, ctx.clock, ctx.delay(values.get("name") or ""), values)
    return encode(202, {"volume": views.new_volume(ctx, row)})


@ROUTES.add("GET", "/volumes/summary", "volume:get_all")
def summarize(ctx: BlockStorageContext) -> Response:
    """Show how many volumes there are, and how large they are."""
    ctx.since(microversions.SUMMARY)
    ctx.require("volume:get_all")
    rows = volumes.fetch(ctx.tx, ctx.listed_project(), {})
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


@ROUTES.add("GET", "/volumes/{ident}", "volume:get")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show a volume."""
    return encode(200, {"volume": views.volume(ctx, ctx.volume(ident, "volume:get"))})


@ROUTES.add("PUT", "/volumes/{ident}", "volume:update")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Rename or describe a volume."""
    wanted = ctx.json(schemas.update_volume(ctx.minor))["volume"]
    changes = schemas.names(wanted)
    if "metadata" in wanted:
        changes["metadata"] = wanted["metadata"]
    row = volumes.update(ctx.tx, ctx.clock, ctx.volume(ident, "volume:update"), changes)
    return encode(200, {"volume": views.changed_volume(ctx, row)})


@ROUTES.add("DELETE", "/volumes/{ident}", "volume:delete")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove a volume."""
    cascade = ctx.flag("cascade")
    force = ctx.minor >= microversions.FORCE_DELETE and ctx.flag("force")
    row = ctx.volume(ident, "volume:delete")
    if force:
        ctx.require("volume:force_delete", row)
    volumes.delete(ctx.tx, row, force=force, cascade=cascade)
    return Response(202)


def _listed(ctx: BlockStorageContext, show_one: Any) -> Response:
    ctx.require("volume:get_all")
    filters = ctx.filters("volume")
    flag = filters.get("bootable", "false").lower()
    if flag not in ("true", "false", "0", "1") and ctx.minor >= microversions.BOOTABLE:
        raise InvalidInput(f"'bootable = {filters['bootable']}'")
    rows = volumes.fetch(ctx.tx, _listed_project(ctx), filters)
    return ctx.listed(rows, "volumes", partial(show_one, ctx), VolumeNotFound)


def _listed_project(ctx: BlockStorageContext) -> str | None:
    # Unlike its other lists, Cinder gives this one to clients without a project, too.
    return ctx.listed_project() if ctx.is_admin else ctx.project_id


def _origin(
    ctx: BlockStorageContext, snapshot: str | None, source: str | None, backup: str | None
) -> Record | None:
    """Return the volume that a new one is made from, with the size that this one has at least."""
    for kind, ident in ((copies.SNAPSHOTS, snapshot), (copies.BACKUPS, backup)):
        if ident is not None:
            copied = ctx.copy(kind, ident, kind.reading)
            found = volumes.find(ctx.tx, copied["volume_id"], None)
            return {**found, "size": copied["size"]}
    return None if source is None else ctx.named_volume(source, "volume:get")


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
