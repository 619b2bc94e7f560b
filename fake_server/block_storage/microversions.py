"""Versions of the Block Storage API: which one a request is for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.block_storage.errors import BadRequest, NotAcceptable

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request

MAJOR = 3
MAXIMUM = 71
HEADER = "OpenStack-API-Version"

#: The API of attachments.
ATTACHMENTS = 27
#: ``os-complete`` of an attachment.
COMPLETE = 44
#: Whether a volume can be attached often is told by its type alone.
MULTIATTACH_BY_TYPE = 50
#: The mode beside the connector of an attachment.
ATTACH_MODE = 54

_ONE = re.compile(rf"{MAJOR}\.(0|[1-9][0-9]*)")


def negotiate(request: Request) -> int:
    """Return the minor version that a request is for; 0 where it names none.

    :raises BadRequest: for what is no version.
    :raises NotAcceptable: for a version that isn't offered.
    """
    header = request.header("HTTP_OPENSTACK_API_VERSION") or ""
    for part in header.split(","):
        service, _, version = part.strip().partition(" ")
        if service.lower() not in ("volume", "block-storage"):
            continue
        if version.strip().lower() == "latest":
            return MAXIMUM
        match = _ONE.fullmatch(version.strip())
        if match is None and not re.fullmatch(r"[0-9]+\.[0-9]+", version.strip()):
            raise BadRequest(
                f"API Version String {version.strip()} is of invalid format. Must be of format "
                "MajorNum.MinorNum."
            )
        if match is None or int(match[1]) > MAXIMUM:
            raise NotAcceptable(
                f"Version {version.strip()} is not supported by the API. Minimum is {MAJOR}.0 and "
                f"maximum is {MAJOR}.{MAXIMUM}."
            )
        return int(match[1])
    return 0
