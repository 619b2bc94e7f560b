"""Faults that tests have asked for, and the record of all requests."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from fake_server.common.wsgi import CAN_POSTPONE, Postponed
from fake_server.middleware.waits import STOPPED

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.control.fault import Fault
    from fake_server.control.service import Control
    from fake_server.middleware.chain import Endpoint
    from fake_server.middleware.waits import Waits


class FaultsAndRecording:
    """Let the faults of the controls act on requests, and record each request and its answer."""

    def __init__(self, control: Control, waits: Waits) -> None:
        self._control = control
        self._waits = waits

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request.

        :raises Postponed: where a fault delays the answer and the server can wait for it.
        :raises ConnectionDropped: where a fault drops the connection.
        """
        began, moment = time.time(), self._control.clock.seconds()
        fault = self._control.faults.applying_to(request)
        mode = self._control.clock.mode
        by_clients, stands = mode == "auto", mode == "manual"
        # A request that doesn't reach its service may wait for the end of the fault.
        stops = fault and by_clients and not {"status", "drop", "locked"}.isdisjoint(fault.do)
        if fault and stops and self._repeats(request, fault):
            stands = not self._waits.jump()
            if fault.is_over(self._control.clock.seconds()):
                fault = self._control.faults.applying_to(request)
        note = partial(
            self._control.requests.note,
            *(request, request.path),
            began=began,
            moment=moment,
            fault=fault.id if fault else None,
        )
        answer = partial(self._recorded, proceed, request, fault, note, stands=stands)
        if delay := fault.do.get("delay") if fault else None:
            if by_clients:
                self._control.clock.advance(delay)
                return answer()
            if request.environ.get(CAN_POSTPONE):
                raise Postponed(delay, answer)
            time.sleep(delay)
        return answer()

    def _repeats(self, request: Request, fault: Fault) -> bool:
        """Return whether a client sends again what a fault has refused."""
        refused = fault.do.get("drop") != "after"
        return self._waits.is_wait(request, request.path, fault.id, refused=refused)

    def _recorded(
        self,
        proceed: Endpoint,
        request: Request,
        fault: Fault | None,
        note: Callable[[Response | None], None],
        *,
        stands: bool,
    ) -> Response:
        path, response = request.path, None
        try:
            response = self._control.faults.act(fault, request, proceed)
            if stands:
                response.headers.append(STOPPED)
            if response.status == 404 and not request.has_route:
                self._control.unrouted.append((request.method, path))
            return response
        finally:
            note(response)
