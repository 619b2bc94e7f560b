"""The sweep of a server that a program elsewhere goes through, and what it is answered."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from fake_server.common.rest import encode
from fake_server.control.operations import error
from fake_server.sweep.judge import FINE, VERDICTS
from fake_server.sweep.kinds import KINDS
from fake_server.sweep.options import Options, check_names
from fake_server.sweep.program import Ended
from fake_server.sweep.remote import RemoteSweep

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.common.wsgi import Response
    from fake_server.server import FakeServer
    from fake_server.sweep.remote import Wanted

#: Nobody here can kill a program that runs elsewhere.
_IMPOSSIBLE = ("killed",)
_POSSIBLE = tuple(name for name in KINDS if name not in _IMPOSSIBLE)


class UnderWay:
    """The sweep that is under way, if there is one.

    :param server: the server that the program asks.
    """

    def __init__(self, server: FakeServer) -> None:
        self._server = server
        self._sweep: RemoteSweep | None = None
        # Two clients that go on at once would wait for one answer.
        self._turn = Lock()
        self._allowed: Collection[str] = ()

    def begin(self, values: Mapping[str, Any]) -> Response:
        """Begin a sweep, and return its first run."""
        options, allowed = _options(values), values.get("allow", ())
        check_names("verdict", allowed, VERDICTS)
        with self._turn:
            self._stop()
            self._sweep = RemoteSweep(self._server, options, values.get("name", "a program"))
            self._allowed = {*FINE, *allowed}
            return self._answer(201, self._sweep, self._sweep.begin())

    def go_on(self, values: Mapping[str, Any]) -> Response:
        """Take how a run ended, and return the next one or the results."""
        ended = Ended(values["exit"], values.get("output", ""), 0.0)
        with self._turn:
            if self._sweep is None:
                return error(404, "There is no sweep. POST /_fake/sweeps begins one.")
            return self._answer(200, self._sweep, self._sweep.go_on(ended))

    def stop(self) -> None:
        """End the sweep, and bring back the state that it began with."""
        with self._turn:
            self._stop()

    def _stop(self) -> None:
        if self._sweep is not None:
            self._sweep.stop()
        self._sweep = None

    def _answer(self, status: int, sweep: RemoteSweep, run: Wanted | None) -> Response:
        if run is not None:
            return encode(status, {"run": run._asdict()})
        self._sweep = None
        if sweep.error is not None:
            return error(400, str(sweep.error))
        findings = [case.as_json() for case in sweep.results.findings(self._allowed)]
        results = sweep.results.as_json()
        return encode(status, {"run": None, "findings": findings, "results": results})


def _options(values: Mapping[str, Any]) -> Options:
    names = values.get("kinds", _POSSIBLE)
    check_names("kind of fault", names, _POSSIBLE)
    chosen = {name: values[name] for name in ("limit", "timeout") if name in values}
    return Options(
        kinds=tuple(KINDS[name] for name in names),
        routes=values.get("routes", ()),
        seed=values.get("seed", 0),
        **chosen,
    )
