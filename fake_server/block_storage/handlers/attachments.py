"""``/v3/attachments``: volumes at servers, since version 3.27."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, views
from fake_server.block_storage.models import attachments, volumes
from fake_server.common.errors import BadRequest
from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
#: Columns by the arguments that lists can be narrowed by.
_FILTERS = {
    "volume_id": "volume_id",
    "instance_id": "instance_uuid",
    "instance_uuid": "instance_uuid",
    "status": "status",
    "attach_status": "status",
}


@ROUTES.add("GET", "/attachments")
def list_attachments(ctx: BlockStorageContext) -> Response:
    """List attachments in short."""
    return _listed(ctx, detailed=False)


@ROUTES.add("GET", "/attachments/detail")
def list_details(ctx: BlockStorageContext) -> Response:
    """List attachments in detail."""
    return _listed(ctx, detailed=True)


@ROUTES.add("POST", "/attachments")
def create(ctx: BlockStorageContext) -> Response:
    """Reserve a volume, and connect it where the connector is known."""
    ctx.since(microversions.ATTACHMENTS)
    ctx.require_member("volume:attachment_create")
    wanted = ctx.body("attachment")
    ident = ctx.text(wanted, "volume_uuid", required=True) or ""
    volume = volumes.find(ctx.tx, ctx.clock, ident, ctx.visible_project)
    row = attachments.create(
        ctx.tx,
        ctx.clock,
        volume,
        ctx.text(wanted, "instance_uuid"),
        _connector(wanted, required=False),
        _mode(ctx, wanted),
    )
    return encode(200, {"attachment": views.attachment(row)})


@ROUTES.add("GET", "/attachments/{ident}")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show an attachment."""
    row = _found(ctx, ident)
    return encode(200, {"attachment": views.attachment(row)})


@ROUTES.add("PUT", "/attachments/{ident}")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Connect a volume that was reserved."""
    row = _found(ctx, ident, "update")
    wanted = ctx.body("attachment")
    connector = _connector(wanted, required=True) or {}
    row = attachments.connect(ctx.tx, ctx.clock, row, connector, _mode(ctx, wanted))
    return encode(200, {"attachment": views.attachment(row)})


@ROUTES.add("DELETE", "/attachments/{ident}")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Delete an attachment."""
    row = _found(ctx, ident, "delete")
    left = attachments.delete(ctx.tx, ctx.clock, row)
    return encode(200, {"attachments": [views.attachment(other) for other in left]})


@ROUTES.add("POST", "/attachments/{ident}/action")
def complete(ctx: BlockStorageContext, ident: str) -> Response:
    """Note that a server uses a volume."""
    row = _found(ctx, ident, "complete", since=microversions.COMPLETE)
    if "os-complete" not in decode(ctx.request):
        raise BadRequest("There is no such action; there is os-complete.")
    attachments.complete(ctx.tx, ctx.clock, row)
    return Response(204)


def _found(
    ctx: BlockStorageContext, ident: str, action: str = "", since: int = microversions.ATTACHMENTS
) -> Record:
    """Return an attachment; raise an error for clients that may not act on it."""
    ctx.since(since)
    if action:
        ctx.require_member(f"volume:attachment_{action}")
    return attachments.find(ctx.tx, ident, ctx.visible_project)


def _listed(ctx: BlockStorageContext, *, detailed: bool) -> Response:
    ctx.since(microversions.ATTACHMENTS)
    query = ctx.request.query
    match = {
        column: query[name] for name, column in _FILTERS.items() if isinstance(query.get(name), str)
    }
    rows = attachments.fetch(ctx.tx, ctx.listed_project(), **match)
    return encode(200, {"attachments": [views.attachment(row, detailed=detailed) for row in rows]})


def _connector(wanted: dict[str, Any], *, required: bool) -> dict[str, Any] | None:
    connector = wanted.get("connector")
    if not connector and not required:
        return None
    if not isinstance(connector, dict) or not connector:
        raise BadRequest("Invalid input for field/attribute connector: it has to be an object.")
    return connector


def _mode(ctx: BlockStorageContext, wanted: dict[str, Any]) -> str | None:
    """Return the mode beside the connector, where the version knows it."""
    if "mode" not in wanted:
        return None
    if ctx.minor < microversions.ATTACH_MODE:
        raise BadRequest(
            "Additional properties are not allowed ('mode' was unexpected): before version "
            f"3.{microversions.ATTACH_MODE} the mode is part of the connector."
        )
    return attachments.checked_mode(wanted["mode"])
