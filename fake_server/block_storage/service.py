"""``/volume``: answer requests to the Block Storage API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import errors, microversions
from fake_server.block_storage.context import BlockStorageContext
from fake_server.block_storage.handlers import actions, attachments, types, volumes
from fake_server.block_storage.models import types as type_models
from fake_server.common import randomness
from fake_server.common.errors import NotFound, ServiceError
from fake_server.common.microversions import HEADER
from fake_server.common.rest import Routes, encode

if TYPE_CHECKING:
    from fake_server.block_storage.context import Handler
    from fake_server.clock import Clock
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Store
    from fake_server.settings import Settings

_ROUTES: Routes[Handler] = Routes.joined(
    volumes.ROUTES, actions.ROUTES, attachments.ROUTES, types.ROUTES
)
#: The version, a project that may be left out, and the rest.
_ADDRESS = re.compile(
    r"/v3(?:/(?P<project>[^/]+))?(?P<rest>/(?:volumes|attachments|types)(?:/.*)?)"
)


class BlockStorageService:
    """Answers requests to the Block Storage API.

    :param store: database with the schema of :mod:`.tables`.
    """

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        self.store = store
        self.clock = clock
        self.settings = settings
        type_models.install(store)

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        base = request.base_url
        if request.path in ("", "/"):
            return encode(300, {"versions": [_version(base)]})
        if request.path.rstrip("/") == "/v3":
            return encode(200, {"versions": [_version(base)]})
        minor = 0
        try:
            minor = microversions.negotiate(request)
            response = self._dispatch(request, minor)
        except ServiceError as exc:
            response = errors.render(exc)
        response.headers += [
            (HEADER, f"volume {microversions.MAJOR}.{minor}"),
            ("Vary", HEADER),
            ("x-openstack-request-id", f"req-{randomness.uuid()}"),
        ]
        return response

    def _dispatch(self, request: Request, minor: int) -> Response:
        address = _ADDRESS.fullmatch(request.path)
        if address is None:
            raise NotFound
        handler, arguments = _ROUTES.resolve(request.method, address["rest"])
        with self.store.transaction(write=request.writes) as tx:
            ctx = BlockStorageContext(
                request,
                minor,
                tx,
                self.clock,
                project=address["project"],
                delay=self.settings.delay,
            )
            return handler(ctx, **arguments)


def _version(base: str) -> dict[str, Any]:
    return {
        "id": "v3.0",
        "status": "CURRENT",
        "version": f"{microversions.MAJOR}.{microversions.MAXIMUM}",
        "min_version": f"{microversions.MAJOR}.0",
        "updated": "2023-08-31T00:00:00Z",
        "links": [{"rel": "self", "href": f"{base}/v3/"}],
        "media-types": [
            {"base": "application/json", "type": "application/vnd.openstack.volume+json;version=3"}
        ],
    }
