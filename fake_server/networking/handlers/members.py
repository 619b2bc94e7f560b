"""What items have several of, and requests add and remove some at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from ipaddress import ip_interface
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.networking import bodies, nested_values, views
from fake_server.networking.errors import InvalidAttribute
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import address_groups, routers, subnetpools, trunks
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@dataclass(frozen=True)
class Members:
    """What items of a kind have several of.

    :param kind: the kind.
    :param attribute: the attribute that has them.
    :param part: what addresses and policies call them.
    :param read: returns those that a body names; raises BadRequest for what can't be some.
    :param add: adds some to an item, and returns it.
    :param remove: removes some.
    :param shown: returns what the answer shows of a changed item.
    :param reads_first: whether a body is read before the policy is asked.
    """

    kind: str
    attribute: str
    part: str
    read: Callable[[Record], Any]
    add: Callable[..., Record]
    remove: Callable[..., Record]
    shown: Callable[[NetworkingContext, Record], Record]
    reads_first: bool = False

    def add_to(self, routes: GuardedRoutes[Handler]) -> None:
        """Add what answers requests for them."""
        item = f"/v2.0/{self.kind.replace('_', '-')}/{{ident}}"
        for action in ("add", "remove"):
            name = f"{action}_{self.part}"
            routes.add("PUT", f"{item}/{name}", name)(partial(self.change, action=action))

    def change(self, ctx: NetworkingContext, ident: str, *, action: str) -> Response:
        """Add some, or remove them."""
        item = ctx.visible(self.kind, ident)
        wanted = self.read(bodies.read_object(ctx)) if self.reads_first else None
        ctx.enforce(action, self.kind, item, part=self.part)
        if not self.reads_first:
            wanted = self.read(bodies.read_object(ctx))
        if action == "add":
            ctx.check_named(self.kind, {self.attribute: wanted})
        change = self.add if action == "add" else self.remove
        return encode(200, self.shown(ctx, change(ctx.session, item, wanted)))


@ROUTES.add("GET", "/v2.0/trunks/{ident}/get_subports", "get_subports")
def list_sub_ports(ctx: NetworkingContext, ident: str) -> Response:
    """List the ports of a trunk."""
    trunk = ctx.visible("trunks", ident)
    ctx.enforce("get", "trunks", trunk, part="subports")
    return encode(200, {"sub_ports": trunk["sub_ports"]})


def _addresses(body: Record) -> list[str]:
    named = body.get("addresses")
    if not isinstance(named, list):
        raise InvalidAttribute("addresses", f"'{named}' is not a list")
    return list(dict.fromkeys(map(_subnet, named)))


def _subnet(value: Any) -> str:
    """Return a subnet as it is kept; an address stands for one of itself alone."""
    try:
        return str(ip_interface(value if isinstance(value, str) else "").network)
    except ValueError:
        raise BadRequest(f"invalid IPNetwork {value}", "AddrFormatError") from None


def _prefixes(body: Record) -> Any:
    try:
        return KINDS["subnetpools"].attributes["prefixes"].convert("prefixes", body["prefixes"])
    except (KeyError, InvalidAttribute):
        raise BadRequest("Request body contains invalid data") from None


def _extra_routes(body: Record) -> Any:
    router = body.get("router")
    if not isinstance(router, dict) or "routes" not in router:
        raise BadRequest("Unable to find 'router' in request body")
    return KINDS["routers"].attributes["routes"].convert("routes", router["routes"])


def _sub_ports(body: Record) -> Any:
    return bodies.converted(nested_values.sub_ports, body.get("sub_ports"))


def _shown_group(ctx: NetworkingContext, group: Record) -> Record:
    # Neutron shows here what it hides otherwise.
    found = {**views.single(ctx, "address_groups", group), "shared": group["shared"]}
    return {"address_group": found}


_MEMBERS = (
    Members(
        *("address_groups", "addresses", "addresses"),
        *(_addresses, address_groups.add, address_groups.remove),
        _shown_group,
    ),
    Members(
        *("subnetpools", "prefixes", "prefixes"),
        *(_prefixes, subnetpools.add_prefixes, subnetpools.remove_prefixes),
        lambda ctx, pool: {"prefixes": pool["prefixes"]},
    ),
    Members(
        *("routers", "routes", "extraroutes"),
        _extra_routes,
        partial(routers.change_routes, add=True),
        partial(routers.change_routes, add=False),
        lambda ctx, router: {"router": views.single(ctx, "routers", router)},
    ),
    Members(
        *("trunks", "sub_ports", "subports"),
        *(_sub_ports, trunks.add_ports, trunks.remove_ports),
        # Neutron shows it without the name of what it is.
        lambda ctx, trunk: views.single(ctx, "trunks", trunk),
        reads_first=True,
    ),
)
for _members in _MEMBERS:
    _members.add_to(ROUTES)
