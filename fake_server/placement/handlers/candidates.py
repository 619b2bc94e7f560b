"""``/allocation_candidates``: the ways in which providers could serve a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.placement import microversions, queries
from fake_server.placement.models import candidates, inventories, traits
from fake_server.placement.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Handler, PlacementContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.asking(
    "GET", "/allocation_candidates", "allocation_candidates:list", since=microversions.CANDIDATES
)
def list_candidates(ctx: PlacementContext) -> Response:
    """List the ways to serve a request, and what is known of the providers."""
    wanted = queries.candidates(ctx.request.query, ctx.minor)
    unknown = traits.unknown(ctx.tx, wanted.traits())
    if unknown:
        raise BadRequest(f"No such trait(s): {', '.join(unknown)}.")
    nested = ctx.minor >= microversions.NESTED_CANDIDATES
    try:
        found = candidates.find(ctx.tx, wanted, nested=nested)
    except NotFound as exc:
        raise BadRequest(f"Invalid resource class in resources parameter: {exc}") from None
    involved = candidates.involved(ctx.tx, found, nested=nested)
    asked = {name for group in wanted.groups.values() for name in group.resources}
    return ctx.shown(
        {
            "allocation_requests": [_request(ctx, candidate) for candidate in found],
            "provider_summaries": _summaries(ctx, involved, asked),
        }
    )


def _request(ctx: PlacementContext, candidate: candidates.Candidate) -> dict[str, Any]:
    if ctx.minor < microversions.ALLOCATIONS_BY_PROVIDER:
        return {
            "allocations": [
                {"resource_provider": {"uuid": uuid}, "resources": resources}
                for uuid, resources in candidate.resources.items()
            ]
        }
    shown: dict[str, Any] = {
        "allocations": {
            uuid: {"resources": resources} for uuid, resources in candidate.resources.items()
        }
    }
    if ctx.minor >= microversions.MAPPINGS:
        shown["mappings"] = candidate.mappings
    return shown


def _summaries(ctx: PlacementContext, rows: list[Record], asked: set[str]) -> dict[str, Any]:
    uuids = [row["uuid"] for row in rows]
    shown: dict[str, Any] = {uuid: {"resources": {}} for uuid in uuids}
    for inventory in inventories.with_usages(ctx.tx, uuids):
        name = inventory["resource_class"]
        if name in asked or ctx.minor >= microversions.ALL_CLASSES:
            shown[inventory["provider_uuid"]]["resources"][name] = {
                "capacity": inventories.capacity(inventory),
                "used": int(inventory["used"]),
            }
    if ctx.minor >= microversions.CANDIDATES_REQUIRED:
        has = traits.of_providers(ctx.tx, uuids)
        for uuid in uuids:
            shown[uuid]["traits"] = sorted(has.get(uuid, ()))
    if ctx.minor >= microversions.NESTED_CANDIDATES:
        for row in rows:
            shown[row["uuid"]]["parent_provider_uuid"] = row["parent_uuid"]
            shown[row["uuid"]]["root_provider_uuid"] = row["root_uuid"]
    return shown
