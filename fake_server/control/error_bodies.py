"""Errors of faults, in the format of each service."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fake_server.baremetal.api import rendering
from fake_server.block_storage import errors as block_storage_errors
from fake_server.common import randomness
from fake_server.common.errors import with_status
from fake_server.common.rest import encode
from fake_server.compute import errors as compute_errors
from fake_server.identity import errors as identity_errors
from fake_server.image import errors as image_errors
from fake_server.networking import errors as networking_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.common.errors import ServiceError
    from fake_server.common.wsgi import Response


def fault(path: str, status: int, message: str) -> Response:
    """Return an error in the format of the service that the path belongs to."""
    render = _RENDERERS.get(path[1:].partition("/")[0], _baremetal)
    return render(with_status(status, message))


def _baremetal(error: ServiceError) -> Response:
    return rendering.fault(error.status, str(error), [])


def _placement(error: ServiceError) -> Response:
    body = {"status": error.status, "title": error.title, "detail": str(error)}
    return encode(error.status, {"errors": [{**body, "request_id": f"req-{randomness.uuid()}"}]})


_RENDERERS: Mapping[str, Callable[[ServiceError], Response]] = MappingProxyType(
    {
        "networking": networking_errors.render,
        "volume": block_storage_errors.render,
        "identity": identity_errors.render,
        "compute": compute_errors.render,
        "placement": _placement,
        "image": image_errors.render,
    }
)
