"""``/resource_providers``: providers, and the aggregates that they are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.formats import is_uuid
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.placement import microversions, schemas
from fake_server.placement.errors import InvalidQuery, ProviderNotFound
from fake_server.placement.models import classes, inventories, providers, traits
from fake_server.placement.policies import POLICIES
from fake_server.placement.queries import Group

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Handler, PlacementContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
#: The filters of lists, with the versions that added them.
_FILTERS = {
    "name": 0,
    "uuid": 0,
    "member_of": microversions.MEMBER_OF,
    "resources": microversions.RESOURCES,
    "in_tree": microversions.NESTED,
    "required": microversions.PROVIDERS_REQUIRED,
}


@ROUTES.asking("GET", "/resource_providers", "resource_providers:list")
def list_providers(ctx: PlacementContext) -> Response:
    """List providers."""
    ctx.only(*(name for name, minor in _FILTERS.items() if ctx.minor >= minor))
    query, group = ctx.request.query, Group()
    for name in ("uuid", "in_tree"):
        text = ctx.one_of(name)
        if text is not None and not is_uuid(text):
            raise InvalidQuery(f"{text!r} is not a 'uuid'")
    for kind in ("member_of", "required", "resources"):
        if kind in query:
            group.read(kind, query[kind], ctx.minor)
    _check_known(ctx, group)
    conditions: dict[str, Any] = {
        name: ctx.one_of(name) for name in ("uuid", "name") if name in query
    }
    if "in_tree" in query:
        within = providers.fetch(ctx.tx, uuid=ctx.one_of("in_tree"))
        conditions["root_uuid"] = within[0]["root_uuid"] if within else None
    rows = _fitting(ctx, providers.fetch(ctx.tx, **conditions), group)
    return ctx.shown({"resource_providers": [view(ctx, row) for row in rows]})


@ROUTES.asking("POST", "/resource_providers", "resource_providers:create")
def create(ctx: PlacementContext) -> Response:
    """Create a provider."""
    body = ctx.json(schemas.CREATE_PROVIDER)
    uuid = str(UUID(body["uuid"])) if body.get("uuid") else randomness.uuid()
    row = providers.create(ctx.tx, ctx.clock, uuid, body["name"], body.get("parent_provider_uuid"))
    location = ctx.location(f"/resource_providers/{uuid}")
    if ctx.minor >= microversions.CREATE_SHOWS:
        return ctx.shown(view(ctx, row), 200, location)
    return ctx.empty(201, location)


@ROUTES.asking("GET", "/resource_providers/{uuid}", "resource_providers:show")
def show(ctx: PlacementContext, uuid: str) -> Response:
    """Show a provider."""
    return ctx.shown(view(ctx, providers.find(ctx.tx, uuid)))


@ROUTES.asking("PUT", "/resource_providers/{uuid}", "resource_providers:update")
def update(ctx: PlacementContext, uuid: str) -> Response:
    """Rename a provider, or put it into a tree."""
    row = providers.find(ctx.tx, uuid)
    body = ctx.json(schemas.UPDATE_PROVIDER)
    parent = body.get("parent_provider_uuid", row["parent_uuid"])
    moves = row["parent_uuid"] is not None and parent != row["parent_uuid"]
    if moves and ctx.minor < microversions.REPARENT:
        what = "un-parenting" if parent is None else "re-parenting"
        raise BadRequest(
            f"Unable to save resource provider {uuid}: Object action update failed because: "
            f"{what} a provider is not currently allowed."
        )
    changed = providers.rename(ctx.tx, ctx.clock, row, body["name"], parent)
    return ctx.shown(view(ctx, changed), modified=row["updated_at"] > row["created_at"])


@ROUTES.asking("DELETE", "/resource_providers/{uuid}", "resource_providers:delete")
def delete(ctx: PlacementContext, uuid: str) -> Response:
    """Remove a provider."""
    try:
        row = providers.find(ctx.tx, uuid)
    except ProviderNotFound as exc:
        raise NotFound(f"{exc} for delete") from None
    providers.delete(ctx.tx, row)
    return ctx.empty(204)


@ROUTES.asking(
    "GET",
    "/resource_providers/{uuid}/aggregates",
    "resource_providers:aggregates:list",
    since=microversions.AGGREGATES,
)
def show_aggregates(ctx: PlacementContext, uuid: str) -> Response:
    """List the aggregates of a provider."""
    return _aggregates_shown(ctx, providers.find(ctx.tx, uuid))


@ROUTES.asking(
    "PUT",
    "/resource_providers/{uuid}/aggregates",
    "resource_providers:aggregates:update",
    since=microversions.AGGREGATES,
)
def replace_aggregates(ctx: PlacementContext, uuid: str) -> Response:
    """Replace the aggregates of a provider."""
    row = providers.find(ctx.tx, uuid)
    wanted = ctx.json(schemas.SET_AGGREGATES)
    if ctx.minor >= microversions.AGGREGATE_GENERATION:
        providers.check_generation(row, wanted["resource_provider_generation"])
        wanted = wanted["aggregates"]
        row = providers.touch(ctx.tx, ctx.clock, row, by_hand=False)
    providers.set_aggregates(ctx.tx, row, wanted)
    return _aggregates_shown(ctx, row)


def view(ctx: PlacementContext, row: Record) -> dict[str, Any]:
    """Return a provider as a version shows it."""
    path = f"{ctx.base}/resource_providers/{row['uuid']}"
    below = ["inventories", "usages"]
    for name, minor in (
        ("aggregates", microversions.AGGREGATES),
        ("traits", microversions.TRAITS),
        ("allocations", microversions.ALLOCATION_LINK),
    ):
        if ctx.minor >= minor:
            below.append(name)
    shown = {
        "uuid": row["uuid"],
        "name": row["name"],
        "generation": row["generation"],
        "links": [
            {"rel": "self", "href": path},
            *({"rel": name, "href": f"{path}/{name}"} for name in below),
        ],
    }
    if ctx.minor >= microversions.NESTED:
        shown["parent_provider_uuid"] = row["parent_uuid"]
        shown["root_provider_uuid"] = row["root_uuid"]
    return shown


def _check_known(ctx: PlacementContext, group: Group) -> None:
    try:
        for name in group.resources:
            classes.check(ctx.tx, name)
    except NotFound as exc:
        raise BadRequest(f"Invalid resource class in resources parameter: {exc}") from None
    unknown = traits.unknown(ctx.tx, group.traits())
    if unknown:
        raise BadRequest(
            f'Invalid trait(s) in "required" parameter: No such trait(s): {", ".join(unknown)}.'
        )


def _fitting(ctx: PlacementContext, rows: list[Record], group: Group) -> list[Record]:
    """Return the providers that have what a group asks for."""
    for name, amount in group.resources.items():
        room = set(inventories.having(ctx.tx, name, amount))
        rows = [row for row in rows if row["uuid"] in room]
    if group.traits():
        has = traits.of_providers(ctx.tx)
        rows = [row for row in rows if group.suits_traits(has.get(row["uuid"], set()))]
    if group.member_of or group.not_member_of:
        within = providers.aggregates_of(ctx.tx)
        rows = [row for row in rows if group.suits_aggregates(within.get(row["uuid"], set()))]
    return rows


def _aggregates_shown(ctx: PlacementContext, row: Record) -> Response:
    found = providers.aggregates_of(ctx.tx, [row["uuid"]])
    body: dict[str, Any] = {"aggregates": sorted(found.get(row["uuid"], ()))}
    if ctx.minor >= microversions.AGGREGATE_GENERATION:
        body["resource_provider_generation"] = row["generation"]
    return ctx.shown(body)
