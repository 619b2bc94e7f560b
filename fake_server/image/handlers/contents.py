"""``/v2/images/{id}/file`` and what else changes the status of an image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import Forbidden
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.wsgi import Response
from fake_server.image import stores
from fake_server.image.models import images
from fake_server.image.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.image.context import Handler, ImageContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.add("GET", "/v2/images/{ident}/file", "download_image")
def download(ctx: ImageContext, ident: str) -> Response:
    """Return what an image holds."""
    row = ctx.owned(ident, "download_image")
    if row["status"] == images.DEACTIVATED and not ctx.is_admin:
        raise Forbidden(
            "The requested image has been deactivated. Image data download is forbidden."
        )
    if row["status"] not in (images.ACTIVE, images.DEACTIVATED):
        return Response(204)
    data = images.content(ctx.tx, row)
    if not data:
        return Response(204)
    headers = [("Content-Type", "application/octet-stream"), ("Content-Md5", row["checksum"])]
    return Response(200, data, headers)


@ROUTES.add("PUT", "/v2/images/{ident}/file", "upload_image")
def upload(ctx: ImageContext, ident: str) -> Response:
    """Keep what an image holds."""
    data, chosen = ctx.data(), stores.of_header(ctx)
    images.store(ctx.tx, ctx.clock, ctx.owned(ident, "upload_image"), data, chosen)
    return Response(204)


@ROUTES.add("PUT", "/v2/images/{ident}/stage", "modify_image")
def stage(ctx: ImageContext, ident: str) -> Response:
    """Keep what an image is to hold once it is imported."""
    data = ctx.data()
    images.stage(ctx.tx, ctx.clock, ctx.owned(ident, "modify_image"), data)
    return Response(204)


@ROUTES.add("POST", "/v2/images/{ident}/actions/deactivate", "deactivate")
def deactivate(ctx: ImageContext, ident: str) -> Response:
    """Keep clients from downloading an image."""
    row = ctx.owned(ident, "deactivate")
    images.switch(ctx.tx, ctx.clock, row, images.DEACTIVATED)
    return Response(204)


@ROUTES.add("POST", "/v2/images/{ident}/actions/reactivate", "reactivate")
def reactivate(ctx: ImageContext, ident: str) -> Response:
    """Let clients download an image again."""
    row = ctx.owned(ident, "reactivate")
    images.switch(ctx.tx, ctx.clock, row, images.ACTIVE)
    return Response(204)
