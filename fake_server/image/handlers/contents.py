"""``/v2/images/{id}/file`` and what changes the status of an image: import, deactivation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.wsgi import Response
from fake_server.image import downloads
from fake_server.image.models import images, tasks
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
    data = ctx.data()
    images.store(ctx.tx, ctx.clock, ctx.owned(ident, "upload_image"), data)
    return Response(204)


@ROUTES.add("PUT", "/v2/images/{ident}/stage", "modify_image")
def stage(ctx: ImageContext, ident: str) -> Response:
    """Keep what an image is to hold once it is imported."""
    data = ctx.data()
    images.stage(ctx.tx, ctx.clock, ctx.owned(ident, "modify_image"), data)
    return Response(204)


@ROUTES.add("POST", "/v2/images/{ident}/import", "modify_image")
def import_image(ctx: ImageContext, ident: str) -> Response:
    """Fill an image with what was staged, or with what a URL leads to."""
    body = ctx.dialect.body(ctx.request)
    wanted = body.get("method")
    if not isinstance(wanted, dict):
        raise BadRequest("Import request requires a 'method' field.")
    if "name" not in wanted:
        raise BadRequest("Import request requires a 'name' field.")
    method = wanted["name"]
    if method not in images.METHODS:
        raise BadRequest(f"Unknown import method name '{method}'.")
    for name in ("all_stores_must_succeed", "all_stores"):
        if not isinstance(body.get(name, False), bool):
            raise BadRequest(f"'{name}' must be boolean value only")
    row = ctx.found(ident, "No image found with ID {}")
    images.check_importable(row, method)
    ctx.require_of(row, "modify_image")
    if not body.get("all_stores_must_succeed", True):
        url = wanted.get("uri")
        raise BadRequest(f"All_stores_must_succeed can only be set with enabled_backends {url}")
    asked: dict[str, Any] = {
        "user_id": ctx.user_id,
        "request_id": ctx.request.id,
        "input": {"image_id": ident, "import_req": body, "backend": [None]},
    }
    if method == images.GLANCE_DIRECT:
        tasks.import_staged(ctx.tx, ctx.clock, row, asked)
        return Response(202)
    if not downloads.is_allowed(wanted.get("uri")):
        problem = f"URI for web-download does not pass filtering: {wanted.get('uri')}"
        raise BadRequest(problem)
    tasks.start_download(ctx.tx, ctx.clock, row, asked)
    return Response(202)


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
