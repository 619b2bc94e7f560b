"""Errors that were asked for, as each service of the server words its own."""

from __future__ import annotations

from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING
from uuid import uuid4

from fake_server.baremetal.api import rendering
from fake_server.block_storage.errors import StorageError
from fake_server.common.rest import encode
from fake_server.compute.errors import ComputeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.common.wsgi import Response


def fault(path: str, status: int, message: str) -> Response:
    """Return an error as the service that a path is of would.

    :param path: what was asked for; its first segment tells the service.
    """
    shape = _SHAPES.get(path[1:].partition("/")[0], _baremetal)
    return shape(status, message)


def _baremetal(status: int, message: str) -> Response:
    return rendering.fault(status, message, [])


def _networking(status: int, message: str) -> Response:
    kind = "".join(_title(status).split())
    return encode(status, {"NeutronError": {"type": kind, "message": message, "detail": ""}})


def _block_storage(status: int, message: str) -> Response:
    error = StorageError(message)
    error.status = status
    return error.render()


def _compute(status: int, message: str) -> Response:
    error = ComputeError(message)
    error.status = status
    return error.render()


def _placement(status: int, message: str) -> Response:
    error = {"status": status, "title": _title(status), "detail": message}
    return encode(status, {"errors": [{**error, "request_id": f"req-{uuid4()}"}]})


def _image(status: int, message: str) -> Response:
    title = _title(status)
    return encode(status, {"message": message, "code": f"{status} {title}", "title": title})


def _identity(status: int, message: str) -> Response:
    error = {"code": status, "message": message, "title": _title(status)}
    return encode(status, {"error": error})


def _title(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown Error"


_SHAPES: Mapping[str, Callable[[int, str], Response]] = MappingProxyType(
    {
        "networking": _networking,
        "volume": _block_storage,
        "identity": _identity,
        "compute": _compute,
        "placement": _placement,
        "image": _image,
    }
)
