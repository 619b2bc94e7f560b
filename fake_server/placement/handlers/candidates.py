"""``/allocation_candidates``: which providers could serve a request, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes
from fake_server.placement import microversions, queries
from fake_server.placement.errors import BadRequest, NotFound
from fake_server.placement.models import candidates, inventories, traits

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Call, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/allocation_candidates")
def list_candidates(call: Call) -> Response:
    """List the ways to serve a request, and what is known of the providers."""
    call.since(microversions.CANDIDATES)
    call.permit("allocation_candidates:list")
    wanted = queries.candidates(call.request.query, call.minor)
    unknown = traits.unknown(call.tx, wanted.traits())
    if unknown:
        raise BadRequest(f"No such trait(s): {', '.join(unknown)}.")
    try:
        found = candidates.find(call.tx, wanted)
    except NotFound as exc:
        raise BadRequest(f"Invalid resource class in resources parameter: {exc}") from None
    asked = {name for group in wanted.groups.values() for name in group.resources}
    return call.shown(
        {
            "allocation_requests": [_request(call, candidate) for candidate in found],
            "provider_summaries": _summaries(call, candidates.involved(call.tx, found), asked),
        }
    )


def _request(call: Call, candidate: candidates.Candidate) -> dict[str, Any]:
    if call.minor < microversions.ALLOCATIONS_BY_PROVIDER:
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
    if call.minor >= microversions.MAPPINGS:
        shown["mappings"] = candidate.mappings
    return shown


def _summaries(call: Call, rows: list[Record], asked: set[str]) -> dict[str, Any]:
    uuids = [row["uuid"] for row in rows]
    shown: dict[str, Any] = {uuid: {"resources": {}} for uuid in uuids}
    for inventory in inventories.with_usages(call.tx, uuids):
        name = inventory["resource_class"]
        if name in asked or call.minor >= microversions.ALL_CLASSES:
            shown[inventory["provider_uuid"]]["resources"][name] = {
                "capacity": inventories.capacity(inventory),
                "used": int(inventory["used"]),
            }
    if call.minor >= microversions.CANDIDATES_REQUIRED:
        has = traits.of_providers(call.tx, uuids)
        for uuid in uuids:
            shown[uuid]["traits"] = sorted(has.get(uuid, ()))
    if call.minor >= microversions.NESTED_CANDIDATES:
        for row in rows:
            shown[row["uuid"]]["parent_provider_uuid"] = row["parent_uuid"]
            shown[row["uuid"]]["root_provider_uuid"] = row["root_uuid"]
    return shown
