"""``/volume``: a request in, an answer of the Block Storage API out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from fake_server.block_storage import microversions
from fake_server.block_storage.context import Call
from fake_server.block_storage.errors import MethodNotAllowed, NotFound, StorageError
from fake_server.block_storage.handlers import actions, attachments, types, volumes
from fake_server.block_storage.models import types as type_models
from fake_server.common.rest import Routes, encode

if TYPE_CHECKING:
    from fake_server.block_storage.context import Handler
    from fake_server.clock import Clock
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Store
    from fake_server.settings import Settings

_ROUTES: tuple[Routes[Handler], ...] = (
    volumes.ROUTES,
    actions.ROUTES,
    attachments.ROUTES,
    types.ROUTES,
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
            response = self._dispatch(request, base, minor)
        except StorageError as exc:
            response = exc.render()
        response.headers += [
            (microversions.HEADER, f"volume {microversions.MAJOR}.{minor}"),
            ("Vary", microversions.HEADER),
            ("x-openstack-request-id", f"req-{uuid4()}"),
        ]
        return response

    def _dispatch(self, request: Request, base: str, minor: int) -> Response:
        address = _ADDRESS.fullmatch(request.path)
        if address is None:
            raise NotFound("The resource could not be found.")
        found = (routes.find(request.method, address["rest"]) for routes in _ROUTES)
        match = next((match for match in found if match), None)
        if match is None:
            raise NotFound("The resource could not be found.")
        if match.handler is None:
            raise MethodNotAllowed("The method is not allowed for this resource.")
        with self.store.transaction(write=request.writes) as tx:
            call = Call(
                request,
                tx,
                self.clock,
                base=base,
                minor=minor,
                project=address["project"],
                delay=self.settings.delay,
            )
            return match.handler(call, **match.arguments)


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
