"""``/image``: answer requests to the Image API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import ServiceError
from fake_server.common.rest import encode
from fake_server.image import errors
from fake_server.image.handlers import ROUTES, Context

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Store

_VERSION = "v2.16"


class ImageService:
    """Answers requests to the Image API.

    :param store: database with the schema of :mod:`.tables`.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        base = request.base_url
        if request.path.rstrip("/") in ("", "/versions"):
            status = 200 if request.path.startswith("/versions") else 300
            return encode(status, {"versions": [_version(base)]})
        try:
            response = self._dispatch(request)
        except ServiceError as exc:
            response = errors.render(exc)
        response.headers.append(("x-openstack-request-id", f"req-{randomness.uuid()}"))
        return response

    def _dispatch(self, request: Request) -> Response:
        handler, arguments = ROUTES.resolve(request.method, request.path)
        with self.store.transaction(write=request.writes) as tx:
            return handler(Context(request, tx, self.clock), **arguments)


def _version(base: str) -> dict[str, Any]:
    link = {"rel": "self", "href": f"{base}/v2/"}
    return {"id": _VERSION, "status": "CURRENT", "links": [link]}
