"""``/v2.0/ports/ID/bindings``: the hosts that a port is bound to, or can be at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, lists, views
from fake_server.networking.models import bindings
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KIND = "bindings"


@ROUTES.add("GET", "/v2.0/ports/{ident}/bindings", "get_port_binding")
def list_all(ctx: NetworkingContext, ident: str) -> Response:
    """List the bindings of a port; markers are hosts."""
    rows = [{**one, "id": one["host"]} for one in bindings.fetch(ctx.visible("ports", ident))]
    body = lists.answer(ctx, _KIND, rows)
    return encode(200, {**body, _KIND: [views.inside(_KIND, one) for one in body[_KIND]]})


@ROUTES.add("POST", "/v2.0/ports/{ident}/bindings", "create_port_binding")
def create(ctx: NetworkingContext, ident: str) -> Response:
    """Bind a port to one more host."""
    (values, *_), several = bodies.read(ctx, _KIND)
    if several:
        raise BadRequest("Bulk operation not supported")
    ctx.enforce("create", _KIND, values)
    made = bindings.create(ctx.session, ctx.visible("ports", ident), values)
    return encode(201, {"binding": views.inside(_KIND, made)})


@ROUTES.add("GET", "/v2.0/ports/{ident}/bindings/{host}", "get_port_binding")
def show(ctx: NetworkingContext, ident: str, host: str) -> Response:
    """Show the binding to a host."""
    _, binding = _found(ctx, ident, host)
    found = views.of_fields(ctx, views.inside(_KIND, binding))
    return encode(200, {"binding": found})


@ROUTES.add("PUT", "/v2.0/ports/{ident}/bindings/{host}", "default")
def update(ctx: NetworkingContext, ident: str, host: str) -> Response:
    """Change a binding."""
    changes = bodies.read_changes(ctx, _KIND)
    port, binding = _found(ctx, ident, host)
    ctx.enforce("update", _KIND, binding)
    changed = bindings.update(ctx.session, port, binding, changes)
    return encode(200, {"binding": views.inside(_KIND, changed)})


@ROUTES.add("DELETE", "/v2.0/ports/{ident}/bindings/{host}", "delete_port_binding")
def delete(ctx: NetworkingContext, ident: str, host: str) -> Response:
    """Remove a binding."""
    port, binding = _found(ctx, ident, host)
    ctx.enforce("delete", _KIND, binding)
    bindings.delete(ctx.session, port, binding)
    return Response(204)


@ROUTES.add("PUT", "/v2.0/ports/{ident}/bindings/{host}/activate", "activate")
def activate(ctx: NetworkingContext, ident: str, host: str) -> Response:
    """Let a port be at this host from now on."""
    port, binding = _found(ctx, ident, host)
    ctx.enforce("activate", _KIND, binding, part="")
    # Neutron shows it without the name of what it is.
    return encode(200, views.inside(_KIND, bindings.activate(ctx.session, port, binding)))


def _found(ctx: NetworkingContext, ident: str, host: str) -> tuple[Record, Record]:
    """Return a port and its binding to a host; raise NotFound if the client doesn't see it."""
    port = ctx.visible("ports", ident)
    binding = bindings.find(port, host)
    if not ctx.allows("get", _KIND, binding):
        raise NotFound
    return port, binding
