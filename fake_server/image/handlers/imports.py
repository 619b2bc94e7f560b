"""``/v2/images/{id}/import``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.wsgi import Response
from fake_server.image import downloads, stores
from fake_server.image.models import images, tasks
from fake_server.image.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.image.context import Handler, ImageContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.add("POST", "/v2/images/{ident}/import", "modify_image", "copy_image")
def import_image(ctx: ImageContext, ident: str) -> Response:
    """Fill an image with what was staged or a URL leads to, or copy it to further stores."""
    body = ctx.dialect.body(ctx.request)
    method = _method(ctx, body)
    row = ctx.found(ident, "No image found with ID {}")
    images.check_importable(row, method)
    ctx.require_of(row, "copy_image" if method == images.COPY_IMAGE else "modify_image")
    wanted = stores.of_body(ctx, body)
    url = body["method"].get("uri")
    if method == images.COPY_IMAGE:
        wanted = _lacking(row, wanted, every=body.get("all_stores", False))
        if not wanted:
            return Response(202)
    if not body.get("all_stores_must_succeed", True) and not ctx.stores:
        raise BadRequest(f"All_stores_must_succeed can only be set with enabled_backends {url}")
    if method == images.WEB_DOWNLOAD and not downloads.is_allowed(url):
        raise BadRequest(f"URI for web-download does not pass filtering: {url}")
    asked: dict[str, Any] = {
        "user_id": ctx.user_id,
        "request_id": ctx.request.id,
        "input": {
            "image_id": ident,
            "import_req": body,
            "backend": list(wanted) if ctx.stores else [None],
        },
    }
    start = tasks.start_download if method == images.WEB_DOWNLOAD else tasks.import_at_once
    start(ctx.tx, ctx.clock, row, asked)
    return Response(202)


def _method(ctx: ImageContext, body: Mapping[str, Any]) -> str:
    """Return how an image is to be imported; raise BadRequest for what is no request for it."""
    method = body.get("method")
    if not isinstance(method, dict):
        raise BadRequest("Import request requires a 'method' field.")
    if "name" not in method:
        raise BadRequest("Import request requires a 'name' field.")
    name = method["name"]
    if name not in ctx.import_methods:
        raise BadRequest(f"Unknown import method name '{name}'.")
    for switch in ("all_stores_must_succeed", "all_stores"):
        if not isinstance(body.get(switch, False), bool):
            raise BadRequest(f"'{switch}' must be boolean value only")
    return str(name)


def _lacking(row: Record, wanted: Sequence[str], *, every: bool) -> Sequence[str]:
    """Return the stores that an image is to be copied to, which don't hold it yet.

    :param every: whether all were asked for; otherwise one that holds it is a BadRequest.
    """
    held = [name for name in wanted if name in (row["stores"] or ())]
    if held and not every:
        raise BadRequest(f"Image is already present at store '{held[0]}'")
    return [name for name in wanted if name not in held]
