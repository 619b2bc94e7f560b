"""The services beside Ironic, by the first segment of their paths; loaded when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.service import Service

#: Where their classes are.
SERVICES: Mapping[str, tuple[str, str]] = {
    "volume": ("block_storage", "BlockStorageService"),
    "compute": ("compute", "ComputeService"),
    "identity": ("identity", "IdentityService"),
    "image": ("image", "ImageService"),
    "networking": ("networking", "NetworkingService"),
    "object-store": ("object_storage", "ObjectStorageService"),
    "placement": ("placement", "PlacementService"),
}


def addresses(name: str) -> dict[str, frozenset[str]]:
    """Return the methods of a service's addresses.

    They have placeholders, and don't have what the paths of the service begin with.
    """
    folder, kind = SERVICES[name]
    service: type[Service] = getattr(import_module(f"fake_server.{folder}.service"), kind)
    return service.routes.addresses()
