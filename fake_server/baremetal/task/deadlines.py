"""Until when a node waits for its agent to call back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import periodic, states

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record

#: Name of the work that is due then.
CALLBACK_TIMEOUT = "agent_callback_timeout"
CALLBACK_EVENT: Record = {"work": CALLBACK_TIMEOUT, "arguments": {}}


def callback(options: Mapping[str, float], node: Record, now: Any, seconds: float) -> Record:
    """Return the columns that say until when a node waits.

    :param options: those of the periodic tasks.
    :param node: as it is from now on.
    :param now: the moment, as it is stored.
    :param seconds: the moment, since the epoch.
    """
    timeout = periodic.timeout(options, node["provision_state"])
    if not timeout:
        return {"due_at": None, "due_event": None}
    waited = timedelta()
    if node["provision_state"] == states.INSPECTWAIT and node["inspection_started_at"]:
        waited = now - node["inspection_started_at"]
    return {"due_at": seconds + timeout - waited.total_seconds(), "due_event": CALLBACK_EVENT}
