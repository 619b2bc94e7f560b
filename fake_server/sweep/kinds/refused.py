"""``refused``: the connection is closed before the request is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.wsgi import ConnectionDropped

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation


class Refused:
    """The server can't be reached for one request."""

    name = "refused"
    text = "the connection ends before the request was read"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return True: every request can meet it."""
        return True

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Close the connection."""
        raise ConnectionDropped
