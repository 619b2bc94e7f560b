"""``/compute``: answer requests to the Compute API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.nova import NOVA, Nova
from fake_server.common.errors import with_status
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.service import Service
from fake_server.compute import manager
from fake_server.compute.cloud import Cloud, Refused
from fake_server.compute.context import Context
from fake_server.compute.handlers import (
    actions,
    attachments,
    events,
    hypervisors,
    quotas,
    removed,
    security_groups,
    server_details,
    servers,
    services,
)
from fake_server.compute.resources.aggregates import AGGREGATES
from fake_server.compute.resources.flavors import Flavors
from fake_server.compute.resources.keypairs import Keypairs
from fake_server.compute.resources.server_actions import ServerActions
from fake_server.compute.resources.server_groups import ServerGroups
from fake_server.compute.resources.server_parts import ServerParts
from fake_server.compute.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.compute.context import Handler

#: What is declared, and asks nothing but Nova's own database.
_DECLARED: GuardedRoutes[Handler] = GuardedRoutes.joined(
    *(kind.routes() for kind in (Flavors(), Keypairs(), ServerGroups(), AGGREGATES))
)
#: What changes nothing but Nova's own database: each request has one transaction.
_ALONE: GuardedRoutes[Handler] = GuardedRoutes.joined(
    server_details.ROUTES,
    ServerParts().routes(),
    actions.ROUTES,
    quotas.ROUTES,
    services.ROUTES,
    removed.ROUTES,
)
_ROUTES: GuardedRoutes[Handler] = GuardedRoutes.joined(
    _DECLARED,
    _ALONE,
    servers.ROUTES,
    ServerActions().routes(),
    attachments.ROUTES,
    hypervisors.ROUTES,
    events.ROUTES,
    security_groups.ROUTES,
)
_IN_TRANSACTION = frozenset(_DECLARED.handlers())
_IN_TRANSACTION_TO_WRITE = frozenset(_ALONE.handlers())
#: The version, a project that may be left out, and the rest.
_ADDRESS = re.compile(
    r"/v2\.1(?:/(?!servers|flavors|limits|os-)[^/]+)?"
    r"(?P<rest>/(?:servers|flavors|limits|os-[a-z_-]+)(?:/.*)?)"
)


class ComputeService(Service):
    """Answers requests to the Compute API.

    :param ask: answers requests to the other services.
    """

    dialect: Nova
    routes = _ROUTES
    address = _ADDRESS
    minimum = NOVA.minimum
    exact_addresses = True
    hides_addresses = True

    def __init__(self, lab: Lab, ask: Callable[[Request], Response]) -> None:
        super().__init__(lab)
        self._session = Session(lab.store, Cloud(ask), lab.clock, lab.settings)
        self.dialect = Nova(lab.settings.max_compute_minor)

    def go_on(self, ident: str) -> None:
        """Go on with the unfinished work of a server."""
        manager.go_on(self._session, ident)

    def document(self, request: Request) -> Response | None:
        """Return the list of versions, or the one that there is."""
        base = request.base_url
        if request.path in ("", "/"):
            return encode(200, {"versions": [self._version(base)]})
        if request.path.rstrip("/") == "/v2.1":
            media = {"base": "application/json", "type": _MEDIA_TYPE}
            return encode(200, {"version": {**self._version(base), "media-types": [media]}})
        return None

    def serve(self, request: Request, minor: int) -> Response:
        """Have a handler answer a request."""
        handler, arguments = self.find(request)
        alone = request.writes and handler in _IN_TRANSACTION_TO_WRITE
        if alone or handler in _IN_TRANSACTION:
            with self.transaction(request) as tx:
                return handler(Context(request, minor, self._session.within(tx)), **arguments)
        try:
            return handler(Context(request, minor, self._session), **arguments)
        except Refused as exc:
            message = f"Unexpected API Error. Another service answered: {exc}"
            raise with_status(503 if exc.status == 503 else 500, message) from exc

    def _version(self, base: str) -> dict[str, Any]:
        return {
            "id": "v2.1",
            "status": "CURRENT",
            "version": f"{NOVA.major}.{self.dialect.maximum}",
            "min_version": f"{NOVA.major}.{NOVA.minimum}",
            "updated": "2013-07-23T11:33:21Z",
            "links": [{"rel": "self", "href": f"{base}/v2.1/"}],
        }


_MEDIA_TYPE = "application/vnd.openstack.compute+json;version=2.1"
