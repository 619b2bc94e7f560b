"""Clients that wait: in mode ``auto``, they have the clock jump to what they wait for.

A client waits if it sends the same ``GET`` again, gets the same answer, and nothing was sent in
between that could change something; or if it sends any request again that a fault refuses. The
clock jumps to the next transition, or to the end of a fault, never to a time limit or a periodic
task.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from fake_server.control import models as faults

if TYPE_CHECKING:
    from collections.abc import Hashable

    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction
    from fake_server.middleware.chain import Endpoint
    from fake_server.middleware.due_work import DueWork

#: The header of answers while the clock stands.
STOPPED = ("X-Fake-Clock", "stopped")
#: The number of addresses that are remembered with their answers.
_MOST = 1_000
#: The seconds for which what is pending is waited for.
_LONGEST = 24 * 3600.0


class Waits:
    """Move the clock on when a client waits, and tell clients where it stands still.

    :param due: where time passes.
    """

    def __init__(self, lab: Lab, due: DueWork) -> None:
        self._lab = lab
        self._due = due
        self._answers: dict[Hashable, Hashable] = {}
        self._lock = Lock()

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request."""
        path, mode = request.path, self._lab.clock.mode
        response = proceed(request)
        if mode == "auto" and self.is_wait(request, path, _content(request, response)):
            if self.jump():
                request.restart(path)
                response = proceed(request)
                self.is_wait(request, path, _content(request, response))
            else:
                response.headers.append(STOPPED)
        return response

    def is_wait(
        self, request: Request, path: str, answer: Hashable, *, refused: bool = False
    ) -> bool:
        """Remember the answer to a request; return whether it was the same before.

        :param path: path in the request.
        :param answer: what is the same for the same answer.
        :param refused: whether the request changes nothing, whatever its method is.
        """
        with self._lock:
            if request.method != "GET" and not refused:
                if request.method != "HEAD":
                    self._answers.clear()
                return False
            asked = f"{path}?{request.environ.get('QUERY_STRING', '')}"
            address = (request.method, asked, request.body)
            before = self._answers.pop(address, None)
            self._answers[address] = answer
            if len(self._answers) > _MOST:
                del self._answers[next(iter(self._answers))]
            return before == answer

    def jump(self) -> bool:
        """Move the clock to the next transition; return whether there is one."""
        clock = self._lab.clock
        now = clock.seconds()

        def upcoming(tx: Transaction) -> list[float | None]:
            return [self._due.next_jump(tx), faults.next_end_of_fault(tx, now)]

        found = [at for at in self._lab.store.run(upcoming, write=False) if at is not None]
        moment = min((at for at in found if at > now), default=None)
        if moment is None:
            return False
        clock.advance_to(moment)
        return True

    def settle(self) -> None:
        """Have all that is pending happen, as if a client waited for it; at most a day's worth."""
        end = self._lab.clock.seconds() + _LONGEST
        self._due.apply()
        while self._lab.clock.seconds() < end and self.jump():
            self._due.apply()


def _content(request: Request, response: Response) -> Hashable:
    return response.status, hash(response.body.replace(request.id.encode(), b""))
