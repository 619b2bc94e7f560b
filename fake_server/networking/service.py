"""``/networking``: answer requests to the Networking API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import NotFound, ServiceError
from fake_server.common.formats import is_uuid
from fake_server.common.rest import Routes, encode
from fake_server.identity.roles import identify
from fake_server.networking import bodies, errors, extensions
from fake_server.networking.context import Context, Handler
from fake_server.networking.handlers import agents, quotas, resources, subports, tags
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items, networks
from fake_server.networking.models.items import Session

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Store
    from fake_server.networking.models.items import Hosts

_SUFFIX = re.compile(r"\.json(?=/?$)")
#: What was in the API from the start.
_CORE = ("networks", "subnets", "ports")
#: The project of the networks of the Bare Metal service.
SERVICE = identify("project", "service")

_ROUTES: Routes[Handler] = Routes()
for _method, _address, _handler in (
    ("GET", "/v2.0/agents", agents.list_agents),
    ("POST", "/v2.0/agents", agents.create),
    ("GET", "/v2.0/agents/{ident}", agents.show),
    ("PUT", "/v2.0/agents/{ident}", agents.update),
    ("DELETE", "/v2.0/agents/{ident}", agents.delete),
    ("GET", "/v2.0/quotas", quotas.list_quotas),
    ("GET", "/v2.0/quotas/{project}", quotas.show),
    ("PUT", "/v2.0/quotas/{project}", quotas.update),
    ("DELETE", "/v2.0/quotas/{project}", quotas.delete),
    ("GET", "/v2.0/quotas/{project}/default", quotas.show_default),
    ("GET", "/v2.0/quotas/{project}/details", quotas.show_details),
    ("GET", "/v2.0/{kind}", resources.list_items),
    ("POST", "/v2.0/{kind}", resources.create),
    ("GET", "/v2.0/{kind}/{ident}", resources.show),
    ("PUT", "/v2.0/{kind}/{ident}", resources.update),
    ("DELETE", "/v2.0/{kind}/{ident}", resources.delete),
    ("GET", "/v2.0/{kind}/{ident}/tags", tags.list_tags),
    ("PUT", "/v2.0/{kind}/{ident}/tags", tags.replace),
    ("POST", "/v2.0/{kind}/{ident}/tags", tags.add),
    ("DELETE", "/v2.0/{kind}/{ident}/tags", tags.remove_all),
    ("GET", "/v2.0/{kind}/{ident}/tags/{tag}", tags.show),
    ("PUT", "/v2.0/{kind}/{ident}/tags/{tag}", tags.put),
    ("DELETE", "/v2.0/{kind}/{ident}/tags/{tag}", tags.remove),
    ("GET", "/v2.0/trunks/{ident}/get_subports", subports.list_ports),
    ("PUT", "/v2.0/trunks/{ident}/add_subports", subports.add),
    ("PUT", "/v2.0/trunks/{ident}/remove_subports", subports.remove),
):
    _ROUTES.add(_method, _address)(_handler)


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
            session = Session(tx, self.clock, self.hosts)
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
            session = Session(tx, self.clock, self.hosts, shares_flat, is_admin)
            return handler(Context(request, session), **arguments)


def find_networks(session: Session, name_or_id: str) -> list[dict[str, Any]]:
    """Return the network that has this id, else all that have this name."""
    found = items.find(session, "networks", name_or_id)
    return [found] if found else items.fetch(session, "networks", name=[name_or_id])


def _fixed(request: Request, path: str) -> dict[str, Any] | None:
    """Return what stands at an address that doesn't depend on what is kept."""
    if path == "/v2.0" and request.path.endswith("/"):
        links = [(kind, f"{request.base_url}/v2.0/{kind}") for kind in _CORE]
        return {
            "resources": [
                {
                    "name": KINDS[kind].singular,
                    "collection": kind,
                    "links": [{"rel": "self", "href": href}],
                }
                for kind, href in links
            ]
        }
    if path == "/v2.0/availability_zones":
        return {"availability_zones": []}
    if path == "/v2.0/extensions":
        return {"extensions": extensions.listed()}
    if path.startswith("/v2.0/extensions/"):
        alias = path.rpartition("/")[2]
        for one in extensions.listed():
            if one["alias"] == alias:
                return {"extension": one}
        raise NotFound(f"Extension with alias {alias} does not exist")
    return None


def _version(request: Request) -> dict[str, Any]:
    link = {"rel": "self", "href": f"{request.base_url}/v2.0/"}
    return {"id": "v2.0", "status": "CURRENT", "links": [link]}
