"""``/v2.0/floatingip_pools``: the subnets that floating IPs are from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.networking.models import items
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


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
