"""Several processes on one port and one database, which act as one server."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from .server import FakeServer

#: Status of a worker that couldn't even start; another one couldn't either.
_USELESS = 3


def serve(server: FakeServer, number: int) -> int:
    """Serve by some processes until a signal comes; one that dies is replaced.

    :param server: is prepared; each process inherits its port and opens its database anew.
    :param number: how many processes.
    :returns: exit status.
    """
    children = {_start(server) for _ in range(number)}
    signal.signal(signal.SIGTERM, _leave)
    status = 0
    try:
        while True:
            pid, ended = os.wait()
            children.discard(pid)
            if os.waitstatus_to_exitcode(ended) == _USELESS:
                status = 1
                break
            children.add(_start(server))
    except KeyboardInterrupt:
        pass
    for pid in children:
        os.kill(pid, signal.SIGTERM)
    for pid in children:
        os.waitpid(pid, 0)
    server.stop()
    return status


def _start(server: FakeServer) -> int:
    pid = os.fork()
    if pid:
        return pid
    signal.signal(signal.SIGTERM, _leave)
    status = 0
    try:
        server.app.store.forget_connections()
        server.serve()
    except KeyboardInterrupt:
        pass
    except Exception as exc:
        print(f"baremetal-fake-server: a worker can't start: {exc}", file=sys.stderr)
        status = _USELESS
    finally:
        os._exit(status)


def _leave(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
