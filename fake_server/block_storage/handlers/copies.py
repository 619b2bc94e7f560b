"""What snapshots and backups answer alike: their lists, and what administrators do to one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage.models import copies
from fake_server.common.errors import BadRequest
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.db.store import Record


def listed(
    ctx: BlockStorageContext, kind: copies.Kind, show: Callable[..., Any], *, detailed: bool
) -> Response:
    """List those that a client sees.

    :param show: returns what is shown of one.
    """
    rows = copies.fetch(ctx.tx, kind, ctx.listed_project(), ctx.request.query)
    show_one = partial(show, ctx, detailed=detailed)
    return ctx.listed(rows, f"{kind.name.lower()}s", show_one, kind.missing)


def administer(
    ctx: BlockStorageContext,
    kind: copies.Kind,
    row: Record,
    body: dict[str, Any],
    statuses: Collection[str],
) -> Response:
    """Set the status of one, or remove it in any status; raise BadRequest for anything else.

    :param statuses: those that can be set.
    """
    if "os-force_delete" in body:
        copies.delete(ctx.tx, kind, row, force=True)
    elif isinstance(body.get("os-reset_status"), dict):
        status = ctx.text(body["os-reset_status"], "status", required=True)
        if status not in statuses:
            raise BadRequest(f"Invalid input for field/attribute status. Value: {status}.")
        copies.update(ctx.tx, ctx.clock, kind, row, {"status": status})
    else:
        raise BadRequest("There is no such action; there are: os-reset_status, os-force_delete.")
    return Response(202)
