"""Several processes on one port and one database that act as one server."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

from fake_server.cli.messages import tell

if TYPE_CHECKING:
    from fake_server.server import FakeServer

#: Exit code of a worker that fails to start; the next one would fail, too.
_FAILED_TO_START = 3
_ENDING = (signal.SIGINT, signal.SIGTERM)
#: Exit codes of workers that were ended by a signal, which is no crash.
_ENDED = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT})
#: Seconds after which a worker counts as running; a crash before delays the next worker.
_STEADY = 10.0
#: Seconds between a crash and the next worker: after the first crash, and at most.
_PAUSE, _LONGEST_PAUSE = 0.1, 5.0


def serve(server: FakeServer, number: int) -> int:
    """Serve with several processes until a ``KeyboardInterrupt``; replace those that end.

    After a crash soon after the start, the next process is started after a growing pause.

    :param server: the prepared server; each process inherits its port and reopens its database.
    :param number: number of processes.
    :returns: exit code.
    """
    children: dict[int, float] = {}
    status = crashes = 0
    try:
        while status == 0:
            while len(children) < number:
                _start(server, children)
            pid, ended = os.wait()
            ran = time.monotonic() - children.pop(pid)
            code = os.waitstatus_to_exitcode(ended)
            if code == _FAILED_TO_START:
                status = 1
            elif code not in _ENDED:
                crashes = crashes + 1 if ran < _STEADY else 0
                if crashes:
                    time.sleep(min(_PAUSE * 2 ** (crashes - 1), _LONGEST_PAUSE))
    except KeyboardInterrupt:
        pass
    for pid in children:
        os.kill(pid, signal.SIGTERM)
    for pid in children:
        os.waitpid(pid, 0)
    return status


def _start(server: FakeServer, children: dict[int, float]) -> None:
    """Start a worker and store its start time; signals are blocked in between."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    parent = os.getpid()
    pid = os.fork()
    if pid:
        children[pid] = time.monotonic()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        return
    status = 0
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        _end_with(parent)
        server.app.store.forget_connections()
        server.serve()
    except KeyboardInterrupt:
        pass
    except Exception as exc:
        tell(f"a worker failed to start: {exc}")
        status = _FAILED_TO_START
    finally:
        os._exit(status)


def _end_with(parent: int) -> None:
    """Let the kernel end this process with its parent, which can't do it when it is killed."""
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)
    if os.getppid() != parent:
        raise KeyboardInterrupt
