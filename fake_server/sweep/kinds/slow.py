"""``slow``: the change is stored, but the answer is held back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fake_server.common.wsgi import CAN_POSTPONE, Postponed

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation


class Slow:
    """An answer takes so long that a client with a time limit hangs up."""

    name = "slow"
    text = "the answer is held back, in real time, for half of the case's time limit"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return True: every request can meet it."""
        return True

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Do what is asked for, and hold the answer back."""
        response = proceed(situation.request)
        if situation.request.environ.get(CAN_POSTPONE):
            situation.told(response)
            raise Postponed(situation.held, lambda: response)
        time.sleep(situation.held)
        return response
