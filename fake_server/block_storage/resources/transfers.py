"""``/v3/volume-transfers``, ``/v3/os-volume-transfer``: volumes on their way to another project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import microversions, schemas
from fake_server.block_storage.errors import explaining
from fake_server.block_storage.models import projects, transfers
from fake_server.block_storage.resources.cinder_resource import CinderResource, linked
from fake_server.common.parsing import parse_boolean
from fake_server.common.resources.declaration import Field, Level, always
from fake_server.common.rest import encode
from fake_server.common.schemas import Checker, object_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record

_KEY = object_schema({"auth_key": {"type": ["string", "integer"]}}, "auth_key")
_ACCEPT = Checker(object_schema({"accept": _KEY}, "accept"))


class Transfers(CinderResource):
    """Transfers, which have two addresses."""

    name = "transfer"
    rows = transfers.ROWS
    paths = ("/os-volume-transfer", "/volume-transfers")
    detailed = True
    policies = {
        "list": "volume:get_all_transfers",
        "create": "volume:create_transfer",
        "show": "volume:get_transfer",
        "delete": "volume:delete_transfer",
    }
    answered = Level.DETAIL
    fields = {
        "id": Field(Level.SUMMARY),
        "volume_id": Field(Level.SUMMARY, create=schemas.UUID, required=True),
        "name": Field(Level.SUMMARY, create=schemas.or_null(schemas.STRIPPED_NAME)),
        "links": Field(Level.SUMMARY, of=lambda ctx, row: linked(ctx, "os-volume-transfer", row)),
        "created_at": Field(),
        "no_snapshots": Field(create=schemas.BOOLEAN, since=microversions.TRANSFERS),
        "source_project_id": Field(
            since=microversions.TRANSFER_HISTORY, of=lambda ctx, row: row["project_id"]
        ),
        "destination_project_id": Field(since=microversions.TRANSFER_HISTORY, of=always(None)),
        "accepted": Field(since=microversions.TRANSFER_HISTORY, of=always(False)),
    }

    def body_version(self, ctx: BlockStorageContext) -> int:
        """Return the version of a body; at the old address, it is that of the first one."""
        return ctx.minor if "/volume-transfers" in ctx.request.path else 0

    def listed(self, ctx: BlockStorageContext) -> list[Record]:
        """Return the transfers that a list shows."""
        return self.rows.fetch(ctx.tx, ctx.listed_project() or None)

    def permit(self, ctx: BlockStorageContext, operation: str) -> None:
        """Ask who may list transfers; who may offer a volume is asked of that."""
        if operation != "create":
            super().permit(ctx, operation)

    def make(self, ctx: BlockStorageContext, wanted: Mapping[str, Any]) -> Record:
        """Offer a volume to whoever has the key of the transfer."""
        policy = "volume:create_transfer"
        volume = ctx.kinds["volume"].found(ctx, wanted["volume_id"], policy, unread=True)
        alone = bool(parse_boolean(wanted.get("no_snapshots")))
        return transfers.create(ctx.tx, ctx.clock, volume, wanted.get("name"), no_snapshots=alone)

    def answer(self, ctx: BlockStorageContext, operation: str, row: Record) -> Response:
        """Return the answer; that to a new transfer alone shows its key."""
        shown = self.shown(ctx, row, Level.DETAIL)
        if operation == "create":
            shown["auth_key"] = row["auth_key"]
        return encode(self.status(operation), {"transfer": shown})

    def show(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Show a transfer."""
        self.permit(ctx, "show")
        return super().show(ctx, ident)

    def remove(self, ctx: BlockStorageContext, row: Record) -> None:
        """Take an offer back."""
        transfers.delete(ctx.tx, ctx.clock, row)

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add the acceptance of transfers."""
        for path in self.paths:
            routes.add("POST", f"{path}/{{ident}}/accept", "volume:accept_transfer")(self.accept)

    def accept(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Give the volume of a transfer to the client's project."""
        key = str(ctx.json(_ACCEPT)["accept"]["auth_key"])
        ctx.require("volume:accept_transfer")
        # Whoever has the key may know of it.
        row = self.rows.find(ctx.tx, ident)
        with explaining(projects.OVER_GIGABYTES):
            transfers.accept(ctx.tx, ctx.clock, row, key, ctx.project_id, ctx.user_id)
        return encode(202, {"transfer": self.shown(ctx, row, Level.SUMMARY)})
