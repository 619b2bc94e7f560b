"""Bodies of requests that are too large are refused before they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.api import body_limits, rendering
from fake_server.control.service import PREFIX

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.middleware.chain import Endpoint

#: A lab of 100,000 nodes has some 100 MB.
_SEED_PATH, _SEED_LIMIT = f"{PREFIX}/seed", 256 * 1024 * 1024


class BodyLimits:
    """Refuse bodies that are larger than their path allows.

    :param ordinary: bytes of a body on a path that has no limit of its own.
    """

    def __init__(self, ordinary: int) -> None:
        self._ordinary = ordinary

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request, with 413 if its body is too large."""
        if body_limits.is_too_large(request, self.of(request.path)):
            return rendering.bare_fault(413, "Request body is too large.")
        return proceed(request)

    def of(self, path: str) -> int:
        """Return how many bytes the body of a request to a path may have."""
        if path.rstrip("/") == _SEED_PATH:
            return max(_SEED_LIMIT, self._ordinary)
        return body_limits.limit(path, self._ordinary)
