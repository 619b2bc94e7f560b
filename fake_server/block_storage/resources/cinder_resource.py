"""What all resources of Cinder have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import schemas
from fake_server.block_storage.context import BlockStorageContext
from fake_server.block_storage.formats import FORMATS
from fake_server.block_storage.models.filters import matching
from fake_server.block_storage.policies import POLICIES
from fake_server.common.dialects.cinder import CINDER
from fake_server.common.errors import BadRequest
from fake_server.common.resources.action import Action
from fake_server.common.resources.resource import Resource

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.common.errors import ServiceError
    from fake_server.common.resources.rows import Rows
    from fake_server.db.store import Record


class CinderResource(Resource[BlockStorageContext]):
    """A kind of resources of Cinder."""

    service_policies = POLICIES
    dialect = CINDER
    formats = FORMATS

    def check_state(self, row: Record, states: Collection[str]) -> None:
        """Raise BadRequest unless the status of one is one of some, or there are none to be."""
        if states and row["status"] not in states:
            known = " or ".join(states)
            raise BadRequest(
                f"Invalid {self.name}: {self.name.capitalize()} status must be {known}"
            )

    def body(self, ctx: BlockStorageContext, operation: str) -> Mapping[str, Any]:
        """Return what a body says of one, with its names as newer clients call them."""
        return named(super().body(ctx, operation))

    def listed(self, ctx: BlockStorageContext) -> list[Record]:
        """Return the rows that a list shows, narrowed by what the query asks for."""
        filters = ctx.filters(self.filters)
        return matching(self.rows.fetch(ctx.tx, ctx.listed_project()), filters)


def named(wanted: Mapping[str, Any]) -> Record:
    """Return what a body says, with name and description without blanks around them.

    Older clients call them ``display_name`` and ``display_description``; the newer name counts.
    """
    found = {key: value for key, value in wanted.items() if not key.startswith("display_")}
    for name in ("name", "description"):
        for key in (f"display_{name}", name):
            if key in wanted:
                found[name] = wanted[key] and wanted[key].strip()
    return found


def linked(ctx: BlockStorageContext, kind: str, row: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the links of one of a kind, as its address calls it."""
    return ctx.links(f"{kind}/{row['id']}")


class Copies(CinderResource):
    """What is made of volumes: snapshots and backups."""

    detailed = True

    def hidden(self, ctx: BlockStorageContext, row: Record) -> ServiceError:
        """Return the error for one that the client may not read, but may know of."""
        return ctx.refusal(str(self.reading))

    def permit(self, ctx: BlockStorageContext, operation: str) -> None:
        """Ask who may list them; who may make one is asked of the volume."""
        if operation != "create":
            super().permit(ctx, operation)

    def values(self, ctx: BlockStorageContext, wanted: Mapping[str, Any]) -> Record:
        """Return the columns of a new one."""
        found = super().values(ctx, wanted)
        return {**found, "metadata": found.get("metadata") or {}}

    def remove(self, ctx: BlockStorageContext, row: Record) -> None:
        """Remove one whose status allows it."""
        self.check_state(row, ("available", "error"))
        super().remove(ctx, row)

    @staticmethod
    def administered(rows: Rows, policies: str, status: str) -> dict[str, Action]:
        """Return what administrators do to one: set its status, and remove it in any.

        :param policies: what the names of the policies begin with.
        :param status: the format of a status.
        """

        def reset(ctx: BlockStorageContext, row: Record, details: Mapping[str, Any]) -> None:
            rows.change(ctx.tx, ctx.clock, row, {"status": details["status"]})

        def remove(ctx: BlockStorageContext, row: Record, details: Mapping[str, Any]) -> None:
            rows.remove(ctx.tx, row)

        return {
            "os-reset_status": Action(
                f"{policies}:reset_status", reset, schemas.status(status), unread=True
            ),
            "os-force_delete": Action(f"{policies}:force_delete", remove),
        }
