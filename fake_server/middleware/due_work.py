"""The one place where time passes: what is due is applied before a request is served.

Nothing happens in between, so what should have happened is made up for, in the order of time,
whichever service it belongs to. Work that a request leaves for after its answer is due at once.
"""

from __future__ import annotations

import math
import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from fake_server.common import due_work, logs
from fake_server.db.store import ConflictError, run_with_retries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.due_work import Jump, Kind
    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Record, Transaction
    from fake_server.middleware.chain import Endpoint

LOG = logs.logger(__name__)
#: Seconds for which what was read is relied on while other processes may change the database.
_LEASE = 0.025
#: How often work is tried that conflicts with what others do, and for how many seconds.
_TURNS = 100
_SECONDS = 10.0


class _Agenda(NamedTuple):
    """What is to come, as it was read from the database.

    :param state: the state of the database then; ``None`` if other processes change it, too.
    :param until: how long the agenda holds in that case, by the system's monotonic clock.
    :param first: when something is due first, in seconds since the epoch.
    """

    state: int | None = None
    until: float = -math.inf
    first: float = math.inf


class DueWork:
    """Have services do what is due, before requests and after those that leave some.

    :param kinds: the kinds of due work, by name.
    :raises ValueError: if the database has work of another kind.
    """

    def __init__(self, lab: Lab, kinds: Mapping[str, Kind]) -> None:
        self._lab = lab
        self._kinds = kinds
        self._agenda = _Agenda()
        unknown = sorted(lab.store.run(due_work.kinds_stored, write=False).difference(kinds))
        if unknown:
            raise ValueError(
                f"The table due_work of the database has work of kind {unknown[0]!r}, which this "
                f"version doesn't know; it knows {', '.join(sorted(kinds))}. Use the version that "
                "has stored it, or an empty database."
            )

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request."""
        self.apply()
        response = proceed(request)
        if request.writes:
            self._agenda = self._read()
            if self._agenda.first <= self._lab.clock.seconds():
                response.afterwards = self._finish
        return response

    def next_jump(self, tx: Transaction) -> float | None:
        """Return to which moment a clock jumps when a client waits, if to any.

        What watches something else comes only if nothing else does; time limits never do.
        """
        for jump in ("first", "last"):
            names = self._of_jump(jump)
            moment = due_work.next_moment_of(tx, names)
            if moment is not None:
                return moment
        return None

    def apply(self) -> None:
        """Apply what is due."""
        agenda = self._agenda if self._is_current() else self._read()
        self._agenda = agenda
        if self._lab.clock.seconds() < agenda.first:
            return
        try:
            self._apply_all()
        except ConflictError as exc:
            LOG.debug("Due work is left for the next request: %s", exc)
            return
        self._agenda = self._read()

    def _of_jump(self, jump: Jump) -> list[str]:
        return [name for name, kind in self._kinds.items() if kind.jump == jump]

    def _apply_all(self) -> None:
        """Apply what is due in the order of time, each row in a transaction of its own.

        What follows from it is applied as well if it is due by now.

        :raises ConflictError: if others keep changing the same rows.
        """
        clock, place = self._lab.clock, due_work.BEGINNING
        stuck: set[str] = set()
        while row := self._lab.store.run(
            partial(due_work.next_due, after=place, now=clock.seconds()), write=False
        ):
            thing = row["thing"]
            if thing not in stuck and self._apply(row):
                continue
            # In order, so the rest of the thing stays, too.
            stuck.add(thing)
            place = due_work.Place(row["due_at"], row["id"])

    def _apply(self, row: Record) -> bool:
        once = partial(self._kinds[row["kind"]].apply, self._lab, row)
        with self._lab.clock.at(row["due_at"]):
            return run_with_retries(once, turns=_TURNS, seconds=_SECONDS)

    def _is_current(self) -> bool:
        state = self._lab.store.state()
        if state is None:
            return time.monotonic() < self._agenda.until
        return state == self._agenda.state

    def _read(self) -> _Agenda:
        began = time.monotonic()

        def read(tx: Transaction) -> _Agenda:
            first = due_work.first_moment(tx)
            first = math.inf if first is None else first
            return _Agenda(self._lab.store.state(), began + _LEASE, first)

        return self._lab.store.run(read, write=False)

    def _finish(self) -> None:
        """Apply what a request has left, unless the server stops."""
        try:
            self._apply_all()
        except (ConflictError, SQLAlchemyError) as exc:
            LOG.debug("Due work is left for the next request: %s", exc)
