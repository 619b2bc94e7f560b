"""The prefixes of subnet pools one by one, and the subnets that floating IPs are from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.networking import bodies
from fake_server.networking.errors import InvalidAttribute
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items, subnetpools
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KIND = "subnetpools"


@ROUTES.add("PUT", "/v2.0/subnetpools/{ident}/add_prefixes", "add_prefixes")
def add_prefixes(ctx: NetworkingContext, ident: str) -> Response:
    """Add prefixes."""
    return _change(ctx, ident, "add", subnetpools.add_prefixes)


@ROUTES.add("PUT", "/v2.0/subnetpools/{ident}/remove_prefixes", "remove_prefixes")
def remove_prefixes(ctx: NetworkingContext, ident: str) -> Response:
    """Remove prefixes."""
    return _change(ctx, ident, "remove", subnetpools.remove_prefixes)


@ROUTES.add("GET", "/v2.0/floatingip_pools", "get_floatingip_pool")
def list_floating(ctx: NetworkingContext) -> Response:
    """List the subnets that floating IPs are taken from."""
    if not ctx.may("get_floatingip_pool"):
        return encode(200, {"floatingip_pools": []})
    external = [
        network["id"]
        for network in ctx.seen("networks", items.fetch(ctx.session, "networks"))
        if network["router:external"]
    ]
    found = [
        {
            "subnet_id": subnet["id"],
            "subnet_name": subnet["name"],
            "network_id": subnet["network_id"],
            "cidr": subnet["cidr"],
            "project_id": ctx.project_id,
            "tenant_id": ctx.project_id,
        }
        for subnet in items.fetch(ctx.session, "subnets", network_id=external)
        if subnet["ip_version"] == 4
    ]
    return encode(200, {"floatingip_pools": found})


def _change(
    ctx: NetworkingContext, ident: str, action: str, change: Callable[..., Record]
) -> Response:
    pool = ctx.visible(_KIND, ident)
    ctx.enforce(action, _KIND, pool, part="prefixes")
    try:
        wanted = bodies.read_object(ctx)["prefixes"]
        wanted = KINDS[_KIND].attributes["prefixes"].convert("prefixes", wanted)
    except (KeyError, InvalidAttribute):
        raise BadRequest("Request body contains invalid data") from None
    return encode(200, {"prefixes": change(ctx.session, pool, wanted)["prefixes"]})
