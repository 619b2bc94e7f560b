"""Images of instances, looked at in Glance as ``nova.image.glance`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.common.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.session import Session


def check_image(session: Session, ident: str, flavor: Mapping[str, Any]) -> None:
    """Raise BadRequest for an image of Glance that a flavor can't boot."""
    image = session.cloud.image("GET", f"/images/{quote(ident, safe='')}", ignored=(404,))
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
