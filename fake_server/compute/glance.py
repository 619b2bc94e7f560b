"""Images of instances, looked at in Glance as ``nova.image.glance`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.common.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.context import Context


def check_image(ctx: Context, ident: str, flavor: Mapping[str, Any]) -> None:
    """Raise BadRequest for an image of Glance that a flavor can't boot, or the client can't see."""
    image = _get(ctx, ident, f"Image {ident} could not be found.")
    if image is None:
        return
    if image["status"] != "active":
        raise BadRequest(f"Image {ident} is not active.")
    if flavor["ram"] < image["min_ram"]:
        raise BadRequest("Flavor's memory is too small for requested image.")
    if 0 < flavor["disk"] < image["min_disk"]:
        size, least = flavor["disk"] << 30, image["min_disk"] << 30
        raise BadRequest(
            f"Flavor's disk is smaller than the minimum size specified in image metadata. Flavor "
            f"disk is {size} bytes, minimum size is {least} bytes."
        )


def check_rescue_image(ctx: Context, ident: str) -> None:
    """Raise BadRequest for an image of Glance that the client can't see."""
    _get(ctx, ident, f"Requested rescue image '{ident}' is not supported")


def _get(ctx: Context, ident: str, problem: str) -> dict[str, Any] | None:
    """Return an image of Glance, if it has it; raise BadRequest if the client can't see it."""
    path = f"/images/{quote(ident, safe='')}"
    image = ctx.session.cloud.image("GET", path, ignored=(404,))
    if image is None:
        return None
    if ctx.session.cloud.image("GET", path, caller=ctx.caller, ignored=(403, 404)) is None:
        raise BadRequest(problem)
    return dict(image)
