"""``/image``: answer requests to the Image API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.glance import GLANCE
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.service import TransactionalService
from fake_server.image.context import ImageContext
from fake_server.image.handlers import (
    contents,
    discovery,
    images,
    imports,
    members,
    metadefs,
    namespaces,
    stores,
)

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction
    from fake_server.image.context import Handler

_ROUTES: GuardedRoutes[Handler] = GuardedRoutes.joined(
    images.ROUTES,
    contents.ROUTES,
    imports.ROUTES,
    stores.ROUTES,
    members.ROUTES,
    discovery.ROUTES,
    namespaces.ROUTES,
    metadefs.ROUTES,
)
#: The newest version, and the older ones that Glance offers as well.
_VERSIONS = ("v2.16", "v2.15", *(f"v2.{minor}" for minor in (13, 12, 11, 10, 9, *range(7, -1, -1))))


class ImageService(TransactionalService):
    """Answers requests to the Image API."""

    dialect = GLANCE
    routes = _ROUTES
    exact_addresses = True

    def document(self, request: Request) -> Response | None:
        """Return the list of versions."""
        if request.path.rstrip("/") not in ("", "/versions"):
            return None
        status = 200 if request.path.startswith("/versions") else 300
        link = {"rel": "self", "href": f"{request.base_url}/v2/"}
        return encode(status, {"versions": [_version(one, link) for one in _VERSIONS]})

    def context(self, request: Request, minor: int, tx: Transaction) -> ImageContext:
        """Return what the handler of a request gets."""
        return ImageContext(request, tx, self.lab.clock, self.lab.settings.image_stores)


def _version(ident: str, link: dict[str, str]) -> dict[str, Any]:
    status = "CURRENT" if ident == _VERSIONS[0] else "SUPPORTED"
    return {"id": ident, "status": status, "links": [link]}
