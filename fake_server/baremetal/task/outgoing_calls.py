"""Calls to agents and to web services, which are made while no transaction is open.

Work that needs a call is rolled back. The due event notes that the call is under way, the
transaction ends, the call is made, and its result is stored with the event. Then the work starts
again, and finds the result. So the service that is called can send requests to this server.
"""

from __future__ import annotations

import logging
import time
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.tables import nodes
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.db.store import Record, Store, Transaction

LOG = logging.getLogger(__name__)

#: Seconds after which the process that makes a call counts as dead, and another one makes it.
_PATIENCE = 60
_CRASHED = "crashed"
#: Key of a due event: until when an outgoing call for it counts as running, by the system's
#: clock.
CALLING = "calling_until"


class CallNeeded(RetryError):
    """Raised by work that needs the result of an outgoing call.

    :param call: makes the call, and returns its result, as JSON.
    """

    def __init__(self, call: Callable[[], Any]) -> None:
        super().__init__("work calls somebody outside")
        self.call = call


class Outcomes:
    """The results of the outgoing calls that a piece of work has made.

    :param event: the work, as its node stores it.
    """

    def __init__(self, event: Record) -> None:
        # Copies, since work may change them, and what is stored is compared with the event later.
        self._left: list[Any] = deepcopy(event.get("outcomes", []))

    def of(self, call: Callable[[], Any]) -> Any:
        """Return the result of the next call; raise CallNeeded if it wasn't made yet."""
        if not self._left:
            raise CallNeeded(call)
        outcome = self._left.pop(0)
        if isinstance(outcome, dict) and _CRASHED in outcome:
            raise RuntimeError(outcome[_CRASHED])
        return outcome


def make(store: Store, node_id: int, event: Record, call: Callable[[], Any]) -> None:
    """Make a call for the work of a node, unless another process does, and store its result.

    :param event: the work, as the node stores it.
    """
    calling = {**event, CALLING: time.time() + _PATIENCE}
    if not store.run(partial(_replace, node_id, event, calling)):
        return
    try:
        outcome = call()
    except Exception as exc:
        LOG.exception("A call of %s crashed", event["work"])
        outcome = {_CRASHED: repr(exc)}
    done = {**event, "outcomes": [*event.get("outcomes", ()), outcome]}
    done.pop(CALLING, None)
    store.run(partial(_replace, node_id, calling, done))


def _replace(node_id: int, old: Record, new: Record, tx: Transaction) -> bool:
    """Replace the due event of a node; return ``False`` if another process was faster."""
    node = tx.get(nodes, id=node_id)
    if node is None or node["due_event"] != old:
        return False
    return bool(tx.update_row(nodes, node_id, {"due_event": new}))
