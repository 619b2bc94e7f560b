"""``/v3/volumes``: create, list, show, change and remove volumes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, views
from fake_server.block_storage.errors import VolumeNotFound
from fake_server.block_storage.models import copies, encryption, projects, types, volumes
from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
_FILTERS = ("name", "status", "bootable", "availability_zone", "multiattach")
_FLAGS = ("bootable", "multiattach")
_LARGEST = 2**31 - 1


@ROUTES.add("GET", "/volumes")
def list_volumes(ctx: BlockStorageContext) -> Response:
    """List volumes by name."""
    return _listed(ctx, views.summary)


@ROUTES.add("GET", "/volumes/detail")
def list_details(ctx: BlockStorageContext) -> Response:
    """List volumes in detail."""
    return _listed(ctx, views.volume)


@ROUTES.add("POST", "/volumes")
def create(ctx: BlockStorageContext) -> Response:
    """Create a volume."""
    ctx.require_member("volume:create")
    wanted = ctx.body("volume")
    values: dict[str, Any] = {
        "project_id": ctx.project_id,
        "user_id": ctx.user_id,
        "name": ctx.text(wanted, "name"),
        "description": ctx.text(wanted, "description"),
        "availability_zone": ctx.text(wanted, "availability_zone") or volumes.ZONE,
        "metadata": ctx.metadata(wanted.get("metadata")),
    }
    source, snapshot = ctx.text(wanted, "source_volid"), ctx.text(wanted, "snapshot_id")
    values |= {"source_volid": source, "snapshot_id": snapshot}
    origin = None
    if snapshot:
        copied = copies.find(ctx.tx, copies.SNAPSHOTS, snapshot, ctx.visible_project)
        origin = volumes.find(ctx.tx, ctx.clock, copied["volume_id"], None)
        origin["size"] = copied["size"]
    elif source:
        origin = volumes.find(ctx.tx, ctx.clock, source, ctx.visible_project)
    values["size"] = _size(wanted.get("size"), origin)
    name = ctx.text(wanted, "volume_type") or (origin or {}).get("volume_type_id")
    found = types.find(
        ctx.tx, name or projects.default_type(ctx.tx, ctx.project_id), ctx.visible_project
    )
    values["volume_type_id"] = found["id"]
    values["multiattach"] = types.shares(found) or _asked_to_share(ctx, wanted)
    values["encryption_key_id"] = encryption.new_key(found, shared=values["multiattach"])
    image = ctx.text(wanted, "imageRef")
    if image is not None:
        values["bootable"] = True
        values["image_metadata"] = {"image_id": image, "image_name": image}
    elif origin is not None:
        values["bootable"] = origin["bootable"]
        values["image_metadata"] = origin["image_metadata"]
    if ctx.caller is not None:
        projects.check_room(ctx.tx, ctx.project_id, values["size"])
    row = volumes.create(ctx.tx, ctx.clock, ctx.delay, values)
    return encode(202, {"volume": {**views.changed_volume(ctx, row), "status": "creating"}})


@ROUTES.add("GET", "/volumes/summary")
def summarize(ctx: BlockStorageContext) -> Response:
    """Show how many volumes there are, and how large they are."""
    ctx.since(microversions.SUMMARY)
    rows = volumes.fetch(ctx.tx, ctx.clock, ctx.listed_project(), {})
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


@ROUTES.add("GET", "/volumes/{ident}")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show a volume."""
    return encode(200, {"volume": views.volume(ctx, _found(ctx, ident))})


@ROUTES.add("PUT", "/volumes/{ident}")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Rename or describe a volume."""
    ctx.require_member("volume:update")
    row, wanted = _found(ctx, ident), ctx.body("volume")
    changes: dict[str, Any] = {
        name: ctx.text(wanted, name) for name in ("name", "description") if name in wanted
    }
    if "metadata" in wanted:
        changes["metadata"] = ctx.metadata(wanted["metadata"])
    row = volumes.update(ctx.tx, ctx.clock, row, changes)
    return encode(200, {"volume": views.changed_volume(ctx, row)})


@ROUTES.add("DELETE", "/volumes/{ident}")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove a volume."""
    ctx.require_member("volume:delete")
    query = ctx.request.query
    force = bool(parse_boolean(query.get("force")))
    if force:
        ctx.require_admin("volume:force_delete")
    cascade = bool(parse_boolean(query.get("cascade")))
    volumes.delete(ctx.tx, _found(ctx, ident), force=force, cascade=cascade)
    return Response(202)


def _found(ctx: BlockStorageContext, ident: str) -> Record:
    return volumes.find(ctx.tx, ctx.clock, ident, ctx.visible_project)


def _listed(ctx: BlockStorageContext, show_one: Any) -> Response:
    query = ctx.request.query
    match = {
        name: bool(parse_boolean(query[name])) if name in _FLAGS else query[name]
        for name in _FILTERS
        if isinstance(query.get(name), str)
    }
    rows = volumes.fetch(ctx.tx, ctx.clock, ctx.listed_project(), match)
    return ctx.listed(rows, "volumes", partial(show_one, ctx), VolumeNotFound)


def _size(size: Any, origin: Record | None) -> int:
    if size is None and origin is not None:
        return int(origin["size"])
    number = parse_integer(size, minimum=1, maximum=_LARGEST, strict=True)
    if number is None:
        raise BadRequest(f"Volume size '{size}' must be an integer and greater than 0")
    if origin is not None and number < origin["size"]:
        raise BadRequest(
            f"Volume size '{number}' must be equal or greater than that of its source, "
            f"{origin['size']}."
        )
    return number


def _asked_to_share(ctx: BlockStorageContext, wanted: dict[str, Any]) -> bool:
    asked = bool(parse_boolean(wanted.get("multiattach")))
    if asked and ctx.minor >= microversions.MULTIATTACH_BY_TYPE:
        raise BadRequest(
            "multiattach parameter has been removed. The default behavior is to use multiattach "
            "enabled volume types. Contact your administrator to create a multiattach enabled "
            "volume type and use it to create multiattach volumes."
        )
    return asked
