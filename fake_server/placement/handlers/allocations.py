"""``/allocations`` and ``/usages``: what consumers, projects and providers have and use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import UUID

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.placement import microversions, schemas
from fake_server.placement.errors import InvalidQuery
from fake_server.placement.models import allocations, inventories, providers
from fake_server.placement.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Handler, PlacementContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KINDS = "^[A-Z0-9_]+$|^all|^unknown$"


@ROUTES.asking("GET", "/allocations/{uuid}", "allocations:list")
def of_consumer(ctx: PlacementContext, uuid: str) -> Response:
    """Show the allocations of a consumer."""
    rows = allocations.of_consumer(ctx.tx, uuid)
    found: dict[str, Any] = {}
    for row in rows:
        entry = {"generation": row["generation"], "resources": {}}
        resources = found.setdefault(row["provider_uuid"], entry)["resources"]
        resources[row["resource_class"]] = row["used"]
    body: dict[str, Any] = {"allocations": found}
    consumer = allocations.consumer(ctx.tx, uuid) if rows else None
    if consumer and ctx.minor >= microversions.ALLOCATIONS_BY_PROVIDER:
        body |= {"project_id": consumer["project_id"], "user_id": consumer["user_id"]}
        if ctx.minor >= microversions.CONSUMER_GENERATION:
            body["consumer_generation"] = consumer["generation"]
        if ctx.minor >= microversions.CONSUMER_TYPES:
            body["consumer_type"] = consumer["kind"] or allocations.UNKNOWN
    return ctx.shown(body)


@ROUTES.asking(
    "GET", "/resource_providers/{uuid}/allocations", "resource_providers:allocations:list"
)
def of_provider(ctx: PlacementContext, uuid: str) -> Response:
    """Show the allocations of a provider."""
    provider = providers.find_as(ctx.tx, uuid, "Resource provider '{}' not found")
    found: dict[str, Any] = {}
    for row in allocations.of_provider(ctx.tx, uuid):
        shown = found.setdefault(row["consumer_uuid"], {"resources": {}})
        shown["resources"][row["resource_class"]] = row["used"]
        if ctx.minor >= microversions.CONSUMER_GENERATION:
            shown["consumer_generation"] = row["generation"]
    generation = provider["generation"]
    return ctx.shown({"allocations": found, "resource_provider_generation": generation})


@ROUTES.asking("PUT", "/allocations/{uuid}", "allocations:update")
def replace(ctx: PlacementContext, uuid: str) -> Response:
    """Replace the allocations of a consumer."""
    consumer = _consumer(uuid)
    body = ctx.json(schemas.ALLOCATION)
    allocations.replace(ctx.tx, ctx.clock, [_claim(ctx, consumer, body)])
    return ctx.empty(204)


@ROUTES.asking("POST", "/allocations", "allocations:manage", since=microversions.POST_ALLOCATIONS)
def replace_many(ctx: PlacementContext) -> Response:
    """Replace the allocations of several consumers, all of them or none."""
    body = ctx.json(schemas.ALLOCATIONS)
    allocations.replace(ctx.tx, ctx.clock, claims(ctx, body))
    return ctx.empty(204)


@ROUTES.asking("DELETE", "/allocations/{uuid}", "allocations:delete")
def delete(ctx: PlacementContext, uuid: str) -> Response:
    """Remove the allocations of a consumer."""
    if not allocations.delete(ctx.tx, uuid):
        raise NotFound(f"No allocations for consumer '{uuid}'")
    return ctx.empty(204)


@ROUTES.asking("GET", "/resource_providers/{uuid}/usages", "resource_providers:usages")
def usages_of_provider(ctx: PlacementContext, uuid: str) -> Response:
    """Show how much of a provider is used."""
    row = providers.find_as(ctx.tx, uuid, "No resource provider with uuid {} found")
    return ctx.shown(
        {
            "resource_provider_generation": row["generation"],
            "usages": inventories.usages(ctx.tx, uuid),
        }
    )


@ROUTES.add("GET", "/usages", "usages", since=microversions.USAGES)
def usages_of_project(ctx: PlacementContext) -> Response:
    """Show how much a project uses."""
    typed = ctx.minor >= microversions.CONSUMER_TYPES
    ctx.only("project_id", "user_id", *(["consumer_type"] if typed else []))
    project = ctx.one_of("project_id")
    if project is None:
        raise InvalidQuery("'project_id' is a required property")
    if not project:
        raise InvalidQuery("'' should be non-empty")
    ctx.require("usages", {"project_id": project})
    kind = ctx.one_of("consumer_type")
    if kind is not None and not re.search(_KINDS, kind):
        raise InvalidQuery(f"{kind!r} does not match {_KINDS!r}")
    rows = allocations.of_project(ctx.tx, project, ctx.one_of("user_id"), kind)
    if not typed:
        return ctx.shown({"usages": _added(rows)})
    by_kind: dict[str, list[Record]] = {}
    for row in rows:
        by_kind.setdefault("all" if kind == "all" else row["kind"], []).append(row)
    shown = {
        name: {**_added(of_kind), "consumer_count": len({row["consumer_uuid"] for row in of_kind})}
        for name, of_kind in by_kind.items()
    }
    return ctx.shown({"usages": shown})


def claims(ctx: PlacementContext, wanted: Mapping[str, Any]) -> list[allocations.Claim]:
    """Return what a body claims for several consumers, by their UUID."""
    return [_claim(ctx, _consumer(uuid), one) for uuid, one in wanted.items()]


def _claim(ctx: PlacementContext, consumer: str, body: Mapping[str, Any]) -> allocations.Claim:
    wanted = body["allocations"]
    if isinstance(wanted, list):
        wanted = {item["resource_provider"]["uuid"]: item for item in wanted}
    return allocations.Claim(
        consumer,
        {uuid: item["resources"] for uuid, item in wanted.items()},
        project_id=body.get("project_id", allocations.NOBODY),
        user_id=body.get("user_id", allocations.NOBODY),
        generation=body.get("consumer_generation"),
        checks_generation=ctx.minor >= microversions.CONSUMER_GENERATION,
        kind=body.get("consumer_type"),
    )


def _consumer(uuid: str) -> str:
    try:
        return str(UUID(uuid))
    except ValueError:
        raise BadRequest(f"Malformed consumer_uuid: {uuid}") from None


def _added(rows: list[Record]) -> dict[str, int]:
    """Return how much there is of each class."""
    used: dict[str, int] = {}
    for row in rows:
        used[row["resource_class"]] = used.get(row["resource_class"], 0) + row["used"]
    return used
