"""``/traits`` and ``/resource_providers/{uuid}/traits``: traits, and those of a provider."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.placement import microversions, schemas
from fake_server.placement.models import providers, traits
from fake_server.placement.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Handler, PlacementContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES, microversions.TRAITS)
_OF_PROVIDER = "/resource_providers/{uuid}/traits"
_CUSTOM = re.compile("CUSTOM_[A-Z0-9_]{1,248}")


@ROUTES.asking("GET", "/traits", "traits:list")
def list_traits(ctx: PlacementContext) -> Response:
    """List all traits."""
    ctx.only("name", "associated")
    found = traits.NAMES.fetch(ctx.tx)
    wanted, associated = ctx.one_of("name"), ctx.one_of("associated")
    if wanted is not None:
        found = _named(found, wanted)
    if associated is not None:
        if associated.lower() not in ("true", "false"):
            raise BadRequest('The query parameter "associated" only accepts "true" or "false"')
        used = traits.associated(ctx.tx)
        found = [name for name in found if (name in used) == parse_boolean(associated)]
    return ctx.shown({"traits": found})


@ROUTES.asking("GET", "/traits/{name}", "traits:show")
def show(ctx: PlacementContext, name: str) -> Response:
    """Answer 204 if there is such a trait."""
    if not traits.NAMES.exists(ctx.tx, name):
        raise NotFound(f"No such trait(s): {name}.")
    return ctx.empty(204, *ctx.fresh())


@ROUTES.asking("PUT", "/traits/{name}", "traits:update")
def create(ctx: PlacementContext, name: str) -> Response:
    """Create a trait, unless it exists."""
    if not _CUSTOM.fullmatch(name):
        raise BadRequest(
            "The trait is invalid. A valid trait must be no longer than 255 characters, start "
            'with the prefix "CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"'
        )
    status = 201 if traits.NAMES.create(ctx.tx, name) else 204
    return ctx.empty(status, ctx.location(f"/traits/{name}"), *ctx.fresh())


@ROUTES.asking("DELETE", "/traits/{name}", "traits:delete")
def delete(ctx: PlacementContext, name: str) -> Response:
    """Remove a trait."""
    traits.delete(ctx.tx, name)
    return ctx.empty(204)


@ROUTES.asking("GET", _OF_PROVIDER, "resource_providers:traits:list")
def list_of_provider(ctx: PlacementContext, uuid: str) -> Response:
    """List the traits of a provider."""
    return _shown(ctx, providers.find_as(ctx.tx, uuid, "No resource provider with uuid {} found"))


@ROUTES.asking("PUT", _OF_PROVIDER, "resource_providers:traits:update")
def replace(ctx: PlacementContext, uuid: str) -> Response:
    """Replace the traits of a provider."""
    body = ctx.json(schemas.SET_TRAITS)
    row = providers.find(ctx.tx, uuid)
    providers.check_generation(row, body["resource_provider_generation"])
    unknown = traits.unknown(ctx.tx, body["traits"])
    if unknown:
        raise BadRequest(f"No such trait {', '.join(unknown)}")
    return _shown(ctx, _replaced(ctx, row, body["traits"]))


@ROUTES.asking("DELETE", _OF_PROVIDER, "resource_providers:traits:delete")
def remove_all(ctx: PlacementContext, uuid: str) -> Response:
    """Remove all traits of a provider."""
    _replaced(ctx, providers.find(ctx.tx, uuid), [])
    return ctx.empty(204)


def _replaced(ctx: PlacementContext, row: Record, wanted: list[str]) -> Record:
    """Give a provider these traits, and return it; its generation is another if they are new."""
    uuid = row["uuid"]
    if traits.of_providers(ctx.tx, [uuid]).get(uuid, set()) == set(wanted):
        return row
    traits.replace(ctx.tx, uuid, wanted)
    return providers.touch(ctx.tx, ctx.clock, row)


def _named(found: list[str], wanted: str) -> list[str]:
    kind, colon, value = wanted.partition(":")
    if not colon or kind not in ("in", "startswith"):
        raise BadRequest(
            "Badly formatted name parameter. Expected name query string parameter in form: "
            f'?name=[in|startswith]:[name1,name2|prefix]. Got: "{wanted}"'
        )
    if kind == "in":
        names = set(value.split(","))
        return [name for name in found if name in names]
    return [name for name in found if name.startswith(value)]


def _shown(ctx: PlacementContext, row: Record) -> Response:
    return ctx.shown(
        {
            "traits": sorted(traits.of_providers(ctx.tx, [row["uuid"]]).get(row["uuid"], ())),
            "resource_provider_generation": row["generation"],
        }
    )
