"""Import what commands need, and fork a process for each command.

It ends when its standard input does. See the documentation of the package.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import runpy
import select
import signal
import socket
import sys
import time
from importlib import metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# What commands import besides their entry points.
_IMPORTED = ("baremetalclient.client", "baremetalclient.v1.client", "cryptography.x509", "netrc")


def main() -> None:
    """Serve until standard input ends; in a process that was forked, run a command instead."""
    _, path = sys.argv
    # cliff keeps the name of the program that imports it; ours has a name of its own.
    sys.argv = ["openstack"]
    programs = _programs()
    # Garbage collection would copy all memory that processes share.
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("ready", flush=True)
        name = _next_command(listener)
    if name:
        sys.exit(programs[name]())


def _programs() -> dict[str, Callable[[], int | None]]:
    """Import the programs with all of their commands."""
    from openstackclient import shell as openstack

    from baremetalclient import shell as baremetal

    for group in metadata.entry_points().groups:
        if group.startswith(("openstack.", "cliff.formatter", "keystoneauth1.plugin")):
            for point in metadata.entry_points(group=group):
                # A plugin that can't be imported is no reason for the others to fail.
                with contextlib.suppress(Exception):
                    point.load()
    for module in _IMPORTED:
        __import__(module)
    return {"baremetal": baremetal.main, "openstack": openstack.main, "program": _run_file}


def _run_file() -> None:
    """Run a file of Python as the interpreter does."""
    del sys.argv[0]
    sys.path[:0] = [os.path.dirname(sys.argv[0]), *os.environ["PYTHONPATH"].split(os.pathsep)]
    runpy.run_path(sys.argv[0], run_name="__main__")


def _next_command(listener: socket.socket) -> str | None:
    """Return in each process that is a command, with its name, and at the end with None."""
    # The processes that serve connections are not waited for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while listener in select.select([listener, sys.stdin], [], [])[0]:
        connection, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            return _serve(connection)
        connection.close()
    return None


def _serve(connection: socket.socket) -> str:
    """Return in the process of a command, with its name; report what becomes of it."""
    header, streams, _, _ = socket.recv_fds(connection, 4, 3)
    with connection.makefile("rb") as sent:
        request = json.loads(sent.read(int.from_bytes(header, "big")))
    command = os.fork()
    if command == 0:
        return _become(streams, *request)
    for stream in streams:
        os.close(stream)
    connection.sendall(b"%d\n" % command)
    _, status = os.waitpid(command, 0)
    # A client that was killed does not listen any more.
    with contextlib.suppress(BrokenPipeError):
        connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(
    streams: list[int], name: str, words: list[str], environment: dict[str, str], directory: str
) -> str:
    """Give this process all that a command gets from the process that started it."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    os.chdir(directory)
    sys.argv = [name, *words]
    return name


if __name__ == "__main__":
    main()
