"""Requests to the controls are answered before any fault can meet them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.control.service import PREFIX

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.control.service import Control
    from fake_server.middleware.chain import Endpoint


class Controls:
    """Answer requests below ``/_fake``; follow the state of the controls for all others."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request."""
        path = request.path
        if path.startswith(PREFIX) and path[len(PREFIX) :][:1] in ("", "/"):
            return self._control.answer(request)
        self._control.state.refresh()
        return proceed(request)
