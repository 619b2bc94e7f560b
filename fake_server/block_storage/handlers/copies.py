"""What snapshots and backups answer alike: their lists, and what administrators do to one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage.models import copies
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.schemas import Checker


def listed(
    ctx: BlockStorageContext, kind: copies.Kind, show: Callable[..., Any], *, detailed: bool
) -> Response:
    """List those that a client sees.

    :param show: returns what is shown of one.
    """
    name = kind.name.lower()
    ctx.require(kind.listing)
    rows = copies.fetch(ctx.tx, kind, ctx.listed_project(), ctx.filters(name))
    return ctx.listed(rows, f"{name}s", partial(show, ctx, detailed=detailed), kind.missing)


def act_on(
    ctx: BlockStorageContext,
    kind: copies.Kind,
    ident: str,
    known: Mapping[str, Checker],
    policies: Mapping[str, str],
) -> Response:
    """Set the status of one, or remove it in any status.

    :param known: what checks bodies, by the names of the actions that there are.
    :param policies: those of the actions.
    """
    name, details = ctx.action(known)
    unread = name in ("os-reset_status", "os-update_snapshot_status")
    row = (ctx.named_copy if unread else ctx.copy)(kind, ident, policies[name])
    if name == "os-force_delete":
        copies.delete(ctx.tx, kind, row, force=True)
    elif name == "os-update_snapshot_status":
        copies.report_status(ctx.tx, ctx.clock, row, details["status"])
    else:
        copies.update(ctx.tx, ctx.clock, kind, row, {"status": details["status"]})
    return Response(202)
