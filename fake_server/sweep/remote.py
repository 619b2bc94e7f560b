"""Sweep a program that runs elsewhere, such as a test in another language."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from fake_server.sweep.runs import Sweep
from fake_server.sweep.server import SweepServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fake_server.server import FakeServer
    from fake_server.sweep.options import Options
    from fake_server.sweep.program import Ended, Program
    from fake_server.sweep.results import Results


class Wanted(NamedTuple):
    """A run that the program is to do.

    :param number: of the run, from 1.
    :param fresh: whether it begins anew; the others go on with what the run before has left, such
        as its files.
    :param seconds: how long it may take; the program ends it then.
    """

    number: int
    fresh: bool
    seconds: float


class _Stopped(Exception):
    """Ends a sweep that nobody goes on with."""


class RemoteSweep:
    """A sweep whose runs are done by somebody else, one after the other.

    :param server: the server that the program asks; nothing else may ask it meanwhile.
    :param name: what the program is called in the results.
    """

    def __init__(self, server: FakeServer, options: Options, name: str) -> None:
        self.command: Sequence[str] = [name]
        self.error: Exception | None = None
        self._wanted: SimpleQueue[Wanted | None] = SimpleQueue()
        self._ended: SimpleQueue[Ended | None] = SimpleQueue()
        self._number = 0
        self._sweep = Sweep(options, self, lambda: SweepServer(server))
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def results(self) -> Results:
        """The results so far."""
        return self._sweep.results

    def begin(self) -> Wanted | None:
        """Begin, and return the first run."""
        self._thread.start()
        return self._wanted.get()

    def go_on(self, ended: Ended) -> Wanted | None:
        """Take how a run ended, and return the next one; ``None`` at the end."""
        self._ended.put(ended)
        return self._wanted.get()

    def stop(self) -> None:
        """End it, and bring the first state back."""
        self._sweep.stop()
        self._ended.put(None)
        self._thread.join()

    @contextmanager
    def workplace(self) -> Iterator[Callable[[SweepServer], Program]]:
        """Return what asks for runs; the first one is fresh."""
        fresh = iter([True])
        yield lambda _server: _Run(self._wanted, self._ended, self._numbered(next(fresh, False)))

    def _numbered(self, fresh: bool) -> Callable[[float], Wanted]:
        self._number += 1
        number = self._number
        return lambda seconds: Wanted(number, fresh, seconds)

    def _run(self) -> None:
        try:
            self._sweep.run()
        except _Stopped:
            pass
        except Exception as exc:
            self.error = exc
        finally:
            self._wanted.put(None)


class _Run:
    """One run, for which somebody else is asked."""

    def __init__(
        self,
        wanted: SimpleQueue[Wanted | None],
        ended: SimpleQueue[Ended | None],
        described: Callable[[float], Wanted],
    ) -> None:
        self._wanted, self._ended, self._described = wanted, ended, described

    def run(self, seconds: float, _is_over: Callable[[], bool]) -> Ended:
        """Ask for it, and wait for its end."""
        began = time.monotonic()
        self._wanted.put(self._described(seconds))
        ended = self._ended.get()
        if ended is None:
            raise _Stopped
        return ended._replace(seconds=time.monotonic() - began)

    def kill(self) -> None:
        """Do nothing: whoever runs it ends it."""
