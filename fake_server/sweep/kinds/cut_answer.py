"""``cut-answer``: the connection ends in the middle of the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.control.faults import Truncated

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation


class CutAnswer:
    """Half of the body of an answer is sent."""

    name = "cut-answer"
    text = "the connection ends in the middle of the answer's body"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether the answer has a body that can be cut."""
        return asked.size > 1 and asked.call.method != "HEAD"

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Do what is asked for, and send half of the answer."""
        whole = proceed(situation.request)
        return Truncated(whole, len(whole.body) // 2)
