"""``/v2.0/floatingips/ID/port_forwardings``: what single ports of a floating IP lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.networking.handlers.inside import Inside
from fake_server.networking.models import port_forwardings
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.networking.context import Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
Inside(
    "port_forwardings",
    port_forwardings.fetch,
    port_forwardings.find,
    port_forwardings.add,
    port_forwardings.update,
    port_forwardings.remove,
    port_forwardings.shown,
).add_to(ROUTES)
