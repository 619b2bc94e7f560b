"""A server of a sweep: it is brought back to the same state for each run."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

from fake_server import cloud_config
from fake_server.sweep import state
from fake_server.sweep.interception import Interception

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set

    from fake_server.server import FakeServer
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.interception import Fault, Run

_SNAPSHOT = "sweep"


class SweepServer:
    """A server that programs ask, run after run, each from the state that it has now.

    :param server: the server, which runs already.
    :param account: the account that programs are for; see :func:`.cloud_config.environment`.
    """

    def __init__(self, server: FakeServer, account: str | None = None) -> None:
        self.server = server
        self.app = server.app
        self.interception = Interception(self.app)
        self._account = account
        self._folder = TemporaryDirectory(prefix="baremetal-fake-server-")
        self._mode, self._factor = self.app.clock.mode, self.app.clock.factor
        self._delays = self.app.control.delays.show()
        self._first = self._began = self.app.clock.seconds()
        self._given = frozenset(_tokens_of(state.fetch(self.app.store)))
        self._hosts = frozenset(host.hostname for host in self.app.settings.conductors)
        server.snapshots.take(_SNAPSHOT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.interception.remove()
        self._bring_back()
        self.server.snapshots.forget(_SNAPSHOT)
        self._folder.cleanup()

    @cached_property
    def variables(self) -> Mapping[str, str]:
        """What a program finds this server by.

        :raises ValueError: if there is no such account.
        """
        folder = Path(self._folder.name)
        return cloud_config.environment(
            self.server.url, self.app.settings, folder, self._account, self.server.ca_file
        )

    @property
    def environment(self) -> Mapping[str, str]:
        """The whole environment of a program."""
        return {**cloud_config.without_clouds(os.environ), **self.variables}

    def begin(self, fault: Fault | None, kill: Callable[[], None]) -> Run:
        """Bring back the first state, and begin a run."""
        self._bring_back()
        self._began = self.app.clock.seconds()
        return self.interception.begin(fault, kill)

    def go_on(self, chosen: Set[str], kill: Callable[[], None]) -> Run:
        """Begin another run from the present state, without a fault.

        :param chosen: what the program chose in the run before; see :class:`.interception.Run`.
        """
        self.app.control.faults.clear()
        self.app.control.fail_next("", ())
        self._began = self.app.clock.seconds()
        run = self.interception.begin(None, kill)
        # What it chose before, it is told now.
        run.chosen |= chosen
        return run

    @property
    def simulated(self) -> float:
        """The seconds by the server's clock since the run began."""
        return self.app.clock.seconds() - self._began

    def end(self) -> Sequence[Asked]:
        """End a run: let all that is pending happen, and return what was asked for."""
        answered = self.interception.end()
        self.app.settle()
        return answered

    def left(self, run: Run) -> state.Raw:
        """Return what there is at the end of a run."""
        return state.fetch(self.app.store, self._given | run.chosen, self._hosts)

    def _bring_back(self) -> None:
        control, clock = self.app.control, self.app.clock
        control.snapshots.restore(_SNAPSHOT)
        control.faults.clear()
        control.fail_next("", ())
        control.requests.clear()
        control.unrouted.clear()
        if control.generators is not None:
            control.generators.restart()
        if control.delays.show() != self._delays:
            control.delays.replace(self._delays)
        # What is pending in the snapshot is due at the same times again.
        start = None if self._mode == "real" else self._first
        clock.switch(self._mode, factor=self._factor, start=start)


def _tokens_of(raw: state.Raw) -> set[str]:
    return {
        token
        for rows in raw.rows.values()
        for row in rows
        for value in row.values()
        for token in state.tokens(str(value))
    }
