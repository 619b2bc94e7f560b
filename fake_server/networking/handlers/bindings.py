"""``/v2.0/ports/ID/bindings``: the hosts that a port is bound to, or can be at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.networking import views
from fake_server.networking.handlers.inside import Inside
from fake_server.networking.models import bindings
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_BINDINGS = Inside(
    "bindings",
    bindings.fetch,
    bindings.find,
    bindings.create,
    bindings.update,
    bindings.delete,
    key="host",
    asks_first=True,
    bulk=False,
)
_BINDINGS.add_to(ROUTES)


@ROUTES.add("PUT", "/v2.0/ports/{ident}/bindings/{key}/activate", "activate")
def activate(ctx: NetworkingContext, ident: str, key: str) -> Response:
    """Let a port be at this host from now on."""
    port, binding = _BINDINGS.found(ctx, key, ident)
    ctx.enforce("activate", "bindings", binding, part="")
    # Neutron shows it without the name of what it is.
    return encode(200, views.inside("bindings", bindings.activate(ctx.session, port, binding)))
