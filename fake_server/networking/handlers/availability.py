"""What there is of networks: their free addresses, and what serves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import Conflict, Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.networking import lists, views
from fake_server.networking.models import ip_availabilities, items
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KIND = "network_ip_availabilities"
_PROVIDERS = ("dvr", "dvrha", "ha", "single_node")


@ROUTES.add("GET", "/v2.0/network-ip-availabilities", "get_network_ip_availability")
def list_availabilities(ctx: NetworkingContext) -> Response:
    """List how many addresses networks have."""
    versions = lists.read_filters(ctx, _KIND).get("ip_version", [])
    rows = ip_availabilities.fetch(ctx.session, versions)
    if versions:
        rows = [{**row, "ip_version": versions[0]} for row in rows if row["total_ips"]]
    return encode(200, lists.answer(ctx, _KIND, rows))


@ROUTES.add("GET", "/v2.0/network-ip-availabilities/{ident}", "get_network_ip_availability")
def show(ctx: NetworkingContext, ident: str) -> Response:
    """Show how many addresses a network has."""
    network = items.need(ctx.session, "networks", ident)
    (row,) = ip_availabilities.fetch(ctx.session, networks=[network])
    if not ctx.allows("get", _KIND, row):
        raise NotFound
    found = {**row, "tenant_id": row["project_id"]}
    return encode(200, {"network_ip_availability": views.of_fields(ctx, found)})


@ROUTES.add("GET", "/v2.0/service-providers", "get_service_provider")
def list_providers(ctx: NetworkingContext) -> Response:
    """List what can implement routers."""
    found = [
        {"service_type": "L3_ROUTER_NAT", "name": name, "default": False}
        for name in _PROVIDERS
        if ctx.may("get_service_provider", {})
    ]
    return encode(200, {"service_providers": found})


@ROUTES.public("GET", "/v2.0/auto-allocated-topology/{project}")
def show_topology(ctx: NetworkingContext, project: str) -> Response:
    """Refuse to make a network for a project, as Neutron does without a default external one."""
    if not ctx.is_admin and project != ctx.project_id:
        raise Forbidden("Not authorized.", "NotAuthorized")
    raise Conflict("Deployment error: No default router:external network.", "AutoAllocationFailure")
