"""``/resource_providers/{uuid}/inventories``: the inventories of a provider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.db.store import DuplicateError
from fake_server.placement import microversions, schemas
from fake_server.placement.errors import CONCURRENT_UPDATE
from fake_server.placement.models import classes, inventories, providers
from fake_server.placement.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.schemas import Checker
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Handler, PlacementContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_ALL = "/resource_providers/{uuid}/inventories"
_UNKNOWN = "No resource provider with uuid {} found "
_ONE = "/resource_providers/{uuid}/inventories/{name}"


@ROUTES.asking("GET", _ALL, "resource_providers:inventories:list")
def list_inventories(ctx: PlacementContext, uuid: str) -> Response:
    """List the inventories of a provider."""
    return _all_shown(ctx, providers.find_as(ctx.tx, uuid, _UNKNOWN))


@ROUTES.asking("POST", _ALL, "resource_providers:inventories:create")
def create(ctx: PlacementContext, uuid: str) -> Response:
    """Add an inventory."""
    row, body = providers.find(ctx.tx, uuid), ctx.json(schemas.CREATE_INVENTORY)
    name, values = body["resource_class"], inventories.completed(body)
    _check(ctx, uuid, {name: values}, f"Unable to create inventory for resource provider {uuid}")
    try:
        inventories.add(ctx.tx, uuid, name, values)
    except DuplicateError:
        raise Conflict(
            f"Update conflict: Inventory for '{name}' on resource provider '{uuid}' exists.",
            CONCURRENT_UPDATE,
        ) from None
    row = providers.touch(ctx.tx, ctx.clock, row)
    location = ctx.location(f"/resource_providers/{uuid}/inventories/{name}")
    return ctx.shown(_one(row, values), 201, location)


@ROUTES.asking("PUT", _ALL, "resource_providers:inventories:update")
def replace(ctx: PlacementContext, uuid: str) -> Response:
    """Replace the inventories of a provider."""
    row, body = _current(ctx, uuid, schemas.SET_INVENTORIES)
    wanted = {name: inventories.completed(one) for name, one in body["inventories"].items()}
    unknown = f"Unknown resource class in inventory for resource provider {uuid}"
    inventories.check_known(ctx.tx, wanted, unknown)
    _check(ctx, uuid, wanted, f"Unable to update inventory for resource provider {uuid}")
    try:
        inventories.replace(ctx.tx, uuid, wanted)
    except Conflict as exc:
        raise Conflict(f"update conflict: {exc}", exc.code) from None
    return _all_shown(ctx, providers.touch(ctx.tx, ctx.clock, row))


@ROUTES.add("DELETE", _ALL, "resource_providers:inventories:delete")
def delete_all(ctx: PlacementContext, uuid: str) -> Response:
    """Remove all inventories."""
    ctx.since(microversions.DELETE_INVENTORIES, method=True)
    ctx.require("resource_providers:inventories:delete")
    row = providers.find(ctx.tx, uuid)
    inventories.replace(ctx.tx, uuid, {})
    providers.touch(ctx.tx, ctx.clock, row)
    return ctx.empty(204)


@ROUTES.asking("GET", _ONE, "resource_providers:inventories:show")
def show(ctx: PlacementContext, uuid: str, name: str) -> Response:
    """Show an inventory."""
    row = providers.find_as(ctx.tx, uuid, _UNKNOWN)
    found = inventories.fetch(ctx.tx, uuid)
    if name not in found:
        raise NotFound(f"No inventory of class {name} for {uuid}")
    return ctx.shown(_one(row, found[name]))


@ROUTES.asking("PUT", _ONE, "resource_providers:inventories:update")
def update(ctx: PlacementContext, uuid: str, name: str) -> Response:
    """Change an inventory."""
    row, body = _current(ctx, uuid, schemas.UPDATE_INVENTORY)
    classes.check(ctx.tx, name)
    present = inventories.fetch(ctx.tx, uuid)
    if name not in present:
        raise BadRequest(
            f"No inventory record with resource class for resource provider {uuid}: No inventory "
            f"of class {name} found."
        )
    values = inventories.completed(body)
    _check(ctx, uuid, {name: values}, f"Unable to update inventory for resource provider {uuid}")
    inventories.replace(ctx.tx, uuid, {**present, name: values})
    return ctx.shown(_one(providers.touch(ctx.tx, ctx.clock, row), values))


@ROUTES.asking("DELETE", _ONE, "resource_providers:inventories:delete")
def delete(ctx: PlacementContext, uuid: str, name: str) -> Response:
    """Remove an inventory."""
    row = providers.find(ctx.tx, uuid)
    if name not in inventories.fetch(ctx.tx, uuid):
        raise NotFound(
            f"No inventory of class {name} found for delete: "
            f"No inventory of class {name} found for delete"
        )
    try:
        inventories.remove(ctx.tx, uuid, [name])
    except Conflict as exc:
        raise Conflict(
            f"Unable to delete inventory of class {name}: {exc}", CONCURRENT_UPDATE
        ) from None
    providers.touch(ctx.tx, ctx.clock, row)
    return ctx.empty(204)


def _current(ctx: PlacementContext, uuid: str, checker: Checker) -> tuple[Record, dict[str, Any]]:
    """Return a provider and the body, which names its generation."""
    row, body = providers.find(ctx.tx, uuid), ctx.json(checker)
    generation = body["resource_provider_generation"]
    providers.check_generation(row, generation, "resource provider generation conflict")
    return row, body


def _check(
    ctx: PlacementContext, uuid: str, wanted: Mapping[str, Mapping[str, Any]], problem: str
) -> None:
    all_of = ctx.minor >= microversions.RESERVE_ALL
    for name, values in wanted.items():
        wrong = inventories.check(ctx.tx, uuid, name, values, all_of=all_of)
        if wrong:
            raise BadRequest(f"{problem}: {wrong}")


def _one(row: Record, values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{name: values[name] for name in inventories.FIELDS},
        "resource_provider_generation": row["generation"],
    }


def _all_shown(ctx: PlacementContext, row: Record) -> Response:
    found = inventories.fetch(ctx.tx, row["uuid"])
    return ctx.shown(
        {
            "resource_provider_generation": row["generation"],
            "inventories": {
                key: {name: values[name] for name in inventories.FIELDS}
                for key, values in found.items()
            },
        },
        modified=bool(found),
    )
