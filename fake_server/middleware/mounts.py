"""Each service is mounted at a segment of the path; without one, a request is for Ironic."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from fake_server.common.wsgi import Request, Response
    from fake_server.middleware.chain import Endpoint


class Mounts:
    """Move the segment of a service from the path of a request to ``mount``.

    :param mounted: the segments.
    """

    def __init__(self, mounted: Container[str]) -> None:
        self._mounted = mounted

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request; what comes next sees ``mount`` and the path below it."""
        segment, slash, rest = request.path[1:].partition("/")
        if segment in self._mounted:
            request.mount, request.path = segment, slash + rest or "/"
        return proceed(request)
