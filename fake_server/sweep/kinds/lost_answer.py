"""``lost-answer``: the change is stored, but the client never hears of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.wsgi import ConnectionDropped

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation


class LostAnswer:
    """The connection ends between the change and the answer."""

    name = "lost-answer"
    text = "the change is stored, and the connection ends before the answer"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether the request changes something."""
        return asked.call.writes

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Do what is asked for, and close the connection."""
        finish(proceed(situation.request))
        raise ConnectionDropped


def finish(response: Response) -> None:
    """Do what is left for after an answer, for one that isn't sent."""
    if response.afterwards is not None:
        response.afterwards()
