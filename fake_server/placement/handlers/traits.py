"""``/traits`` and ``/resource_providers/{uuid}/traits``: what is to be said of a provider."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.common.rest import Routes
from fake_server.placement import microversions, schemas
from fake_server.placement.errors import BadRequest, NotFound
from fake_server.placement.models import providers, traits

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Call, Handler

ROUTES: Routes[Handler] = Routes()
_OF_PROVIDER = "/resource_providers/{uuid}/traits"
_CUSTOM = re.compile("CUSTOM_[A-Z0-9_]{1,248}")


@ROUTES.add("GET", "/traits")
def list_traits(call: Call) -> Response:
    """List all traits."""
    call.since(microversions.TRAITS)
    call.permit("traits:list")
    call.only("name", "associated")
    found = traits.names(call.tx)
    wanted, associated = call.one_of("name"), call.one_of("associated")
    if wanted is not None:
        found = _named(found, wanted)
    if associated is not None:
        if associated.lower() not in ("true", "false"):
            raise BadRequest('The query parameter "associated" only accepts "true" or "false"')
        used = traits.associated(call.tx)
        found = [name for name in found if (name in used) == (associated.lower() == "true")]
    return call.shown({"traits": found})


@ROUTES.add("GET", "/traits/{name}")
def show(call: Call, name: str) -> Response:
    """Tell whether there is such a trait."""
    call.since(microversions.TRAITS)
    call.permit("traits:show")
    if not traits.exists(call.tx, name):
        raise NotFound(f"No such trait(s): {name}.")
    return call.empty(204, *call.fresh())


@ROUTES.add("PUT", "/traits/{name}")
def create(call: Call, name: str) -> Response:
    """Make a trait, unless it is there."""
    call.since(microversions.TRAITS)
    call.permit("traits:update")
    if not _CUSTOM.fullmatch(name):
        raise BadRequest(
            "The trait is invalid. A valid trait must be no longer than 255 characters, start "
            'with the prefix "CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"'
        )
    status = 201 if traits.create(call.tx, name) else 204
    location = f"{call.request.host_url}{call.base}/traits/{name}"
    return call.empty(status, ("Location", location), *call.fresh())


@ROUTES.add("DELETE", "/traits/{name}")
def delete(call: Call, name: str) -> Response:
    """Remove a trait."""
    call.since(microversions.TRAITS)
    call.permit("traits:delete")
    traits.delete(call.tx, name)
    return call.empty(204)


@ROUTES.add("GET", _OF_PROVIDER)
def list_of_provider(call: Call, uuid: str) -> Response:
    """List the traits of a provider."""
    call.since(microversions.TRAITS)
    call.permit("resource_providers:traits:list")
    return _shown(call, providers.find_as(call.tx, uuid, "No resource provider with uuid {} found"))


@ROUTES.add("PUT", _OF_PROVIDER)
def replace(call: Call, uuid: str) -> Response:
    """Give a provider these traits and no others."""
    call.since(microversions.TRAITS)
    call.permit("resource_providers:traits:update")
    body = call.json(schemas.SET_TRAITS)
    row = providers.find(call.tx, uuid)
    providers.check_generation(row, body["resource_provider_generation"])
    unknown = traits.unknown(call.tx, body["traits"])
    if unknown:
        raise BadRequest(f"No such trait {', '.join(unknown)}")
    traits.replace(call.tx, uuid, body["traits"])
    return _shown(call, providers.touch(call.tx, call.clock, row))


@ROUTES.add("DELETE", _OF_PROVIDER)
def remove_all(call: Call, uuid: str) -> Response:
    """Take all traits away from a provider."""
    call.since(microversions.TRAITS)
    call.permit("resource_providers:traits:delete")
    row = providers.find(call.tx, uuid)
    traits.replace(call.tx, uuid, [])
    providers.touch(call.tx, call.clock, row)
    return call.empty(204)


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


def _shown(call: Call, row: Record) -> Response:
    return call.shown(
        {
            "traits": traits.of_provider(call.tx, row["uuid"]),
            "resource_provider_generation": row["generation"],
        }
    )
