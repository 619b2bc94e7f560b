"""``/placement``: answer requests to the Placement API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.placement import PLACEMENT, InvalidVersion
from fake_server.common.errors import NotAcceptable
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.microversions import HEADER
from fake_server.common.service import TransactionalService
from fake_server.placement import errors, nodes
from fake_server.placement.context import PlacementContext
from fake_server.placement.handlers import (
    allocations,
    candidates,
    classes,
    inventories,
    providers,
    reshaper,
    traits,
)

if TYPE_CHECKING:
    from fake_server.common.errors import ServiceError
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction
    from fake_server.placement.context import Handler

_ROUTES: GuardedRoutes[Handler] = GuardedRoutes.joined(
    providers.ROUTES,
    inventories.ROUTES,
    traits.ROUTES,
    classes.ROUTES,
    allocations.ROUTES,
    candidates.ROUTES,
    reshaper.ROUTES,
)
#: What a request is refused with before it has a version.
_REFUSALS = (InvalidVersion, NotAcceptable)
_VARY = ("Vary", HEADER.lower())


class PlacementService(TransactionalService):
    """Answers requests to the Placement API."""

    dialect = PLACEMENT
    routes = _ROUTES
    exact_addresses = True

    def serve(self, request: Request, minor: int) -> Response:
        """Have a handler answer a request, and tell the version of the answer."""
        response = super().serve(request, minor)
        response.headers += [_version_header(minor), _VARY]
        return response

    def context(self, request: Request, minor: int, tx: Transaction) -> PlacementContext:
        """Return what the handler of a request gets."""
        nodes.report(tx, self.lab.clock, interval=self.lab.settings.placement_sync)
        return PlacementContext(request, minor, tx, self.lab.clock)

    def render(self, error: ServiceError, request: Request, minor: int) -> Response:
        """Return an error as Placement shows it."""
        response = super().render(error, request, minor)
        if not isinstance(error, _REFUSALS):
            response.headers.append(_version_header(minor))
            if not isinstance(error, errors.UNKNOWN):
                response.headers.append(_VARY)
        return response


def _version_header(minor: int) -> tuple[str, str]:
    return HEADER, f"placement {PLACEMENT.major}.{minor}"


@_ROUTES.public("GET", "/")
def show_versions(ctx: PlacementContext) -> Response:
    """Show the version of the service."""
    return ctx.shown({"versions": [_version()]})


def _version() -> dict[str, Any]:
    return {
        "id": f"v{PLACEMENT.major}.0",
        "max_version": f"{PLACEMENT.major}.{PLACEMENT.maximum}",
        "min_version": f"{PLACEMENT.major}.0",
        "status": "CURRENT",
        "links": [{"rel": "self", "href": ""}],
    }
