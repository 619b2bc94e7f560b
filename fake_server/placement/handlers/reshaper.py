"""``/reshaper``: new inventories of providers and new allocations of them, all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, Conflict
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.placement import microversions, schemas
from fake_server.placement.errors import PROVIDER_NOT_FOUND, ProviderNotFound
from fake_server.placement.handlers.allocations import claims
from fake_server.placement.models import allocations, inventories, providers
from fake_server.placement.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Handler, PlacementContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.asking("POST", "/reshaper", "reshaper:reshape", since=microversions.RESHAPER)
def reshape(ctx: PlacementContext) -> Response:
    """Move inventories, and the allocations of them, between providers."""
    body = ctx.json(schemas.RESHAPING)
    wanted = {}
    for uuid, one in body["inventories"].items():
        _check_current(_provider(ctx, uuid), one["resource_provider_generation"])
        wanted[uuid] = {
            name: inventories.completed(values) for name, values in one["inventories"].items()
        }
        inventories.check_known(ctx.tx, wanted[uuid], "malformed reshaper data")
    # What is to go stays until nothing is allocated from it any more.
    for uuid, stock in wanted.items():
        if stock:
            _replace(ctx, uuid, {**inventories.fetch(ctx.tx, uuid), **stock})
    allocations.replace(ctx.tx, ctx.clock, claims(ctx, body["allocations"]))
    for uuid, stock in wanted.items():
        _replace(ctx, uuid, stock)
    return ctx.empty(204)


def _provider(ctx: PlacementContext, uuid: str) -> Record:
    try:
        return providers.find(ctx.tx, uuid)
    except ProviderNotFound as exc:
        raise BadRequest(
            f"Resource provider {uuid} in inventories not found: {exc}", PROVIDER_NOT_FOUND
        ) from None


def _check_current(row: Record, given: int) -> None:
    actual = row["generation"]
    providers.check_generation(
        row,
        given,
        f"resource provider generation conflict for provider {row['uuid']}: actual: {actual}, "
        f"given: {given}",
    )


def _replace(ctx: PlacementContext, uuid: str, stock: Mapping[str, Any]) -> None:
    try:
        inventories.replace(ctx.tx, uuid, stock)
    except Conflict as exc:
        raise Conflict(f"update conflict: {exc}", exc.code) from None
    providers.touch(ctx.tx, ctx.clock, providers.find(ctx.tx, uuid))
