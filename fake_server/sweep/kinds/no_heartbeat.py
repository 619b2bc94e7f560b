"""``no-heartbeat``: the agent that the request has booted never calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation


class NoHeartbeat:
    """The node waits for its agent, until the conductor gives up."""

    name = "no-heartbeat"
    text = "the agent that the request has booted doesn't call, until the node's wait times out"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether a node waited for an agent because of the request."""
        return asked.boots_agent

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Silence the agent, once."""
        situation.app.control.fail_next(situation.node, ("heartbeat",))
        return proceed(situation.request)
