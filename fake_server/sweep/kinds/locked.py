"""``locked`` and ``locked-long``: another conductor thread holds the node's lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.control import error_bodies
from fake_server.control.faults import LOCKED

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation

#: Seconds by the server's clock for which a node stays locked.
LONG = 30


class Locked:
    """A node is locked for one request."""

    name = "locked"
    text = "one change of a node is refused with 409, as the node is locked"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether the request changes a node."""
        return asked.call.changes_node

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Refuse the change."""
        text = LOCKED.format(situation.call.resource, situation.app.settings.host)
        return error_bodies.fault(situation.request.path, 409, text)


class LockedLong(Locked):
    """A node is locked for a while, for all requests that change it."""

    name = "locked-long"
    text = f"all changes of a node are refused with 409 for {LONG} s of the server's clock"

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Lock the node, and have the lock refuse the change."""
        situation.app.control.faults.add({"node": situation.node}, {"locked": True}, seconds=LONG)
        return proceed(situation.request)
