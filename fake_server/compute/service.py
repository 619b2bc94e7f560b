"""``/compute``: answer requests to the Compute API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import NotFound, ServiceError, with_status
from fake_server.common.microversions import HEADER
from fake_server.common.rest import Routes, encode
from fake_server.compute import errors, manager, microversions
from fake_server.compute.cloud import Cloud, Refused
from fake_server.compute.context import Context
from fake_server.compute.handlers import (
    attachments,
    flavors,
    infrastructure,
    keypairs,
    servers,
)
from fake_server.compute.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.clock import Clock
    from fake_server.common.wsgi import Request, Response
    from fake_server.compute.context import Handler
    from fake_server.db.store import Store
    from fake_server.settings import Settings

_ROUTES: Routes[Handler] = Routes.joined(
    servers.ROUTES,
    attachments.ROUTES,
    flavors.ROUTES,
    keypairs.ROUTES,
    infrastructure.ROUTES,
)
#: The version, a project that may be left out, and the rest.
_ADDRESS = re.compile(
    r"/v2\.1(?:/(?!servers|flavors|limits|os-)[^/]+)?"
    r"(?P<rest>/(?:servers|flavors|limits|os-[a-z-]+)(?:/.*)?)"
)


class ComputeService:
    """Answers requests to the Compute API.

    :param store: database with the schema of :mod:`.tables`.
    :param ask: answers requests to the other services.
    """

    def __init__(
        self, store: Store, clock: Clock, settings: Settings, ask: Callable[[Request], Response]
    ) -> None:
        self._session = Session(store, Cloud(ask), clock, settings)
        self._maximum = settings.max_compute_minor

    def apply_due_events(self) -> None:
        """Apply the due events of servers: go on with builds and deletions."""
        manager.apply_due_events(self._session)

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        base = request.base_url
        if request.path in ("", "/"):
            return encode(200, {"versions": [self._version(base)]})
        if request.path.rstrip("/") == "/v2.1":
            media = {"base": "application/json", "type": _MEDIA_TYPE}
            return encode(200, {"version": {**self._version(base), "media-types": [media]}})
        minor = microversions.MINIMUM
        try:
            minor = microversions.negotiate(request, self._maximum)
            response = self._dispatch(request, minor)
        except ServiceError as exc:
            response = errors.render(exc)
        version = f"{microversions.MAJOR}.{minor}"
        request_id = f"req-{randomness.uuid()}"
        response.headers += [
            (HEADER, f"compute {version}"),
            (microversions.OLD_HEADER, version),
            ("Vary", f"{HEADER}, {microversions.OLD_HEADER}"),
            ("x-openstack-request-id", request_id),
            ("x-compute-request-id", request_id),
        ]
        return response

    def _dispatch(self, request: Request, minor: int) -> Response:
        address = _ADDRESS.fullmatch(request.path)
        if address is None:
            raise NotFound
        handler, arguments = _ROUTES.resolve(request.method, address["rest"])
        ctx = Context(request, minor, self._session)
        try:
            return handler(ctx, **arguments)
        except Refused as exc:
            message = f"Unexpected API Error. Another service answered: {exc}"
            raise with_status(503 if exc.status == 503 else 500, message) from exc

    def _version(self, base: str) -> dict[str, Any]:
        return {
            "id": "v2.1",
            "status": "CURRENT",
            "version": f"{microversions.MAJOR}.{self._maximum}",
            "min_version": f"{microversions.MAJOR}.{microversions.MINIMUM}",
            "updated": "2013-07-23T11:33:21Z",
            "links": [{"rel": "self", "href": f"{base}/v2.1/"}],
        }


_MEDIA_TYPE = "application/vnd.openstack.compute+json;version=2.1"
