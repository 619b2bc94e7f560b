"""``/resource_providers/{uuid}/aggregates``: the groups that a provider is in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes
from fake_server.placement import microversions, schemas
from fake_server.placement.models import providers

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Context, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/resource_providers/{uuid}/aggregates")
def show(ctx: Context, uuid: str) -> Response:
    """List the aggregates of a provider."""
    ctx.since(microversions.AGGREGATES)
    ctx.permit("resource_providers:aggregates:list")
    return _shown(ctx, providers.find(ctx.tx, uuid))


@ROUTES.add("PUT", "/resource_providers/{uuid}/aggregates")
def replace(ctx: Context, uuid: str) -> Response:
    """Replace the aggregates of a provider."""
    ctx.since(microversions.AGGREGATES)
    ctx.permit("resource_providers:aggregates:update")
    row = providers.find(ctx.tx, uuid)
    if ctx.minor < microversions.AGGREGATE_GENERATION:
        wanted = ctx.json_list(schemas.AGGREGATES)
    else:
        body = ctx.json(schemas.SET_AGGREGATES)
        providers.check_generation(row, body["resource_provider_generation"])
        wanted = body["aggregates"]
        row = providers.touch(ctx.tx, ctx.clock, row, by_hand=False)
    providers.set_aggregates(ctx.tx, row, wanted)
    return _shown(ctx, row)


def _shown(ctx: Context, row: Record) -> Response:
    found = providers.aggregates_of(ctx.tx, [row["uuid"]])
    body: dict[str, Any] = {"aggregates": sorted(found.get(row["uuid"], ()))}
    if ctx.minor >= microversions.AGGREGATE_GENERATION:
        body["resource_provider_generation"] = row["generation"]
    return ctx.shown(body)
