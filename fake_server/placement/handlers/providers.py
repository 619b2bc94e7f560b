"""``/resource_providers``: what there is to be had of somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from fake_server.common.formats import is_uuid
from fake_server.common.rest import Routes
from fake_server.placement import microversions, schemas
from fake_server.placement.errors import BadRequest, NotFound
from fake_server.placement.models import classes, inventories, providers, traits
from fake_server.placement.queries import Group

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Call, Handler

ROUTES: Routes[Handler] = Routes()
#: What a list can be narrowed by, with the version that brought it.
_FILTERS = {
    "name": 0,
    "uuid": 0,
    "member_of": microversions.MEMBER_OF,
    "resources": microversions.RESOURCES,
    "in_tree": microversions.NESTED,
    "required": microversions.PROVIDERS_REQUIRED,
}


@ROUTES.add("GET", "/resource_providers")
def list_providers(call: Call) -> Response:
    """List providers."""
    call.permit("resource_providers:list")
    call.only(*(name for name, minor in _FILTERS.items() if call.minor >= minor))
    query, group = call.request.query, Group()
    for name in ("uuid", "in_tree"):
        _check_uuid(call.one_of(name))
    for kind in ("member_of", "required", "resources"):
        if kind in query:
            group.read(kind, query[kind], call.minor)
    _check_known(call, group)
    conditions = {name: call.one_of(name) for name in ("uuid", "name") if name in query}
    rows = providers.matching(call.tx, **conditions)
    rows = _in_tree(call, rows)
    return call.shown(
        {"resource_providers": [view(call, row) for row in _fitting(call, rows, group)]}
    )


@ROUTES.add("POST", "/resource_providers")
def create(call: Call) -> Response:
    """Create a provider."""
    call.permit("resource_providers:create")
    nested = call.minor >= microversions.NESTED
    body = call.json(schemas.CREATE_NESTED_PROVIDER if nested else schemas.CREATE_PROVIDER)
    uuid = str(UUID(body["uuid"])) if body.get("uuid") else str(uuid4())
    row = providers.create(
        call.tx, call.clock, uuid, body["name"], body.get("parent_provider_uuid")
    )
    location = ("Location", f"{call.request.host_url}{_path(call, uuid)}")
    if call.minor >= microversions.CREATE_SHOWS:
        return call.shown(view(call, row), 200, location)
    return call.empty(201, location)


@ROUTES.add("GET", "/resource_providers/{uuid}")
def show(call: Call, uuid: str) -> Response:
    """Show a provider."""
    call.permit("resource_providers:show")
    return call.shown(view(call, providers.find(call.tx, uuid)))


@ROUTES.add("PUT", "/resource_providers/{uuid}")
def update(call: Call, uuid: str) -> Response:
    """Rename a provider, or put it into a tree."""
    call.permit("resource_providers:update")
    row = providers.find(call.tx, uuid)
    nested = call.minor >= microversions.NESTED
    body = call.json(schemas.UPDATE_NESTED_PROVIDER if nested else schemas.UPDATE_PROVIDER)
    parent = body.get("parent_provider_uuid", row["parent_uuid"])
    moves = row["parent_uuid"] is not None and parent != row["parent_uuid"]
    if moves and call.minor < microversions.REPARENT:
        what = "un-parenting" if parent is None else "re-parenting"
        raise BadRequest(
            f"Unable to save resource provider {uuid}: Object action update failed because: "
            f"{what} a provider is not currently allowed."
        )
    return call.shown(view(call, providers.rename(call.tx, call.clock, row, body["name"], parent)))


@ROUTES.add("DELETE", "/resource_providers/{uuid}")
def delete(call: Call, uuid: str) -> Response:
    """Remove a provider."""
    call.permit("resource_providers:delete")
    providers.delete(call.tx, providers.find(call.tx, uuid, " for delete"))
    return call.empty(204)


def view(call: Call, row: Record) -> dict[str, Any]:
    """Return a provider as a version shows it."""
    path = _path(call, row["uuid"])
    below = ["inventories", "usages"]
    for name, minor in (
        ("aggregates", microversions.AGGREGATES),
        ("traits", microversions.TRAITS),
        ("allocations", microversions.ALLOCATION_LINK),
    ):
        if call.minor >= minor:
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
    if call.minor >= microversions.NESTED:
        shown["parent_provider_uuid"] = row["parent_uuid"]
        shown["root_provider_uuid"] = row["root_uuid"]
    return shown


def _path(call: Call, uuid: str) -> str:
    return f"{call.base}/resource_providers/{uuid}"


def _check_uuid(text: str | None) -> None:
    if text is not None and not is_uuid(text):
        raise BadRequest(f"Invalid query string parameters: {text!r} is not a 'uuid'")


def _check_known(call: Call, group: Group) -> None:
    try:
        for name in group.resources:
            classes.check(call.tx, name)
    except NotFound as exc:
        raise BadRequest(f"Invalid resource class in resources parameter: {exc}") from None
    unknown = traits.unknown(call.tx, group.traits())
    if unknown:
        raise BadRequest(
            f'Invalid trait(s) in "required" parameter: No such trait(s): {", ".join(unknown)}.'
        )


def _in_tree(call: Call, rows: list[Record]) -> list[Record]:
    wanted = call.one_of("in_tree")
    if wanted is None:
        return rows
    roots = {row["root_uuid"] for row in providers.matching(call.tx, uuid=wanted)}
    return [row for row in rows if row["root_uuid"] in roots]


def _fitting(call: Call, rows: list[Record], group: Group) -> list[Record]:
    """Return the providers that have what a group asks for."""
    for name, amount in group.resources.items():
        room = set(inventories.having(call.tx, name, amount))
        rows = [row for row in rows if row["uuid"] in room]
    if group.traits():
        has = traits.of_all(call.tx)
        rows = [row for row in rows if group.suits_traits(has.get(row["uuid"], set()))]
    if group.member_of or group.not_member_of:
        within = providers.aggregates_of_all(call.tx)
        rows = [row for row in rows if group.suits_aggregates(within.get(row["uuid"], set()))]
    return rows
