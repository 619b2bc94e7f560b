"""``/allocations``: who has how much of what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from fake_server.common.rest import Routes
from fake_server.placement import microversions, schemas
from fake_server.placement.errors import BadRequest, NotFound
from fake_server.placement.models import allocations, providers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.wsgi import Response
    from fake_server.placement.context import Call, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/allocations/{uuid}")
def of_consumer(call: Call, uuid: str) -> Response:
    """Show what a consumer has."""
    call.permit("allocations:list")
    rows = allocations.of_consumer(call.tx, uuid)
    found: dict[str, Any] = {}
    for row in rows:
        entry = {"generation": row["generation"], "resources": {}}
        resources = found.setdefault(row["provider_uuid"], entry)["resources"]
        resources[row["resource_class"]] = row["used"]
    body: dict[str, Any] = {"allocations": found}
    consumer = allocations.consumer(call.tx, uuid) if rows else None
    if consumer and call.minor >= microversions.ALLOCATIONS_BY_PROVIDER:
        body |= {"project_id": consumer["project_id"], "user_id": consumer["user_id"]}
        if call.minor >= microversions.CONSUMER_GENERATION:
            body["consumer_generation"] = consumer["generation"]
        if call.minor >= microversions.CONSUMER_TYPES:
            body["consumer_type"] = consumer["kind"] or allocations.UNKNOWN
    return call.shown(body)


@ROUTES.add("GET", "/resource_providers/{uuid}/allocations")
def of_provider(call: Call, uuid: str) -> Response:
    """Show who has something of a provider."""
    call.permit("resource_providers:allocations:list")
    provider = providers.find_as(call.tx, uuid, "Resource provider '{}' not found")
    found: dict[str, Any] = {}
    for row in allocations.of_provider(call.tx, uuid):
        shown = found.setdefault(row["consumer_uuid"], {"resources": {}})
        shown["resources"][row["resource_class"]] = row["used"]
        if call.minor >= microversions.CONSUMER_GENERATION:
            shown["consumer_generation"] = row["generation"]
    generation = provider["generation"]
    return call.shown({"allocations": found, "resource_provider_generation": generation})


@ROUTES.add("PUT", "/allocations/{uuid}")
def replace(call: Call, uuid: str) -> Response:
    """Let a consumer have this and nothing else."""
    call.permit("allocations:update")
    consumer = _consumer(uuid)
    body = call.json(
        schemas.allocation_checker(
            listed=call.minor < microversions.ALLOCATIONS_BY_PROVIDER,
            owned=call.minor >= microversions.ALLOCATION_OWNER,
            **_newer(call),
        )
    )
    allocations.replace(call.tx, call.clock, [_wish(call, consumer, body)])
    return call.empty(204)


@ROUTES.add("POST", "/allocations")
def replace_many(call: Call) -> Response:
    """Let several consumers have this and nothing else, all of them or none."""
    call.since(microversions.POST_ALLOCATIONS)
    call.permit("allocations:manage")
    body = call.json(schemas.many_checker(**_newer(call)))
    wishes = [_wish(call, _consumer(uuid), one) for uuid, one in body.items()]
    allocations.replace(call.tx, call.clock, wishes)
    return call.empty(204)


@ROUTES.add("DELETE", "/allocations/{uuid}")
def delete(call: Call, uuid: str) -> Response:
    """Take everything from a consumer."""
    call.permit("allocations:delete")
    if not allocations.delete(call.tx, uuid):
        raise NotFound(f"No allocations for consumer '{uuid}'")
    return call.empty(204)


def _newer(call: Call) -> dict[str, bool]:
    return {
        "generation": call.minor >= microversions.CONSUMER_GENERATION,
        "mappings": call.minor >= microversions.MAPPINGS,
        "kind": call.minor >= microversions.CONSUMER_TYPES,
    }


def _wish(call: Call, consumer: str, body: Mapping[str, Any]) -> allocations.Wish:
    wanted = body["allocations"]
    if isinstance(wanted, list):
        wanted = {item["resource_provider"]["uuid"]: item for item in wanted}
    return allocations.Wish(
        consumer,
        {uuid: item["resources"] for uuid, item in wanted.items()},
        project_id=body.get("project_id", allocations.NOBODY),
        user_id=body.get("user_id", allocations.NOBODY),
        generation=body.get("consumer_generation"),
        checks_generation=call.minor >= microversions.CONSUMER_GENERATION,
        kind=body.get("consumer_type"),
    )


def _consumer(uuid: str) -> str:
    try:
        return str(UUID(uuid))
    except ValueError:
        raise BadRequest(f"Malformed consumer_uuid: {uuid}") from None
