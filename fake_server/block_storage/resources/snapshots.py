"""``/v3/snapshots``: copies of volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, schemas
from fake_server.block_storage.models import copies, projects
from fake_server.block_storage.resources.cinder_resource import Copies
from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_boolean
from fake_server.common.resources.action import Action
from fake_server.common.resources.declaration import Field, Level, always, both
from fake_server.common.resources.key_values import KeyValues
from fake_server.common.rest import encode
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record

_ADMINISTERING = "volume_extension:snapshot_admin_actions"
_EXTENDED = "volume_extension:extended_snapshot_attributes"
_PROGRESS = {"status": {"type": "string"}, "progress": {"format": "progress"}}


def _report_status(ctx: BlockStorageContext, row: Record, details: Mapping[str, Any]) -> None:
    copies.report_status(ctx.tx, ctx.clock, row, details["status"])


class Snapshots(Copies):
    """Snapshots."""

    name = "snapshot"
    rows = copies.SNAPSHOTS
    policies = {
        "list": "volume:get_all_snapshots",
        "create": "volume:create_snapshot",
        "show": "volume:get_snapshot",
        "update": "volume:update_snapshot",
        "delete": "volume:delete_snapshot",
    }
    reading = "volume:get_snapshot"
    filters = ("name", "status", "volume_id", "metadata", "availability_zone", "consumes_quota")
    fields = {
        "id": Field(Level.SUMMARY),
        "name": both(schemas.OPTIONAL_TEXT, Level.SUMMARY),
        "description": both(schemas.DESCRIPTION, Level.SUMMARY),
        "display_name": both(schemas.OPTIONAL_TEXT, Level.HIDDEN),
        "display_description": Field(Level.HIDDEN, update=schemas.DESCRIPTION),
        "volume_id": Field(Level.SUMMARY, create=schemas.UUID_OR_NULL, required=True),
        "force": Field(Level.HIDDEN, create=schemas.BOOLEAN),
        "metadata": Field(Level.SUMMARY, create=schemas.METADATA_OR_NULL),
        **dict.fromkeys(("status", "size", "created_at", "updated_at"), Field(Level.SUMMARY)),
        "group_snapshot_id": Field(since=microversions.GROUP_SNAPSHOTS, of=always(None)),
        "user_id": Field(since=microversions.SNAPSHOT_USER),
        "consumes_quota": Field(since=microversions.CONSUMES_QUOTA, of=always(True)),
        "os-extended-snapshot-attributes:project_id": Field(
            Level.DETAIL, sees=_EXTENDED, of=lambda ctx, row: row["project_id"]
        ),
        "os-extended-snapshot-attributes:progress": Field(
            Level.DETAIL, sees=_EXTENDED, of=always("100%")
        ),
    }
    more_of_body = {
        "update": schemas.some_of("name", "description", "display_name", "display_description")
    }
    actions = {
        **Copies.administered(copies.SNAPSHOTS, _ADMINISTERING, "snapshot_status"),
        "os-update_snapshot_status": Action(
            "snapshot_extension:snapshot_actions:update_snapshot_status",
            _report_status,
            object_schema(_PROGRESS, "status"),
            unread=True,
        ),
    }
    parts = (
        KeyValues(
            "metadata",
            {
                **dict.fromkeys(("list", "show"), "volume:get_snapshot_metadata"),
                **dict.fromkeys(("add", "replace", "set"), "volume:update_snapshot_metadata"),
                "remove": "volume:delete_snapshot_metadata",
            },
            schemas.METADATA,
            "Snapshot {id} has no metadata with key {key}.",
            item="meta",
            others=True,
            removal_reads=True,
        ),
    )

    def make(self, ctx: BlockStorageContext, wanted: Mapping[str, Any]) -> Record:
        """Make a snapshot of a volume."""
        in_use = bool(parse_boolean(wanted.get("force")))
        if ctx.minor >= microversions.SNAPSHOT_IN_USE:
            if "force" in wanted and not in_use:
                raise BadRequest(
                    f"Since microversion 3.{microversions.SNAPSHOT_IN_USE} the 'force' flag is "
                    "invalid for this request.  For backward compatability, however, when the "
                    "'force' flag is passed with a value evaluating to True, it is silently "
                    "ignored."
                )
            in_use = True
        ident = str(wanted["volume_id"])
        volume = ctx.kinds["volume"].found(ctx, ident, "volume:create_snapshot")
        if ctx.caller is not None:
            projects.check_room(ctx.tx, ctx.project_id, volume["size"], "snapshots")
        copies.check_snapshot(volume, in_use=in_use)
        values = {**self.values(ctx, wanted), "volume_id": volume["id"]}
        return copies.create(ctx.tx, ctx.clock, self.rows, volume, values)

    def answer(self, ctx: BlockStorageContext, operation: str, row: Record) -> Response:
        """Return the answer; a new snapshot is shown as one that is about to be made."""
        if operation != "create":
            return super().answer(ctx, operation, row)
        shown = {**self.shown(ctx, row, self.answered), "status": "creating", "updated_at": None}
        return encode(self.status(operation), {"snapshot": shown})
