"""``/v3/attachments``: volumes at servers, since version 3.27."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.block_storage import microversions, schemas, views
from fake_server.block_storage.errors import AttachmentNotFound
from fake_server.block_storage.models import attachments
from fake_server.block_storage.policies import POLICIES
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
#: Columns by the arguments that lists can be narrowed by.
_FILTERS = {
    "volume_id": "volume_id",
    "instance_id": "instance_uuid",
    "instance_uuid": "instance_uuid",
    "attach_status": "status",
}


@ROUTES.public("GET", "/attachments")
def list_attachments(ctx: BlockStorageContext) -> Response:
    """List attachments in short."""
    return _listed(ctx, detailed=False)


@ROUTES.public("GET", "/attachments/detail")
def list_details(ctx: BlockStorageContext) -> Response:
    """List attachments in detail."""
    return _listed(ctx, detailed=True)


@ROUTES.add("POST", "/attachments", "volume:attachment_create")
def create(ctx: BlockStorageContext) -> Response:
    """Reserve a volume, and connect it where the connector is known."""
    ctx.since(microversions.ATTACHMENTS)
    wanted = ctx.json(schemas.create_attachment(ctx.minor))["attachment"]
    row = attachments.create(
        ctx.tx,
        ctx.clock,
        ctx.named_volume(wanted["volume_uuid"], "volume:attachment_create"),
        wanted.get("instance_uuid"),
        wanted.get("connector"),
        wanted.get("mode"),
    )
    return encode(200, {"attachment": views.attachment(row)})


@ROUTES.public("GET", "/attachments/{ident}")
def show(ctx: BlockStorageContext, ident: str) -> Response:
    """Show an attachment."""
    ctx.since(microversions.ATTACHMENTS)
    row = attachments.find(ctx.tx, ident, ctx.visible_project)
    return encode(200, {"attachment": views.attachment(row)})


@ROUTES.add("PUT", "/attachments/{ident}", "volume:attachment_update")
def update(ctx: BlockStorageContext, ident: str) -> Response:
    """Connect a volume that was reserved."""
    ctx.since(microversions.ATTACHMENTS)
    connector = ctx.json(schemas.UPDATE_ATTACHMENT)["attachment"]["connector"]
    row = _found(ctx, ident, "volume:attachment_update")
    row = attachments.connect(ctx.tx, ctx.clock, row, connector)
    return encode(200, {"attachment": views.attachment(row)})


@ROUTES.add("DELETE", "/attachments/{ident}", "volume:attachment_delete")
def delete(ctx: BlockStorageContext, ident: str) -> Response:
    """Delete an attachment."""
    ctx.since(microversions.ATTACHMENTS)
    row = _found(ctx, ident, "volume:attachment_delete")
    ctx.check_unused(row)
    left = attachments.delete(ctx.tx, ctx.clock, row)
    shown = [views.attachment(other, detailed=False) for other in left]
    return encode(200, {"attachments": shown})


@ROUTES.add("POST", "/attachments/{ident}/action", "volume:attachment_complete")
def complete(ctx: BlockStorageContext, ident: str) -> Response:
    """Note that a server uses a volume."""
    ctx.action(schemas.ATTACHMENT_ACTIONS)
    ctx.since(microversions.COMPLETE)
    row = _found(ctx, ident, "volume:attachment_complete")
    attachments.complete(ctx.tx, ctx.clock, row)
    return Response(204)


def _found(ctx: BlockStorageContext, ident: str, policy: str) -> Record:
    """Return an attachment that the client sees; raise Forbidden if it may not do more to it.

    :param policy: what it does to the attachment.
    """
    row = attachments.find(ctx.tx, ident, ctx.visible_project)
    ctx.require(policy, row)
    return row


def _listed(ctx: BlockStorageContext, *, detailed: bool) -> Response:
    ctx.since(microversions.ATTACHMENTS)
    filters = ctx.filters("attachment")
    match = {column: filters[name] for name, column in _FILTERS.items() if name in filters}
    rows = attachments.fetch(ctx.tx, ctx.listed_project() or None, **match)
    # Cinder takes the filter, but finds none by it.
    rows = [] if "status" in filters else rows[::-1]
    show_one = partial(views.attachment, detailed=detailed)
    return ctx.listed(rows, "attachments", show_one, AttachmentNotFound, linked=False)
