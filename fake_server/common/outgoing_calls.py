"""Calls to agents and to web services, which are made while no transaction is open.

Work that needs a call is rolled back. Its row notes that the call is under way, the transaction
ends, the call is made, and its result is stored in the row. Then the work starts again, and finds
the result. So the service that is called can send requests to this server.
"""

from __future__ import annotations

import time
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.common import due_work, logs
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fake_server.db.store import Record, Store, Transaction

LOG = logs.logger(__name__)

#: Seconds after which the process that makes a call counts as dead, and another one makes it.
_PATIENCE = 60
_CRASHED = "crashed"


class CallNeeded(RetryError):
    """Raised by work that needs the result of an outgoing call.

    :param call: makes the call, and returns its result, as JSON.
    """

    def __init__(self, call: Callable[[], Any]) -> None:
        super().__init__("work calls somebody outside")
        self.call = call


class Outcomes:
    """The results of the outgoing calls that a piece of work has made.

    :param stored: as its row has them.
    """

    def __init__(self, stored: Sequence[Any]) -> None:
        # Copies, since work may change them, and what is stored is compared with the row later.
        self._left: list[Any] = deepcopy(list(stored))

    def of(self, call: Callable[[], Any]) -> Any:
        """Return the result of the next call; raise CallNeeded if it wasn't made yet."""
        if not self._left:
            raise CallNeeded(call)
        outcome = self._left.pop(0)
        if isinstance(outcome, dict) and _CRASHED in outcome:
            raise RuntimeError(outcome[_CRASHED])
        return outcome


def make(store: Store, row: Record, call: Callable[[], Any]) -> None:
    """Make a call for due work, unless another process does, and store its result.

    :param row: the work, as it is stored.
    """
    calling = begin(store, row)
    if calling is None:
        return
    try:
        outcome = call()
    except Exception as exc:
        LOG.exception("A call of %s crashed", row["kind"])
        outcome = {_CRASHED: logs.told(exc)}
    done = {"calling_until": None, "outcomes": [*row["outcomes"], outcome]}
    store.run(partial(_change, calling, done))


def begin(store: Store, row: Record) -> Record | None:
    """Note that a call is under way.

    :param row: the work that needs it, as it is stored.
    :returns: the row as it is then, or ``None`` if another process makes the call.
    """
    if is_under_way(row):
        return None
    calling = {"calling_until": time.time() + _PATIENCE}
    return {**row, **calling} if store.run(partial(_change, row, calling)) else None


def is_under_way(row: Record) -> bool:
    """Return whether a process makes a call for due work."""
    return (row["calling_until"] or 0) > time.time()


def _change(row: Record, changes: Record, tx: Transaction) -> bool:
    """Change a row; return ``False`` if another process was faster."""
    if due_work.current(tx, row) != row:
        return False
    return bool(tx.update_row(due_work.due_work, row["id"], changes))
