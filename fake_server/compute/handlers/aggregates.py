"""``/os-aggregates``: hosts that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.microversions import Since, at
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions, views
from fake_server.compute.models import aggregates, instances
from fake_server.compute.models.aggregates import ZONE_KEY
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import infrastructure as schemas

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_AGGREGATES = "/os-aggregates"
_AGGREGATE = "/os-aggregates/{ident}"


@ROUTES.add("GET", _AGGREGATES, "os-aggregates:index")
def list_aggregates(ctx: Context) -> Response:
    """List aggregates."""
    ctx.require("os-aggregates:index")
    shown = [_shown(ctx, row) for row in aggregates.get_all(ctx.session)]
    return encode(200, {"aggregates": shown})


@ROUTES.add("POST", _AGGREGATES, "os-aggregates:create")
def create(ctx: Context) -> Response:
    """Create an aggregate."""
    wanted = ctx.json(schemas.CREATE_AGGREGATE)["aggregate"]
    ctx.require("os-aggregates:create")
    zone = wanted.get(ZONE_KEY)
    row = aggregates.create(
        ctx.session,
        {
            "id": randomness.uuid(),
            "name": wanted["name"],
            "hosts": [],
            "metadata": {ZONE_KEY: zone} if zone else {},
            "created_at": ctx.session.clock.now(),
        },
    )
    shown = _shown(ctx, row)
    del shown["hosts"], shown["metadata"]
    return encode(200, {"aggregate": shown})


@ROUTES.add("GET", _AGGREGATE, "os-aggregates:show")
def show(ctx: Context, ident: str) -> Response:
    """Show an aggregate."""
    ctx.require("os-aggregates:show")
    return _answer(ctx, _found(ctx, ident))


@ROUTES.add("PUT", _AGGREGATE, "os-aggregates:update")
def update(ctx: Context, ident: str) -> Response:
    """Rename an aggregate, or change its availability zone."""
    wanted = ctx.json(schemas.UPDATE_AGGREGATE)["aggregate"]
    ctx.require("os-aggregates:update")
    row = _found(ctx, ident)
    changes: dict[str, Any] = {"name": wanted["name"]} if "name" in wanted else {}
    if ZONE_KEY in wanted:
        problem = f"Cannot update aggregate {row['number']}. Reason: "
        _check_zone(ctx, row, wanted[ZONE_KEY], problem)
        changes["metadata"] = _changed(row["metadata"], {ZONE_KEY: wanted[ZONE_KEY]})
    return _answer(ctx, _update(ctx, row, **changes))


@ROUTES.add("DELETE", _AGGREGATE, "os-aggregates:delete")
def delete(ctx: Context, ident: str) -> Response:
    """Remove an aggregate without hosts."""
    ctx.require("os-aggregates:delete")
    row = _found(ctx, ident)
    if row["hosts"]:
        raise BadRequest(
            f"Cannot remove host from aggregate {row['number']}. Reason: Host aggregate is not "
            "empty."
        )
    aggregates.destroy(ctx.session, row)
    return Response(200)


@ROUTES.add(
    "POST",
    "/os-aggregates/{ident}/action",
    "os-aggregates:add_host",
    "os-aggregates:remove_host",
    "os-aggregates:set_metadata",
)
def act(ctx: Context, ident: str) -> Response:
    """Add or remove a host, or change the metadata of an aggregate."""
    action = ctx.action(schemas.AGGREGATE_ACTIONS)
    values = ctx.json(schemas.CHANGE_AGGREGATE)[action]
    ctx.require(f"os-aggregates:{action}")
    row = _found(ctx, ident)
    if action == "set_metadata":
        return _set_metadata(ctx, row, values["metadata"])
    host = values["host"]
    if action == "add_host":
        return _add_host(ctx, row, host)
    if host not in row["hosts"]:
        raise NotFound(f"Cannot remove host {host} in aggregate {ident}")
    hosts = [other for other in row["hosts"] if other != host]
    return _answer(ctx, _update(ctx, row, hosts=hosts))


def _add_host(ctx: Context, row: Record, host: str) -> Response:
    if host != ctx.session.host:
        raise NotFound(f"Compute host {host} could not be found.")
    if host in row["hosts"]:
        raise Conflict(f"Aggregate {row['number']} already has host {host}.")
    zone = row["metadata"].get(ZONE_KEY)
    others = {
        other["metadata"][ZONE_KEY]
        for other in aggregates.get_all(ctx.session)
        if host in other["hosts"] and ZONE_KEY in other["metadata"]
    }
    if zone is not None and others - {zone}:
        raise Conflict(
            f"Cannot add host to aggregate {row['number']}. Reason: One or more hosts already in "
            f"availability zone(s) {sorted(others)}."
        )
    placed = sum(1 for server in instances.get_all(ctx.session, None) if server["node_uuid"])
    if zone is not None and not others and placed:
        raise Conflict(
            f"Cannot add host to aggregate {row['number']}. Reason: The host cannot be added to "
            f"the aggregate as the availability zone of the host would change from 'None' to "
            f"'{zone}' but the host already has {placed} instance(s). Changing the AZ of an "
            "existing instance is not supported by this action. Move the instances away from this "
            "host then try again. If you need to move the instances between AZs then you can use "
            "shelve_offload and unshelve to achieve this.."
        )
    return _answer(ctx, _update(ctx, row, hosts=[*row["hosts"], host]))


def _set_metadata(ctx: Context, row: Record, metadata: dict[str, str | None]) -> Response:
    if ZONE_KEY in metadata:
        problem = f"Cannot update metadata of aggregate {row['number']}. Reason: "
        _check_zone(ctx, row, metadata[ZONE_KEY], problem)
    return _answer(ctx, _update(ctx, row, metadata=_changed(row["metadata"], metadata)))


def _check_zone(ctx: Context, row: Record, zone: str | None, problem: str) -> None:
    """Raise BadRequest for a zone that an aggregate can't be in."""
    if not zone:
        raise BadRequest(
            f"{problem}Aggregate {row['name']} does not support empty named availability zone."
        )
    placed = (server for server in instances.get_all(ctx.session, None) if server["node_uuid"])
    if row["hosts"] and zone != row["metadata"].get(ZONE_KEY) and any(placed):
        raise BadRequest(f"{problem}One or more hosts contain instances in this zone.")


