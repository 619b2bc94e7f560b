"""Several processes on one port and one database that act as one server."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.server import FakeServer

#: Status of a worker that fails to start; the next one would fail, too.
_USELESS = 3
_ENDING = (signal.SIGINT, signal.SIGTERM)
#: Statuses of workers that others ended: they didn't crash.
_ENDED = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT})
#: Seconds after which a worker has proved that it can run.
_STEADY = 10.0
#: Seconds between a crash and the next worker: after the first crash, and at most.
_PAUSE, _LONGEST_PAUSE = 0.1, 5.0


def serve(server: FakeServer, number: int) -> int:
    """Serve by some processes until a ``KeyboardInterrupt``; one that dies is replaced.

    After each that crashes soon after it was started, the next one is started later.

    :param server: is prepared; each process inherits its port and opens its database anew.
    :param number: how many processes.
    :returns: exit status.
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
            if code == _USELESS:
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
    """Start a worker and note it, and when; a signal that comes in between waits."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    pid = os.fork()
    if pid:
        children[pid] = time.monotonic()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        return
    status = 0
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        server.app.store.forget_connections()
        server.serve()
    except KeyboardInterrupt:
        pass
    except Exception as exc:
        print(f"baremetal-fake-server: a worker can't start: {exc}", file=sys.stderr)
        status = _USELESS
    finally:
        os._exit(status)
