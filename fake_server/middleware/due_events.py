"""Events of nodes that are due are applied before a service shows what they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.baremetal.api.service import BaremetalService
    from fake_server.common.wsgi import Request, Response
    from fake_server.middleware.chain import Endpoint

#: Services whose resources change with the transitions of nodes.
_CHANGED_BY_NODES = frozenset({"networking", "volume"})


class DueEvents:
    """Have the Bare Metal service apply due events before a request to another service."""

    def __init__(self, baremetal: BaremetalService) -> None:
        self._baremetal = baremetal

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request."""
        if request.mount in _CHANGED_BY_NODES:
            self._baremetal.apply_due_events(write=request.writes)
        return proceed(request)
