"""Several processes on one port and one database, which act as one server."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .server import FakeServer

#: Status of a worker that couldn't even start; another one couldn't either.
_USELESS = 3
_ENDING = (signal.SIGINT, signal.SIGTERM)


def serve(server: FakeServer, number: int) -> int:
    """Serve by some processes until a ``KeyboardInterrupt``; one that dies is replaced.

    :param server: is prepared; each process inherits its port and opens its database anew.
    :param number: how many processes.
    :returns: exit status.
    """
    children: set[int] = set()
    status = 0
    try:
        while status == 0:
            while len(children) < number:
                _start(server, children)
            pid, ended = os.wait()
            children.discard(pid)
            if os.waitstatus_to_exitcode(ended) == _USELESS:
                status = 1
    except KeyboardInterrupt:
        pass
    for pid in children:
        os.kill(pid, signal.SIGTERM)
    for pid in children:
        os.waitpid(pid, 0)
    return status


def _start(server: FakeServer, children: set[int]) -> None:
    """Start a worker and note it; a signal that comes in between waits."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    pid = os.fork()
    if pid:
        children.add(pid)
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
