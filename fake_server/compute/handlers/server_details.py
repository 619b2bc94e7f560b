"""What else there is of a server: addresses, security groups, diagnostics and the password."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions, views
from fake_server.compute.errors import InstanceInvalidState, InstanceNotReady, UnsupportedError
from fake_server.compute.handlers import servers
from fake_server.compute.models import instances
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_NO_RDP = (
    "The server could not comply with the request since it is either malformed or otherwise "
    "incorrect."
)
_PASSWORD = "/servers/{ident}/os-server-password"  # noqa: S105 - an address


@ROUTES.add("GET", "/servers/{ident}/ips", "ips:index")
def list_addresses(ctx: Context, ident: str) -> Response:
    """List the addresses of a server."""
    row = servers.found(ctx, ident, "ips:index")
    found = views.short_addresses(servers.shown(ctx, row)["addresses"])
    return encode(200, {"addresses": found})


@ROUTES.add("GET", "/servers/{ident}/ips/{network}", "ips:show")
def list_addresses_of_network(ctx: Context, ident: str, network: str) -> Response:
    """List the addresses of a server on one network."""
    row = servers.found(ctx, ident, "ips:show")
    found = views.short_addresses(servers.shown(ctx, row)["addresses"])
    if network not in found:
        raise NotFound("Instance is not a member of specified network")
    return encode(200, {network: found[network]})


@ROUTES.add(
    "GET",
    "/servers/{ident}/topology",
    "compute:server:topology:index",
    since=microversions.TOPOLOGY,
)
def show_topology(ctx: Context, ident: str) -> Response:
    """Show the NUMA topology of a server, of which Nova's driver for Ironic knows nothing."""
    servers.found(ctx, ident, "compute:server:topology:index")
    return encode(200, {"nodes": [], "pagesize_kb": None})


@ROUTES.add("GET", "/servers/{ident}/diagnostics", "os-server-diagnostics")
def show_diagnostics(ctx: Context, ident: str) -> Response:
    """Refuse to tell what a server does, which Nova's driver for Ironic doesn't know."""
    row = servers.found(ctx, ident, "os-server-diagnostics")
    if row["node_uuid"] is None:
        raise InstanceNotReady(ident)
    if row["power_state"] != instances.RUNNING:
        raise InstanceInvalidState("get_diagnostics", row, "power_state")
    raise UnsupportedError


@ROUTES.add(
    "POST",
    "/servers/{ident}/remote-consoles",
    "os-remote-consoles",
    since=microversions.REMOTE_CONSOLES,
)
def create_console(ctx: Context, ident: str) -> Response:
    """Refuse a console: Nova's driver for Ironic knows the serial one alone, which is off here."""
    wanted = ctx.json(schemas.REMOTE_CONSOLE)["remote_console"]
    row = servers.found(ctx, ident, "os-remote-consoles")
    refuse_console(row, wanted["type"])


def refuse_console(row: Record, kind: str) -> NoReturn:
    """Refuse a console of a server."""
    if row["node_uuid"] is None:
        raise InstanceNotReady(row["id"])
    if kind in ("novnc", "xvpvnc"):
        raise UnsupportedError
    if kind == "rdp-html5":
        raise BadRequest(_NO_RDP)
    raise BadRequest(f"Unavailable console type {kind}.")


@ROUTES.add("GET", _PASSWORD, "os-server-password:show")
def show_password(ctx: Context, ident: str) -> Response:
    """Show the password that a server has told Nova, which is none."""
    servers.found(ctx, ident, "os-server-password:show")
    return encode(200, {"password": ""})


@ROUTES.add("DELETE", _PASSWORD, "os-server-password:clear")
def forget_password(ctx: Context, ident: str) -> Response:
    """Forget the password that a server has told Nova."""
    servers.found(ctx, ident, "os-server-password:clear")
    return Response(204)
