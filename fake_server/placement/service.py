"""``/placement``: answer requests to the Placement API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.microversions import HEADER
from fake_server.common.rest import Routes
from fake_server.common.service import TransactionalService
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
    from fake_server.common.errors import ServiceError
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction
    from fake_server.placement.context import Handler

_ROUTES: Routes[Handler] = Routes.joined(
    providers.ROUTES,
    inventories.ROUTES,
    traits.ROUTES,
    classes.ROUTES,
    allocations.ROUTES,
    candidates.ROUTES,
)


class PlacementService(TransactionalService):
    """Answers requests to the Placement API."""

    routes = _ROUTES

    def negotiate(self, request: Request) -> int:
        """Return the minor version that a request is for."""
        return microversions.negotiate(request)

    def context(self, request: Request, minor: int, tx: Transaction) -> PlacementContext:
        """Return what the handler of a request gets."""
        nodes.report(tx, self.lab.clock, interval=self.lab.settings.placement_sync)
        return PlacementContext(request, minor, tx, self.lab.clock)

    def render(self, error: ServiceError, request: Request, minor: int) -> Response:
        """Return an error as Placement shows it."""
        with_code = minor >= microversions.ERROR_CODES
        return errors.render(error, request.id, with_code=with_code)

    def headers(self, request: Request, minor: int) -> list[tuple[str, str]]:
        """Return the headers of all answers."""
        return [(HEADER, f"placement {microversions.MAJOR}.{minor}"), ("Vary", HEADER)]


@_ROUTES.add("GET", "/")
def show_versions(ctx: PlacementContext) -> Response:
    """Show the version of the service."""
    return ctx.shown({"versions": [_version()]})


def _version() -> dict[str, Any]:
    return {
        "id": f"v{microversions.MAJOR}.0",
        "max_version": f"{microversions.MAJOR}.{microversions.MAXIMUM}",
        "min_version": f"{microversions.MAJOR}.0",
        "status": "CURRENT",
        "links": [{"rel": "self", "href": ""}],
    }
