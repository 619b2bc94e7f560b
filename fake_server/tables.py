"""The tables of all services, also of those whose code is loaded when they are first asked."""

from __future__ import annotations

from fake_server.compute import tables as compute
from fake_server.db.schema import metadata
from fake_server.image import tables as image
from fake_server.placement import tables as placement

__all__ = ["compute", "image", "metadata", "placement"]
