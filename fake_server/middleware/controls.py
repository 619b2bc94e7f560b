"""Requests to the controls are answered before any fault can meet them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.control.service import PREFIX

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.control.service import Control
    from fake_server.middleware.chain import Endpoint
    from fake_server.middleware.waits import Waits


class Controls:
    """Answer requests below ``/_fake``; follow the state of the controls for all others."""

    def __init__(self, control: Control, waits: Waits) -> None:
        self._control = control
        self._waits = waits

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request."""
        path = request.path
        if path.startswith(PREFIX) and path[len(PREFIX) :][:1] in ("", "/"):
            response = self._control.answer(request)
            if request.method != "GET":
                self._waits.is_wait(request, path, None)
            return response
        self._control.state.refresh()
        return proceed(request)
