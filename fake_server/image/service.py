"""``/image``: answer requests to the Image API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import encode
from fake_server.common.service import TransactionalService
from fake_server.image import errors
from fake_server.image.handlers import ROUTES, Context

if TYPE_CHECKING:
    from fake_server.common.errors import ServiceError
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction

_VERSION = "v2.16"


class ImageService(TransactionalService):
    """Answers requests to the Image API."""

    routes = ROUTES

    def document(self, request: Request) -> Response | None:
        """Return the list of versions."""
        if request.path.rstrip("/") not in ("", "/versions"):
            return None
        status = 200 if request.path.startswith("/versions") else 300
        return encode(status, {"versions": [_version(request.base_url)]})

    def context(self, request: Request, minor: int, tx: Transaction) -> Context:
        """Return what the handler of a request gets."""
        return Context(request, tx, self.lab.clock)

    def render(self, error: ServiceError, request: Request, minor: int) -> Response:
        """Return an error as Glance shows it."""
        return errors.render(error)


def _version(base: str) -> dict[str, Any]:
    link = {"rel": "self", "href": f"{base}/v2/"}
    return {"id": _VERSION, "status": "CURRENT", "links": [link]}
