"""The one place where time passes: what is due is applied before a request is served.

Nothing happens in between, so what should have happened is made up for, in the order of time. Work
that a request leaves for after its answer is an event that is due at once.
"""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from fake_server.baremetal.conductor import due_events
from fake_server.compute.models import instances
from fake_server.db.store import ConflictError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.compute.service import ComputeService
    from fake_server.db.store import Transaction
    from fake_server.middleware.chain import Endpoint

LOG = logging.getLogger(__name__)
#: Seconds for which what was read is relied on while other processes may change the database.
_LEASE = 0.025
#: Seconds after which Nova asks again how far Ironic is, if nothing has changed since.
_POLL = 2.0


class _Agenda(NamedTuple):
    """What is to come, as it was read from the database.

    :param state: the state of the database then; ``None`` if other processes change it, too.
    :param until: how long the agenda holds in that case, by the system's monotonic clock.
    :param event: when the next event of conductors is due, in seconds since the epoch.
    :param poll: when Nova is to go on with its servers.
    """

    state: int | None = None
    until: float = -math.inf
    event: float = math.inf
    poll: float = math.inf


class DueEvents:
    """Have conductors and Nova do what is due, before requests and after those that leave some.

    :param compute: returns the Compute service, which is loaded then.
    """

    def __init__(self, lab: Lab, compute: Callable[[], ComputeService]) -> None:
        self._lab = lab
        self._compute = compute
        self._agenda = _Agenda()

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request."""
        self.apply()
        response = proceed(request)
        if request.writes:
            self._agenda = self._read()
            if self._agenda.event <= self._lab.clock.seconds():
                response.afterwards = self._finish
        return response

    @property
    def poll(self) -> float:
        """When Nova is to go on with its servers, in seconds since the epoch; infinity if never."""
        return self._agenda.poll

    def apply(self) -> None:
        """Apply what is due."""
        agenda = self._agenda if self._is_current() else self._read()
        self._agenda = agenda
        now = self._lab.clock.seconds()
        if now < agenda.event and now < agenda.poll:
            return
        try:
            due_events.apply(self._lab)
            if agenda.poll < math.inf:
                self._compute().apply_due_events()
                due_events.apply(self._lab)
        except ConflictError as exc:
            LOG.debug("Due events are left for the next request: %s", exc)
            return
        agenda = self._read()
        self._agenda = agenda._replace(poll=max(agenda.poll, now + _POLL))

    def _is_current(self) -> bool:
        state = self._lab.store.state()
        if state is None:
            return time.monotonic() < self._agenda.until
        return state == self._agenda.state

    def _read(self) -> _Agenda:
        began = time.monotonic()

        def read(tx: Transaction) -> _Agenda:
            event = due_events.next_moment(tx)
            poll = -math.inf if tx.ask(instances.WAITING) else math.inf
            event = math.inf if event is None else event
            return _Agenda(self._lab.store.state(), began + _LEASE, event, poll)

        return self._lab.store.run(read, write=False)

    def _finish(self) -> None:
        """Apply what a request has left, unless the server stops."""
        try:
            due_events.apply(self._lab)
        except (ConflictError, SQLAlchemyError) as exc:
            LOG.debug("Due events are left for the next request: %s", exc)
