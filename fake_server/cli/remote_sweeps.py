"""Sweeps over HTTP: a program in any language asks for the next run, and tells how it ended."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from fake_server.common.wsgi import Response
from fake_server.control.operations import Operations, typed_body

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control
    from fake_server.server import FakeServer
    from fake_server.sweep.under_way import UnderWay


def operations(server: FakeServer) -> Operations:
    """Return what the controls of a server answer about its sweep; there is one at a time."""
    found, loading = Operations(), Lock()

    @cache
    def only() -> UnderWay:
        # Imported here, as it knows all services, and few servers sweep.
        from fake_server.sweep.under_way import UnderWay

        return UnderWay(server)

    def sweep() -> UnderWay:
        with loading:
            return only()

    @found.add("POST", "/_fake/sweeps", takes="NewSweep", status=201, answers="Sweep")
    def begin_sweep(_control: Control, request: Request) -> Response:
        """Begin a sweep, and return its first run."""
        return sweep().begin(typed_body(request, "NewSweep"))

    @found.add("POST", "/_fake/sweeps/runs", takes="EndedRun", answers="Sweep")
    def end_run(_control: Control, request: Request) -> Response:
        """Take how a run ended, and return the next one, or the results."""
        return sweep().go_on(typed_body(request, "EndedRun"))

    @found.add("DELETE", "/_fake/sweeps")
    def end_sweep(_control: Control, _request: Request) -> Response:
        """End the sweep, and bring back the state that it began with."""
        sweep().stop()
        return Response(204)

    return found
