"""``/v2/info/stores`` and ``/v2/stores``: which stores there are, and what they hold no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict, Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.image.models import images
from fake_server.image.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.image.context import Handler, ImageContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.public("GET", "/v2/info/stores")
def list_stores(ctx: ImageContext) -> Response:
    """List the stores, unless there is one without a name."""
    return encode(200, {"stores": _shown(ctx)})


@ROUTES.add("GET", "/v2/info/stores/detail", "stores_info_detail")
def list_details(ctx: ImageContext) -> Response:
    """List the stores with how they keep images."""
    found = _shown(ctx)
    ctx.require("stores_info_detail", {})
    details: dict[str, Any] = {"type": "file", "weight": 0}
    properties = {"chunk_size": 65536, "thin_provisioning": False}
    for one in found:
        one |= {**details, "properties": {"data_dir": f"/{one['id']}", **properties}}
    return encode(200, {"stores": found})


@ROUTES.add("DELETE", "/v2/stores/{store}/{ident}", "delete_image_location")
def delete_from_store(ctx: ImageContext, store: str, ident: str) -> Response:
    """Have a store hold an image no more, which is in another one, too."""
    if not ctx.stores:
        raise NotFound
    if store not in ctx.stores:
        raise Conflict(f"The selected store {store} is not available on this node.")
    row = ctx.owned(ident, "delete_image_location", "Failed to find image {}")
    if row["status"] != images.ACTIVE:
        raise Conflict(
            "It's not allowed to remove image data from store if image status is not 'active'"
        )
    held = row["stores"] or []
    if len(held) == 1:
        raise Forbidden(
            "Cannot delete image data from the only store containing it. Consider deleting the "
            "image instead."
        )
    if store not in held:
        raise NotFound(f"Image {ident} is not stored in store {store}.")
    left = [name for name in held if name != store]
    images.update(ctx.tx, ctx.clock, row, {"stores": left})
    return Response(204)


def _shown(ctx: ImageContext) -> list[dict[str, Any]]:
    """Return the stores; raise NotFound if there is one without a name."""
    if not ctx.stores:
        raise NotFound("Multi backend is not supported at this site.")
    default = {"default": "true"}
    return [{"id": name, **(default if name == ctx.stores[0] else {})} for name in ctx.stores]
