"""``/resource_providers/{uuid}/inventories``: how much of what a provider has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes
from fake_server.db.store import DuplicateError
from fake_server.placement import microversions, schemas
from fake_server.placement.errors import CONCURRENT_UPDATE, BadRequest, Conflict, NotFound
from fake_server.placement.models import classes, inventories, providers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Call, Handler

ROUTES: Routes[Handler] = Routes()
_ALL = "/resource_providers/{uuid}/inventories"
_ONE = "/resource_providers/{uuid}/inventories/{name}"


@ROUTES.add("GET", _ALL)
def list_inventories(call: Call, uuid: str) -> Response:
    """List the inventories of a provider."""
    call.permit("resource_providers:inventories:list")
    return _all_shown(call, providers.find(call.tx, uuid))


@ROUTES.add("POST", _ALL)
def create(call: Call, uuid: str) -> Response:
    """Add an inventory."""
    call.permit("resource_providers:inventories:create")
    row, body = providers.find(call.tx, uuid), call.json(schemas.CREATE_INVENTORY)
    name, values = body["resource_class"], inventories.completed(body)
    _check(call, uuid, {name: values}, f"Unable to create inventory for resource provider {uuid}")
    try:
        inventories.add(call.tx, uuid, name, values)
    except DuplicateError:
        raise Conflict(
            f"Update conflict: Inventory for '{name}' on resource provider '{uuid}' exists.",
            CONCURRENT_UPDATE,
        ) from None
    row = providers.touch(call.tx, call.clock, row)
    location = f"{call.request.host_url}{call.base}/resource_providers/{uuid}/inventories/{name}"
    return call.shown(_one(row, values), 201, ("Location", location))


@ROUTES.add("PUT", _ALL)
def replace(call: Call, uuid: str) -> Response:
    """Give a provider these inventories and no others."""
    call.permit("resource_providers:inventories:update")
    row, body = providers.find(call.tx, uuid), call.json(schemas.SET_INVENTORIES)
    generation = body["resource_provider_generation"]
    providers.check_generation(row, generation, "resource provider generation conflict")
    wanted = {name: inventories.completed(one) for name, one in body["inventories"].items()}
    for name in wanted:
        if not classes.exists(call.tx, name):
            raise BadRequest(
                f"Unknown resource class in inventory for resource provider {uuid}: No such "
                f"resource class {name}."
            )
    _check(call, uuid, wanted, f"Unable to update inventory for resource provider {uuid}")
    try:
        inventories.replace(call.tx, uuid, wanted)
    except Conflict as exc:
        raise Conflict(f"update conflict: {exc}", exc.code) from None
    return _all_shown(call, providers.touch(call.tx, call.clock, row))


@ROUTES.add("DELETE", _ALL)
def delete_all(call: Call, uuid: str) -> Response:
    """Take all inventories away."""
    call.since(microversions.DELETE_INVENTORIES, method=True)
    call.permit("resource_providers:inventories:delete")
    row = providers.find(call.tx, uuid)
    inventories.replace(call.tx, uuid, {})
    providers.touch(call.tx, call.clock, row)
    return call.empty(204)


@ROUTES.add("GET", _ONE)
def show(call: Call, uuid: str, name: str) -> Response:
    """Show an inventory."""
    call.permit("resource_providers:inventories:show")
    row = providers.find(call.tx, uuid)
    return call.shown(_one(row, _found(call, uuid, name)))


@ROUTES.add("PUT", _ONE)
def update(call: Call, uuid: str, name: str) -> Response:
    """Change an inventory."""
    call.permit("resource_providers:inventories:update")
    row, body = providers.find(call.tx, uuid), call.json(schemas.UPDATE_INVENTORY)
    generation = body["resource_provider_generation"]
    providers.check_generation(row, generation, "resource provider generation conflict")
    present = inventories.fetch(call.tx, uuid)
    if name not in present:
        raise BadRequest(
            f"No inventory record with resource class for resource provider {uuid}: No inventory "
            f"of class {name} found."
        )
    values = inventories.completed(body)
    _check(call, uuid, {name: values}, f"Unable to update inventory for resource provider {uuid}")
    inventories.replace(call.tx, uuid, {**present, name: values})
    return call.shown(_one(providers.touch(call.tx, call.clock, row), values))


@ROUTES.add("DELETE", _ONE)
def delete(call: Call, uuid: str, name: str) -> Response:
    """Take an inventory away."""
    call.permit("resource_providers:inventories:delete")
    row = providers.find(call.tx, uuid)
    if name not in inventories.fetch(call.tx, uuid):
        raise NotFound(
            f"No inventory of class {name} found for delete: "
            f"No inventory of class {name} found for delete"
        )
    try:
        inventories.remove(call.tx, uuid, [name])
    except Conflict as exc:
        raise Conflict(
            f"Unable to delete inventory of class {name}: {exc}", CONCURRENT_UPDATE
        ) from None
    providers.touch(call.tx, call.clock, row)
    return call.empty(204)


def _found(call: Call, uuid: str, name: str) -> Record:
    found = inventories.fetch(call.tx, uuid).get(name)
    if found is None:
        raise NotFound(f"No inventory of class {name} for {uuid}")
    return found


def _check(call: Call, uuid: str, wanted: Mapping[str, Mapping[str, Any]], problem: str) -> None:
    all_of = call.minor >= microversions.RESERVE_ALL
    for name, values in wanted.items():
        wrong = inventories.check(call.tx, uuid, name, values, all_of=all_of)
        if wrong:
            raise BadRequest(f"{problem}: {wrong}")


def _one(row: Record, values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{name: values[name] for name in inventories.FIELDS},
        "resource_provider_generation": row["generation"],
    }


def _all_shown(call: Call, row: Record) -> Response:
    found = inventories.fetch(call.tx, row["uuid"])
    return call.shown(
        {
            "resource_provider_generation": row["generation"],
            "inventories": {
                key: {name: values[name] for name in inventories.FIELDS}
                for key, values in found.items()
            },
        }
    )
