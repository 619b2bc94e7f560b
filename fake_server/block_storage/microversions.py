"""Versions of the Block Storage API: which one a request is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common import microversions
from fake_server.common.microversions import requested

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request

MAJOR = 3
MAXIMUM = 71

#: The API of attachments.
ATTACHMENTS = 27
#: ``os-complete`` of an attachment.
COMPLETE = 44
#: Whether a volume can be attached often is told by its type alone.
MULTIATTACH_BY_TYPE = 50
#: The mode beside the connector of an attachment.
ATTACH_MODE = 54


def negotiate(request: Request) -> int:
    """Return a request's minor version (0 by default); raise BadRequest or NotAcceptable."""
    wanted = requested(request, "volume", "block-storage")
    return microversions.negotiate(wanted, r"[0-9]+\.[0-9]+", MAJOR, 0, MAXIMUM)
