"""``/networking``: answer requests to the Networking API."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import NotFound, ServiceError
from fake_server.common.formats import is_uuid
from fake_server.common.rest import Routes, encode
from fake_server.identity.roles import identify
from fake_server.networking import bodies, errors
from fake_server.networking.context import NetworkingContext
from fake_server.networking.handlers import agents, parts, quotas, resources
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items, networks
from fake_server.networking.models.items import NetworkingSession

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Store
    from fake_server.networking.context import Handler
    from fake_server.networking.models.items import Hosts

_SUFFIX = re.compile(r"\.json(?=/?$)")
#: What was in the API from the start.
_CORE = ("networks", "subnets", "ports")
#: The project of the networks of the Bare Metal service.
SERVICE = identify("project", "service")

_ROUTES: Routes[Handler] = Routes.joined(
    agents.ROUTES, quotas.ROUTES, resources.ROUTES, parts.ROUTES
)


class NetworkingService:
    """Answers requests to the Networking API.

    :param store: database with the schema of :mod:`.tables`.
    :param hosts: returns the nodes that have agents.
    """

    def __init__(self, store: Store, clock: Clock, hosts: Hosts) -> None:
        self.store = store
        self.clock = clock
        self.hosts = hosts

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        path = _SUFFIX.sub("", request.path)
        if path in ("", "/"):
            return encode(200, {"versions": [_version(request)]})
        try:
            response = self._dispatch(request, path.rstrip("/"))
        except ServiceError as exc:
            response = errors.render(exc)
        response.headers.append(("x-openstack-request-id", f"req-{randomness.uuid()}"))
        return response

    def ensure_network(self, name: str | None) -> None:
        """Make a network of this name, unless there is one of this name or id."""
        with self.store.transaction() as tx:
            session = NetworkingSession(tx, self.clock, self.hosts)
            if not name or find_networks(session, name):
                return
            values = bodies.defaults("networks")
            ident = {"id": name} if is_uuid(name) else {"id": networks.ident_of(name), "name": name}
            networks.create(session, {**values, **ident, "project_id": SERVICE})

    def _dispatch(self, request: Request, path: str) -> Response:
        fixed = _fixed(request, path)
        if fixed is not None:
            if request.method != "GET":
                raise NotFound
            return encode(200, fixed)
        handler, arguments = _ROUTES.resolve(request.method, path)
        if "kind" in arguments:
            arguments["kind"] = arguments["kind"].replace("-", "_")
            if not (arguments["kind"] in KINDS and KINDS[arguments["kind"]].attributes):
                raise NotFound
        # To list the groups of a project creates its default one.
        writes = request.writes or arguments.get("kind", "").startswith("security_group")
        with self.store.transaction(write=writes) as tx:
            # Tests of Ironic that share a server without users each have a flat network.
            shares_flat = request.caller is None
            is_admin = request.caller is None or request.caller.has("admin")
            session = NetworkingSession(tx, self.clock, self.hosts, shares_flat, is_admin)
            return handler(NetworkingContext(request, session), **arguments)


def find_networks(session: NetworkingSession, name_or_id: str) -> list[dict[str, Any]]:
    """Return the network that has this id, else all that have this name."""
    found = items.find(session, "networks", name_or_id)
    return [found] if found else items.fetch(session, "networks", name=[name_or_id])


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
