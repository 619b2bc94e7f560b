"""``/v2.0/address-groups``: the subnets of address groups, some at a time."""

from __future__ import annotations

from ipaddress import ip_interface
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.networking import bodies, views
from fake_server.networking.errors import InvalidAttribute
from fake_server.networking.models import address_groups
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KIND = "address_groups"


@ROUTES.add("PUT", "/v2.0/address-groups/{ident}/add_addresses", "add_addresses")
def add(ctx: NetworkingContext, ident: str) -> Response:
    """Add subnets."""
    return _change(ctx, ident, "add", address_groups.add)


@ROUTES.add("PUT", "/v2.0/address-groups/{ident}/remove_addresses", "remove_addresses")
def remove(ctx: NetworkingContext, ident: str) -> Response:
    """Remove subnets."""
    return _change(ctx, ident, "remove", address_groups.remove)


def _change(
    ctx: NetworkingContext, ident: str, action: str, change: Callable[..., Record]
) -> Response:
    group = ctx.visible(_KIND, ident)
    ctx.enforce(action, _KIND, group, part="addresses")
    named = bodies.read_object(ctx).get("addresses")
    if not isinstance(named, list):
        raise InvalidAttribute("addresses", f"'{named}' is not a list")
    changed = change(ctx.session, group, list(dict.fromkeys(map(_subnet, named))))
    # Neutron shows here what it hides otherwise.
    found = {**views.single(ctx, _KIND, changed), "shared": changed["shared"]}
    return encode(200, {"address_group": found})


def _subnet(value: Any) -> str:
    """Return a subnet as it is kept; an address stands for one of itself alone."""
    try:
        return str(ip_interface(value if isinstance(value, str) else "").network)
    except ValueError:
        raise BadRequest(f"invalid IPNetwork {value}", "AddrFormatError") from None
