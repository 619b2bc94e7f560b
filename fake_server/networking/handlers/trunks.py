"""``/v2.0/trunks/ID``: the ports of a trunk, some at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.networking import bodies, nested_values, views
from fake_server.networking.models import trunks
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext
    from fake_server.networking.models.items import NetworkingSession

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.add("GET", "/v2.0/trunks/{ident}/get_subports", "get_subports")
def list_sub_ports(ctx: NetworkingContext, ident: str) -> Response:
    """List the ports."""
    trunk = ctx.visible("trunks", ident)
    ctx.enforce("get", "trunks", trunk, part="subports")
    return encode(200, {"sub_ports": trunk["sub_ports"]})


@ROUTES.add("PUT", "/v2.0/trunks/{ident}/add_subports", "add_subports")
def add_sub_ports(ctx: NetworkingContext, ident: str) -> Response:
    """Add ports."""
    return _change_sub_ports(ctx, ident, "add", trunks.add_ports)


@ROUTES.add("PUT", "/v2.0/trunks/{ident}/remove_subports", "remove_subports")
def remove_sub_ports(ctx: NetworkingContext, ident: str) -> Response:
    """Remove ports."""
    return _change_sub_ports(ctx, ident, "remove", trunks.remove_ports)


def _change_sub_ports(
    ctx: NetworkingContext,
    ident: str,
    action: str,
    change: Callable[[NetworkingSession, Record, list[Record]], Record],
) -> Response:
    trunk = ctx.visible("trunks", ident)
    wanted = bodies.converted(nested_values.sub_ports, bodies.read_object(ctx).get("sub_ports"))
    ctx.enforce(action, "trunks", trunk, part="subports")
    if action == "add":
        ctx.check_named("trunks", {"sub_ports": wanted})
    changed = change(ctx.session, trunk, wanted)
    # Neutron shows it without the name of what it is.
    return encode(200, views.single(ctx, "trunks", changed))
