"""``/v3/snapshots``: copies of volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.block_storage import microversions, schemas, views
from fake_server.block_storage.handlers.copies import act_on, listed
from fake_server.block_storage.models import copies, projects
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
    "os-reset_status": "volume_extension:snapshot_admin_actions:reset_status",
    "os-force_delete": "volume_extension:snapshot_admin_actions:force_delete",
    "os-update_snapshot_status": "snapshot_extension:snapshot_actions:update_snapshot_status",
}


@ROUTES.add("GET", "/snapshots", "volume:get_all_snapshots")
def list_snapshots(ctx: BlockStorageContext) -> Response:
    """List snapshots in short."""
    return listed(ctx, copies.SNAPSHOTS, views.listed_snapshot, detailed=False)


@ROUTES.add("GET", "/snapshots/detail", "volume:get_all_snapshots")
def list_details(ctx: BlockStorageContext) -> Response:
    """List snapshots in detail."""
    return listed(ctx, copies.SNAPSHOTS, views.snapshot, detailed=True)


@ROUTES.add("POST", "/snapshots", "volume:create_snapshot")
def create(ctx: BlockStorageContext) -> Response:
    """Make a snapshot of a volume."""
    wanted = ctx.json(schemas.CREATE_SNAPSHOT)["snapshot"]
    in_use = bool(parse_boolean(wanted.get("force")))
    if ctx.minor >= microversions.SNAPSHOT_IN_USE:
        if "force" in wanted and not in_use:
            raise BadRequest(
                f"Since microversion 3.{microversions.SNAPSHOT_IN_USE} the 'force' flag is invalid "
                "for this request.  For backward compatability, however, when the 'force' flag is "
                "passed with a value evaluating to True, it is silently ignored."
            )
        in_use = True
    volume = ctx.volume(str(wanted["volume_id"]), "volume:create_snapshot")
    values = {
        "project_id": ctx.project_id,
        "user_id": ctx.user_id,
        "name": None,
        "description": None,
        **schemas.names(wanted),
        "metadata": wanted.get("metadata") or {},
    }
    if ctx.caller is not None:
        projects.check_room(ctx.tx, ctx.project_id, volume["size"], "snapshots")
    copies.check_snapshot(volume, in_use=in_use)
    row = copies.create(ctx.tx, ctx.clock, copies.SNAPSHOTS, volume, values)
    return encode(202, {"snapshot": views.new_snapshot(ctx, row)})


@ROUTES.add("GET", "/snapshots/{ident}", "volume:get_snapshot")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show a snapshot."""
    row = ctx.copy(copies.SNAPSHOTS, ident, "volume:get_snapshot")
    return encode(200, {"snapshot": views.snapshot(ctx, row, detailed=True)})


@ROUTES.add("PUT", "/snapshots/{ident}", "volume:update_snapshot")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Rename or describe a snapshot."""
    changes = schemas.names(ctx.json(schemas.UPDATE_SNAPSHOT)["snapshot"])
    row = ctx.copy(copies.SNAPSHOTS, ident, "volume:update_snapshot")
    row = copies.update(ctx.tx, ctx.clock, copies.SNAPSHOTS, row, changes)
    return encode(200, {"snapshot": views.snapshot(ctx, row)})


@ROUTES.add("DELETE", "/snapshots/{ident}", "volume:delete_snapshot")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Remove a snapshot."""
    row = ctx.copy(copies.SNAPSHOTS, ident, "volume:delete_snapshot")
    copies.delete(ctx.tx, copies.SNAPSHOTS, row)
    return Response(202)


@ROUTES.add("POST", "/snapshots/{ident}/action", *_POLICIES.values())
def act(ctx: BlockStorageContext, ident: str) -> Response:
    """Set the status of a snapshot, or remove it in any status."""
    return act_on(ctx, copies.SNAPSHOTS, ident, schemas.SNAPSHOT_ACTIONS, _POLICIES)
