"""``/networking``: answer requests to the Networking API."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.neutron import NEUTRON
from fake_server.common.errors import NotFound, UnknownAddress
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.service import Service
from fake_server.networking.context import NetworkingContext
from fake_server.networking.handlers import (
    availability,
    bindings,
    members,
    pools,
    port_forwardings,
    qos_rules,
    quotas,
    resources,
    routing,
    tags,
)
from fake_server.networking.kinds import KINDS
from fake_server.networking.models.items import NetworkingSession

if TYPE_CHECKING:
    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.networking.context import Handler
    from fake_server.networking.models.items import Hosts

_SUFFIX = re.compile(r"\.json(?=/?$)")
#: What was in the API from the start.
_CORE = ("networks", "subnets", "ports")

_ROUTES: GuardedRoutes[Handler] = GuardedRoutes.joined(
    availability.ROUTES,
    bindings.ROUTES,
    members.ROUTES,
    quotas.ROUTES,
    routing.ROUTES,
    pools.ROUTES,
    port_forwardings.ROUTES,
    tags.ROUTES,
    qos_rules.ROUTES,
    resources.ROUTES,
)


class NetworkingService(Service):
    """Answers requests to the Networking API.

    :param hosts: returns the nodes that have agents.
    """

    dialect = NEUTRON
    routes = _ROUTES

    def __init__(self, lab: Lab, hosts: Hosts) -> None:
        super().__init__(lab)
        self._hosts = hosts

    def document(self, request: Request) -> Response | None:
        """Return the list of versions."""
        if _SUFFIX.sub("", request.path) not in ("", "/"):
            return None
        return encode(200, {"versions": [_version(request)]})

    def serve(self, request: Request, minor: int) -> Response:
        """Have a handler answer a request, in a transaction of its own."""
        path = _SUFFIX.sub("", request.path).rstrip("/").replace("/v2.0/qos/", "/v2.0/")
        fixed = _fixed(request, path)
        if fixed is not None:
            if request.method != "GET":
                raise NotFound
            return encode(200, fixed)
        handler, arguments = self.routes.resolve(request.method, path)
        kind = arguments.pop("kind", "").replace("-", "_")
        row = KINDS.get(kind)
        if kind and (row is None or not row.attributes or row.inside):
            raise UnknownAddress
        # To list the groups of a project creates its default one.
        request.writes |= kind.startswith("security_group")
        with self.transaction(request) as tx:
            # Tests of Ironic that share a server without users each have a flat network.
            shares_flat = request.caller is None
            is_admin = request.caller is None or request.caller.has("admin")
            session = NetworkingSession(tx, self.lab.clock, self._hosts, shares_flat, is_admin)
            return handler(NetworkingContext(request, session, kind), **arguments)


def _fixed(request: Request, path: str) -> dict[str, Any] | None:
    """Return what stands at an address that doesn't depend on what is kept."""
    if path == "/v2.0" and request.path.endswith("/"):
        return {
            "resources": [
                {
                    "name": KINDS[kind].singular,
                    "collection": kind,
                    "links": [{"rel": "self", "href": f"{request.base_url}/v2.0/{kind}"}],
                }
                for kind in _CORE
            ]
        }
    if path == "/v2.0/availability_zones":
        return {"availability_zones": []}
    if path == "/v2.0/extensions":
        return {"extensions": list(_extensions().values())}
    if path.startswith("/v2.0/extensions/"):
        alias = path.rpartition("/")[2]
        if alias not in _extensions():
            raise NotFound(f"Extension with alias {alias} does not exist")
        return {"extension": _extensions()[alias]}
    return None


@cache
def _extensions() -> dict[str, Any]:
    """Return the extensions that this server has by their aliases, as Neutron shows them."""
    found = json.loads(Path(__file__).with_name("extensions.json").read_text(encoding="utf-8"))
    return {one["alias"]: one for one in found}


def _version(request: Request) -> dict[str, Any]:
    link = {"rel": "self", "href": f"{request.base_url}/v2.0/"}
    return {"id": "v2.0", "status": "CURRENT", "links": [link]}
