"""``killed``: the program ends at once, after its change and before the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.wsgi import ConnectionDropped
from fake_server.sweep.kinds.lost_answer import finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation


class Killed:
    """The machine that the program runs on loses its power."""

    name = "killed"
    text = "the program is killed once the change is stored, before the answer"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether the request changes something."""
        return asked.call.writes

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Do what is asked for, and kill the program."""
        finish(proceed(situation.request))
        situation.kill()
        raise ConnectionDropped
