"""``/v2.0/floatingips/ID/port_forwardings``: what single ports of a floating IP lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, lists, views
from fake_server.networking.models import items, port_forwardings
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KIND = "port_forwardings"


@ROUTES.add("GET", "/v2.0/floatingips/{ident}/port_forwardings", "get_floatingip_port_forwarding")
def list_all(ctx: NetworkingContext, ident: str) -> Response:
    """List the port forwardings of a floating IP."""
    floating = ctx.visible("floatingips", ident)
    rows = [_of(floating, one) for one in floating[_KIND]]
    body = lists.answer(ctx, _KIND, rows)
    return encode(200, {**body, _KIND: [views.inside(_KIND, one) for one in body[_KIND]]})


@ROUTES.add(
    "POST", "/v2.0/floatingips/{ident}/port_forwardings", "create_floatingip_port_forwarding"
)
def create(ctx: NetworkingContext, ident: str) -> Response:
    """Add a port forwarding to a floating IP, or several."""
    wanted, several = bodies.read(ctx, _KIND)
    items.need(ctx.session, "floatingips", ident)
    ctx.enforce("create", _KIND, {"floatingip_id": ident})
    made = []
    for values in wanted:
        ctx.visible("ports", values["internal_port_id"])
        floating = items.need(ctx.session, "floatingips", ident)
        # Neutron shows what a new one hasn't only then.
        none = dict.fromkeys(("external_port", "internal_port"))
        made.append(none | _shown(port_forwardings.add(ctx.session, floating, values)))
    return encode(201, {_KIND: made} if several else {"port_forwarding": made[0]})


@ROUTES.add(
    "GET",
    "/v2.0/floatingips/{ident}/port_forwardings/{forwarding_id}",
    "get_floatingip_port_forwarding",
)
def show(ctx: NetworkingContext, ident: str, forwarding_id: str) -> Response:
    """Show a port forwarding."""
    _, found = _found(ctx, "get", ident, forwarding_id)
    return encode(200, {"port_forwarding": views.of_fields(ctx, _shown(found))})


@ROUTES.add(
    "PUT",
    "/v2.0/floatingips/{ident}/port_forwardings/{forwarding_id}",
    "update_floatingip_port_forwarding",
)
def update(ctx: NetworkingContext, ident: str, forwarding_id: str) -> Response:
    """Change a port forwarding."""
    changes = bodies.read_changes(ctx, _KIND)
    floating, found = _found(ctx, "update", ident, forwarding_id)
    if "internal_port_id" in changes:
        ctx.visible("ports", changes["internal_port_id"])
    changed = port_forwardings.update(ctx.session, floating, found, changes)
    return encode(200, {"port_forwarding": _shown(changed)})


@ROUTES.add(
    "DELETE",
    "/v2.0/floatingips/{ident}/port_forwardings/{forwarding_id}",
    "delete_floatingip_port_forwarding",
)
def delete(ctx: NetworkingContext, ident: str, forwarding_id: str) -> Response:
    """Remove a port forwarding."""
    floating, found = _found(ctx, "delete", ident, forwarding_id)
    port_forwardings.remove(ctx.session, floating, found)
    return Response(204)


def _found(
    ctx: NetworkingContext, action: str, ident: str, forwarding_id: str
) -> tuple[Record, Record]:
    """Return a floating IP and one of its port forwardings, if the client may do something."""
    floating = ctx.visible("floatingips", ident)
    found = port_forwardings.find(floating, forwarding_id)
    ctx.enforce(action, _KIND, _of(floating, found))
    return floating, found


def _of(floating: Record, one: Record) -> Record:
    """Return a port forwarding as policies and filters see it."""
    return {**port_forwardings.shown(one), "floatingip_id": floating["id"]}


def _shown(one: Record) -> Record:
    return views.inside(_KIND, port_forwardings.shown(one))
