"""``/compute``: a request in, an answer of the Compute API out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from fake_server.common.rest import encode
from fake_server.compute import microversions, progress
from fake_server.compute.cloud import Cloud, Refused
from fake_server.compute.context import Call
from fake_server.compute.database import Database
from fake_server.compute.errors import BadRequest, ComputeError, MethodNotAllowed, NotFound
from fake_server.compute.handlers import (
    actions,
    flavors,
    infrastructure,
    interfaces,
    keypairs,
    servers,
    volume_attachments,
)
from fake_server.compute.session import Session
from fake_server.db.store import UnstorableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.clock import Clock
    from fake_server.common.rest import Routes
    from fake_server.common.wsgi import Request, Response
    from fake_server.compute.context import Handler
    from fake_server.db.store import Store
    from fake_server.settings import Settings

_ROUTES: tuple[Routes[Handler], ...] = (
    servers.ROUTES,
    actions.ROUTES,
    volume_attachments.ROUTES,
    interfaces.ROUTES,
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
        self,
        store: Store,
        clock: Clock,
        settings: Settings,
        ask: Callable[[Request], Response],
    ) -> None:
        self._session = Session(Database(store), Cloud(ask), clock, settings)
        self._maximum = settings.max_compute_minor

    def apply_due_events(self) -> None:
        """Do what has become possible meanwhile."""
        progress.apply_due_events(self._session)

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
            response = self._dispatch(request, base, minor)
        except ComputeError as exc:
            response = exc.render()
        version = f"{microversions.MAJOR}.{minor}"
        request_id = f"req-{uuid4()}"
        response.headers += [
            (microversions.HEADER, f"compute {version}"),
            (microversions.OLD_HEADER, version),
            ("Vary", f"{microversions.HEADER}, {microversions.OLD_HEADER}"),
            ("x-openstack-request-id", request_id),
            ("x-compute-request-id", request_id),
        ]
        return response

    def _dispatch(self, request: Request, base: str, minor: int) -> Response:
        address = _ADDRESS.fullmatch(request.path)
        if address is None:
            raise NotFound
        found = (routes.find(request.method, address["rest"]) for routes in _ROUTES)
        match = next((match for match in found if match), None)
        if match is None:
            raise NotFound
        if match.handler is None:
            raise MethodNotAllowed
        call = Call(request, self._session, base=base, minor=minor)
        try:
            return match.handler(call, **match.arguments)
        except UnstorableError as exc:
            raise BadRequest(f"A value of the request can't be stored: {exc}") from exc
        except Refused as exc:
            error = ComputeError(f"Unexpected API Error. Another service answered: {exc}")
            error.status = 503 if exc.status == 503 else 500
            raise error from exc

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
