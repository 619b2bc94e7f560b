"""Nova continues its work before requests to services that show its effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.compute.service import ComputeService
    from fake_server.middleware.chain import Endpoint

#: Services that show what Nova does.
_SERVICES = frozenset({"compute", "networking", "placement", "volume"})
#: The part of the Bare Metal API that shows it.
_TARGETS = "/volume/targets"


class NovaProgress:
    """Have Nova apply due events before requests to the services that show them.

    :param compute: returns the Compute service, which is loaded then.
    """

    def __init__(self, compute: Callable[[], ComputeService]) -> None:
        self._compute = compute

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request."""
        if request.path[1:].partition("/")[0] in _SERVICES or _TARGETS in request.path:
            self._compute().apply_due_events()
        return proceed(request)
