"""``/resource_providers/{uuid}/aggregates``: the groups that a provider is in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes
from fake_server.placement import microversions, schemas
from fake_server.placement.models import providers

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Call, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/resource_providers/{uuid}/aggregates")
def show(call: Call, uuid: str) -> Response:
    """List the aggregates of a provider."""
    call.since(microversions.AGGREGATES)
    call.permit("resource_providers:aggregates:list")
    return _shown(call, providers.find(call.tx, uuid))


@ROUTES.add("PUT", "/resource_providers/{uuid}/aggregates")
def replace(call: Call, uuid: str) -> Response:
    """Put a provider into these aggregates and no others."""
    call.since(microversions.AGGREGATES)
    call.permit("resource_providers:aggregates:update")
    row = providers.find(call.tx, uuid)
    if call.minor < microversions.AGGREGATE_GENERATION:
        wanted = call.json_list(schemas.AGGREGATES)
    else:
        body = call.json(schemas.SET_AGGREGATES)
        providers.check_generation(row, body["resource_provider_generation"])
        wanted = body["aggregates"]
        row = providers.touch(call.tx, call.clock, row, by_hand=False)
    providers.set_aggregates(call.tx, row, wanted)
    return _shown(call, row)


def _shown(call: Call, row: Record) -> Response:
    found = providers.aggregates_of(call.tx, [row["uuid"]])
    body: dict[str, Any] = {"aggregates": sorted(found.get(row["uuid"], ()))}
    if call.minor >= microversions.AGGREGATE_GENERATION:
        body["resource_provider_generation"] = row["generation"]
    return call.shown(body)
