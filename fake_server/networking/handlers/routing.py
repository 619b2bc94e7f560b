"""``/v2.0/routers``: the interfaces of routers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest
from fake_server.common.formats import is_uuid
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.networking import bodies
from fake_server.networking.models import routers
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KIND = "routers"
_NAMES = ("port_id", "subnet_id")


@ROUTES.add("PUT", "/v2.0/routers/{ident}/add_router_interface", "add_router_interface")
def add_interface(ctx: NetworkingContext, ident: str) -> Response:
    """Connect a router with a subnet."""
    router = _router(ctx, ident, "add")
    given = _interface(ctx)
    if len(given) > 1:
        raise _refusal("Cannot specify both subnet-id and port-id")
    if "port_id" in given:
        port = routers.add_port(ctx.session, router, ctx.visible("ports", given["port_id"]))
        subnets = [one["subnet_id"] for one in port["fixed_ips"]]
    else:
        subnet = ctx.visible("subnets", given["subnet_id"])
        port = routers.add_subnet(ctx.session, router, subnet)
        subnets = [subnet["id"]]
    return encode(200, _shown(router, port, subnets))


@ROUTES.add("PUT", "/v2.0/routers/{ident}/remove_router_interface", "remove_router_interface")
def remove_interface(ctx: NetworkingContext, ident: str) -> Response:
    """Disconnect a router from a subnet."""
    router = _router(ctx, ident, "remove")
    given = _interface(ctx)
    wanted = (given.get(name) for name in _NAMES)
    port, subnets = routers.remove_interface(ctx.session, router, *wanted)
    return encode(200, _shown(router, port, subnets))


def _router(ctx: NetworkingContext, ident: str, action: str) -> Record:
    router = ctx.visible(_KIND, ident)
    ctx.enforce(action, _KIND, router, part="router_interface")
    return router


def _interface(ctx: NetworkingContext) -> dict[str, str]:
    """Return the port, the subnet or both that a body names."""
    body = bodies.read_object(ctx)
    given = {name: body[name] for name in _NAMES if body.get(name)}
    for value in given.values():
        if not is_uuid(value):
            raise _refusal(f"'{value}' is not a valid UUID")
    if not given:
        raise _refusal("Either subnet_id or port_id must be specified")
    return given


def _shown(router: Record, port: Record, subnets: Iterable[str]) -> Record:
    idents = list(subnets)
    return {
        "id": router["id"],
        "project_id": router["project_id"],
        "port_id": port["id"],
        "network_id": port["network_id"],
        "subnet_id": idents[0],
        "subnet_ids": idents,
    }


def _refusal(reason: str) -> BadRequest:
    return BadRequest(f"Bad router request: {reason}.", "BadRequest")
