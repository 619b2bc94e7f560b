"""``/placement``: answer requests to the Placement API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import ServiceError
from fake_server.common.microversions import HEADER
from fake_server.common.rest import Routes
from fake_server.placement import errors, microversions, nodes
from fake_server.placement.context import PlacementContext
from fake_server.placement.handlers import (
    allocations,
    candidates,
    classes,
    inventories,
    providers,
    traits,
)

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Store
    from fake_server.placement.context import Handler
    from fake_server.settings import Settings

_ROUTES: Routes[Handler] = Routes.joined(
    providers.ROUTES,
    inventories.ROUTES,
    traits.ROUTES,
    classes.ROUTES,
    allocations.ROUTES,
    candidates.ROUTES,
)


class PlacementService:
    """Answers requests to the Placement API.

    :param store: database with the schema of :mod:`.tables`.
    """

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        self.store = store
        self.clock = clock
        self.settings = settings

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        request_id = f"req-{randomness.uuid()}"
        minor = 0
        try:
            minor = microversions.negotiate(request)
            response = self._dispatch(request, minor)
        except ServiceError as exc:
            response = errors.render(exc, request_id, with_code=minor >= microversions.ERROR_CODES)
        response.headers += [
            (HEADER, f"placement {microversions.MAJOR}.{minor}"),
            ("Vary", HEADER),
            ("x-openstack-request-id", request_id),
        ]
        return response

    def _dispatch(self, request: Request, minor: int) -> Response:
        with self.store.transaction(write=request.writes) as tx:
            ctx = PlacementContext(request, minor, tx, self.clock)
            if request.path in ("", "/"):
                return ctx.shown({"versions": [_version()]})
            handler, arguments = _ROUTES.resolve(request.method, request.path)
            nodes.report(tx, self.clock, interval=self.settings.placement_sync)
            return handler(ctx, **arguments)


def _version() -> dict[str, Any]:
    return {
        "id": f"v{microversions.MAJOR}.0",
        "max_version": f"{microversions.MAJOR}.{microversions.MAXIMUM}",
        "min_version": f"{microversions.MAJOR}.0",
        "status": "CURRENT",
        "links": [{"rel": "self", "href": ""}],
    }
