"""The tables of all services, also of those whose code is loaded when they are first asked."""

from __future__ import annotations

from .compute import tables as compute
from .image import tables as image
from .placement import tables as placement
from .schema import metadata

__all__ = ["compute", "image", "metadata", "placement"]
