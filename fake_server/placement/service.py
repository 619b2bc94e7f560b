"""``/placement``: a request in, an answer of the Placement API out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from fake_server.baremetal.dialects import DIALECTS
from fake_server.baremetal.session import Session
from fake_server.db.store import UnstorableError
from fake_server.placement import microversions, nodes
from fake_server.placement.context import Call
from fake_server.placement.errors import BadRequest, MethodNotAllowed, NotFound, PlacementError
from fake_server.placement.handlers import (
    aggregates,
    allocations,
    candidates,
    classes,
    inventories,
    providers,
    traits,
    usages,
)

if TYPE_CHECKING:
    from fake_server.baremetal.session import Script
    from fake_server.clock import Clock
    from fake_server.common.rest import Routes
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Store
    from fake_server.placement.context import Handler
    from fake_server.settings import Settings

_ROUTES: tuple[Routes[Handler], ...] = (
    providers.ROUTES,
    inventories.ROUTES,
    traits.ROUTES,
    aggregates.ROUTES,
    classes.ROUTES,
    allocations.ROUTES,
    candidates.ROUTES,
    usages.ROUTES,
)


class PlacementService:
    """Answers requests to the Placement API.

    :param store: database with the schema of :mod:`.tables`.
    """

    #: What tests have decided about nodes.
    script: Script | None = None

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        self.store = store
        self.clock = clock
        self.settings = settings

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        request_id = f"req-{uuid4()}"
        minor = 0
        try:
            minor = microversions.negotiate(request)
            response = self._dispatch(request, minor)
        except PlacementError as exc:
            response = exc.render(request_id, with_code=minor >= microversions.ERROR_CODES)
        response.headers += [
            (microversions.HEADER, f"placement {microversions.MAJOR}.{minor}"),
            ("Vary", microversions.HEADER),
            ("x-openstack-request-id", request_id),
        ]
        return response

    def _dispatch(self, request: Request, minor: int) -> Response:
        with self.store.transaction(write=request.writes) as tx:
            call = Call(request, tx, self.clock, base=f"/{request.mount}", minor=minor)
            if request.path in ("", "/"):
                return call.shown({"versions": [_version()]})
            found = (routes.find(request.method, request.path) for routes in _ROUTES)
            match = next((match for match in found if match), None)
            if match is None:
                raise NotFound
            if match.handler is None:
                raise MethodNotAllowed(request.method, match.allowed)
            interval = self.settings.placement_sync
            dialect = DIALECTS[self.settings.dialect]
            session = Session(self.store, tx, self.clock, self.settings, dialect, self.script)
            nodes.report(session, interval=interval)
            try:
                return match.handler(call, **match.arguments)
            except UnstorableError as exc:
                raise BadRequest(f"A value of the request can't be stored: {exc}") from exc


def _version() -> dict[str, Any]:
    return {
        "id": f"v{microversions.MAJOR}.0",
        "max_version": f"{microversions.MAJOR}.{microversions.MAXIMUM}",
        "min_version": f"{microversions.MAJOR}.0",
        "status": "CURRENT",
        "links": [{"rel": "self", "href": ""}],
    }
