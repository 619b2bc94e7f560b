"""``/v3/attachments``: volumes at servers, since version 3.27."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, schemas
from fake_server.block_storage.models import attachments
from fake_server.block_storage.resources.cinder_resource import CinderResource
from fake_server.common.microversions import Since
from fake_server.common.resources.action import Action
from fake_server.common.resources.declaration import Field, Level
from fake_server.common.rest import encode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record

#: Columns by the arguments that lists can be narrowed by.
_COLUMNS = {
    "volume_id": "volume_id",
    "instance_id": "instance_uuid",
    "instance_uuid": "instance_uuid",
    "attach_status": "status",
}


def _complete(ctx: BlockStorageContext, row: Record, details: Mapping[str, Any]) -> None:
    attachments.complete(ctx.tx, ctx.clock, row)


def _attached_at(ctx: BlockStorageContext, row: Mapping[str, Any]) -> Any:
    return row["attached_at"] or ""


class Attachments(CinderResource):
    """Volumes at servers: reserved, connected and in use."""

    name = "attachment"
    rows = attachments.ROWS
    since = microversions.ATTACHMENTS
    detailed = True
    linked = False
    policies = {
        "list": (),
        "create": "volume:attachment_create",
        "show": (),
        "update": "volume:attachment_update",
        "delete": "volume:attachment_delete",
    }
    filters = ("volume_id", "status", "instance_id", "attach_status")
    statuses = {"create": 200, "delete": 200}
    fields = {
        "id": Field(Level.SUMMARY),
        "status": Field(Level.SUMMARY),
        "instance": Field(Level.SUMMARY, of=lambda ctx, row: row["instance_uuid"]),
        "volume_id": Field(Level.SUMMARY),
        "instance_uuid": Field(Level.HIDDEN, create=schemas.UUID),
        "connector": Field(
            Level.HIDDEN,
            create={"type": ["object", "null"]},
            update={"type": "object", "minProperties": 1},
        ),
        "volume_uuid": Field(Level.HIDDEN, create=schemas.UUID, required=True),
        "mode": Field(Level.HIDDEN, create=Since(microversions.ATTACH_MODE, schemas.MODE)),
        "attached_at": Field(of=_attached_at),
        "detached_at": Field(of=lambda ctx, row: ""),
        "attach_mode": Field(),
        "connection_info": Field(),
    }
    more_of_body = {"update": {"required": ["connector"]}}
    actions = {
        "os-complete": Action(
            "volume:attachment_complete", _complete, status=204, since=microversions.COMPLETE
        )
    }

    def listed(self, ctx: BlockStorageContext) -> list[Record]:
        """Return the attachments that a list shows."""
        filters = ctx.filters(self.filters)
        match = {column: filters[name] for name, column in _COLUMNS.items() if name in filters}
        rows = self.rows.fetch(ctx.tx, ctx.listed_project() or None, **match)
        # Cinder takes the filter, but finds none by it.
        return [] if "status" in filters else rows[::-1]

    def permit(self, ctx: BlockStorageContext, operation: str) -> None:
        """Ask nothing: who may attach a volume is asked of the volume."""

    def make(self, ctx: BlockStorageContext, wanted: Mapping[str, Any]) -> Record:
        """Reserve a volume, and connect it where the connector is known."""
        policy = "volume:attachment_create"
        volume = ctx.kinds["volume"].found(ctx, wanted["volume_uuid"], policy, unread=True)
        return attachments.create(
            ctx.tx,
            ctx.clock,
            volume,
            wanted.get("instance_uuid"),
            wanted.get("connector"),
            wanted.get("mode"),
        )

    def change(self, ctx: BlockStorageContext, row: Record, wanted: Mapping[str, Any]) -> Record:
        """Connect a volume that was reserved."""
        return attachments.connect(ctx.tx, ctx.clock, row, wanted["connector"])

    def delete(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Take a volume away from a server, and show its other attachments."""
        row = self.found(ctx, ident, "volume:attachment_delete")
        ctx.check_unused(row)
        left = attachments.delete(ctx.tx, ctx.clock, row)
        shown = [self.shown(ctx, other, Level.SUMMARY) for other in left]
        return encode(200, {"attachments": shown})