def _changed(metadata: dict[str, str], changes: dict[str, str | None]) -> dict[str, str]:
    """Return metadata with changes, of which null removes a key."""
    changed = {**metadata, **changes}
    return {name: value for name, value in changed.items() if value is not None}


def _update(ctx: Context, row: Record, **changes: Any) -> Record:
    now = ctx.session.clock.now()
    return aggregates.update(ctx.session, row, {**changes, "updated_at": now})


def _found(ctx: Context, ident: str) -> Record:
    number = parse_integer(ident.removeprefix("-"), strict=True)
    if number is None:
        raise BadRequest("Invalid input received: id must be an integer")
    return aggregates.get(ctx.session, -number if ident.startswith("-") else number)


def _answer(ctx: Context, row: Record) -> Response:
    return encode(200, {"aggregate": _shown(ctx, row)})


def _shown(ctx: Context, row: Record) -> dict[str, Any]:
    shown = {
        "id": row["number"],
        "uuid": Since(microversions.AGGREGATE_UUID, row["id"]),
        "name": row["name"],
        "availability_zone": row["metadata"].get(ZONE_KEY),
        "hosts": row["hosts"],
        "metadata": row["metadata"],
        "created_at": views.moment(row["created_at"]),
        "updated_at": views.moment(row["updated_at"]),
        "deleted": False,
        "deleted_at": None,
    }
    return at(ctx.minor, shown)
