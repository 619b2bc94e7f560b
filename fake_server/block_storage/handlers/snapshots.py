"""``/v3/snapshots``: copies of volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, views
from fake_server.block_storage.handlers.copies import administer, listed
from fake_server.block_storage.models import copies, projects, volumes
from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
_STATUSES = ("creating", "available", "deleting", "error", "error_deleting")


@ROUTES.add("GET", "/snapshots")
def list_snapshots(ctx: BlockStorageContext) -> Response:
    """List snapshots in short."""
    return listed(ctx, copies.SNAPSHOTS, views.snapshot, detailed=False)


@ROUTES.add("GET", "/snapshots/detail")
def list_details(ctx: BlockStorageContext) -> Response:
    """List snapshots in detail."""
    return listed(ctx, copies.SNAPSHOTS, views.snapshot, detailed=True)


@ROUTES.add("POST", "/snapshots")
def create(ctx: BlockStorageContext) -> Response:
    """Make a snapshot of a volume."""
    ctx.require_member("volume:create_snapshot")
    wanted = ctx.body("snapshot")
    ident = str(ctx.text(wanted, "volume_id"))
    volume = volumes.find(ctx.tx, ctx.clock, ident, ctx.visible_project)
    values = {
        "project_id": ctx.project_id,
        "user_id": ctx.user_id,
        "name": ctx.text(wanted, "name"),
        "description": ctx.text(wanted, "description"),
        "metadata": ctx.metadata(wanted.get("metadata")),
    }
    in_use = bool(parse_boolean(wanted.get("force")))
    if ctx.minor >= microversions.SNAPSHOT_IN_USE:
        if "force" in wanted and not in_use:
            raise BadRequest(
                "Invalid value specified: force. Since version "
                f"3.{microversions.SNAPSHOT_IN_USE} snapshots of volumes in use are always allowed."
            )
        in_use = True
    if ctx.caller is not None:
        projects.check_room(ctx.tx, ctx.project_id, volume["size"], "snapshots")
    row = copies.create(ctx.tx, ctx.clock, copies.SNAPSHOTS, volume, values, in_use=in_use)
    return encode(202, {"snapshot": {**views.snapshot(ctx, row), "status": "creating"}})


@ROUTES.add("GET", "/snapshots/{ident}")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show a snapshot."""
    return encode(200, {"snapshot": views.snapshot(ctx, _found(ctx, ident), detailed=True)})


@ROUTES.add("PUT", "/snapshots/{ident}")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Rename or describe a snapshot."""
    ctx.require_member("volume:update_snapshot")
    row, wanted = _found(ctx, ident), ctx.body("snapshot")
    changes: dict[str, Any] = {
        name: ctx.text(wanted, name) for name in ("name", "description") if name in wanted
    }
    return encode(200, {"snapshot": views.snapshot(ctx, _changed(ctx, row, changes))})


@ROUTES.add("DELETE", "/snapshots/{ident}")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove a snapshot."""
    ctx.require_member("volume:delete_snapshot")
    copies.delete(ctx.tx, copies.SNAPSHOTS, _found(ctx, ident))
    return Response(202)


@ROUTES.add("POST", "/snapshots/{ident}/action")
def act(ctx: BlockStorageContext, ident: str) -> Response:
    """Set the status of a snapshot, or remove it in any status."""
    row, body = _found(ctx, ident), decode(ctx.request)
    if isinstance(body.get("os-update_snapshot_status"), dict):
        ctx.require_member("snapshot_extension:snapshot_actions:update_snapshot_status")
        status = ctx.text(body["os-update_snapshot_status"], "status", required=True)
        _changed(ctx, row, {"status": status})
        return Response(202)
    ctx.require_admin("volume_extension:snapshot_admin_actions:reset_status")
    return administer(ctx, copies.SNAPSHOTS, row, body, _STATUSES)


def _found(ctx: BlockStorageContext, ident: str) -> Record:
    return copies.find(ctx.tx, copies.SNAPSHOTS, ident, ctx.visible_project)


def _changed(ctx: BlockStorageContext, row: Record, changes: dict[str, Any]) -> Record:
    return copies.update(ctx.tx, ctx.clock, copies.SNAPSHOTS, row, changes)
