"""``/_fake/delays``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response
from fake_server.control.delays import NAMES
from fake_server.control.routing import ROUTES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control


@ROUTES.add("GET", "/_fake/delays")
def show_delays(control: Control, _request: Request) -> Response:
    """Show how long transitions take."""
    return encode(200, {**control.delays.show(), "names": NAMES})


@ROUTES.add("PUT", "/_fake/delays")
def set_delays(control: Control, request: Request) -> Response:
    """Set how long transitions take."""
    values = decode(request)
    # So that what was shown can be sent back.
    values.pop("names", None)
    control.delays.replace(values)
    return show_delays(control, request)


@ROUTES.add("DELETE", "/_fake/delays")
def clear_delays(control: Control, _request: Request) -> Response:
    """Let transitions take as long as the server's options say."""
    control.delays.set()
    return Response(204)
