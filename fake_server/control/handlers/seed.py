"""``/_fake/seed``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.rest import decode, encode
from fake_server.control.routing import ROUTES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.control.service import Control


@ROUTES.add("GET", "/_fake/seed")
def export_seed(control: Control, _request: Request) -> Response:
    """Return what the server has, as a seed."""
    return encode(200, control.seeds.export())


@ROUTES.add("POST", "/_fake/seed")
def load_seed(control: Control, request: Request) -> Response:
    """Load a seed."""
    return encode(201, control.seeds.load(decode(request)))
