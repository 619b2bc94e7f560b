"""The clock, the delays and the faults in force, shared by all processes on a database.

A process caches what it has read for :data:`LEASE` seconds. A request that changes something waits
as long before it is answered, so that every process has the change by then, and none asks the
database more than forty times a second. A database in memory belongs to one process.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from fake_server.clock import Pace
from fake_server.control import models
from fake_server.control.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fake_server.clock import Clock
    from fake_server.db.store import Store, Transaction

T = TypeVar("T")

#: Seconds for which a process caches what it has read.
LEASE = 0.025


class ControlState:
    """The controls in force, which are kept in the database.

    :param store: the database.
    :param clock: the clock of the process, which all processes share from now on.
    :param given: whether the clock replaces the one that the database has.
    """

    def __init__(self, store: Store, clock: Clock, *, given: bool) -> None:
        self.faults: Sequence[Fault] = ()
        #: As :meth:`.delays.Delays.set` stores them.
        self.delays: Mapping[str, Any] = {}
        #: Of what is drawn at random, unless the delays have one.
        self.seed = 0
        self._store = store
        self._clock = clock
        #: Whether other processes may use the database, too.
        self.shared = not store.in_memory
        #: Brings what is stored up to date, before a change: what has begun goes on as it was.
        self.apply_due_work: Callable[[], None] = lambda: None
        self._lock = Lock()
        self._revision = 0
        self._until = 0.0
        self.transact(models.ensure)
        self.refresh()
        if self.shared:
            if given or self.transact(models.read)["clock"] is None:
                self._store_pace(lambda _: clock.pace)
            clock.keep_with(self._keep_pace)

    def refresh(self) -> None:
        """Read what is in force, unless it is still cached."""
        if self.shared:
            if time.monotonic() >= self._until:
                self._read()
        elif not self._revision:
            self._read()

    def change(self, act: Callable[[Transaction], T], **values: object) -> T:
        """Change what is in force, in all processes before this returns.

        :param act: changes the faults.
        :param values: columns of the state that change.
        """

        def work(tx: Transaction) -> T:
            models.write(tx, **values)
            return act(tx)

        self.apply_due_work()
        result = self.transact(work)
        self._publish()
        return result

    def transact(self, work: Callable[[Transaction], T], *, write: bool = True) -> T:
        """Run a function in a transaction, again after each conflict."""
        return self._store.run(work, write=write)

    def check(self) -> None:
        """Read the database; raise SQLAlchemyError if that fails."""
        self.transact(models.read, write=False)

    def close(self) -> None:
        """Leave the clock to its owner."""
        self._clock.keep_with(None)

    def _keep_pace(self, changed: Callable[[Pace], Pace]) -> None:
        """Change how time passes for all processes."""
        self._store_pace(changed)
        self._publish()

    def _store_pace(self, changed: Callable[[Pace], Pace]) -> None:
        def work(tx: Transaction) -> None:
            stored = models.read(tx)["clock"]
            pace = changed(Pace(**stored) if stored else self._clock.pace)
            models.write(tx, clock=asdict(pace))

        self.transact(work)

    def _publish(self) -> None:
        self._read()
        if self.shared:
            time.sleep(LEASE)

    def _read(self) -> None:
        began = time.monotonic()
        self.transact(self._take_over, write=False)
        self._until = max(self._until, began + LEASE)

    def _take_over(self, tx: Transaction) -> None:
        state = models.read(tx)
        if state["revision"] <= self._revision:
            return
        faults = [Fault.stored(row) for row in models.faults_in_order(tx)]
        with self._lock:
            # A delayed thread must not bring back an older state.
            if state["revision"] <= self._revision:
                return
            self.faults = faults
            self.delays, self.seed = state["delays"], state["seed"]
            if self.shared and state["clock"]:
                self._clock.pace = Pace(**state["clock"])
            self._revision = state["revision"]
