"""``openstack`` and ``baremetal`` for tests, from a process that has imported them before.

``openstack`` needs 1.8 seconds of CPU for a command, most of it to import its plugins, and the
tests run it hundreds of times. Here a server imports all of that once, and each command is a
process that the server forks: with arguments, environment, working directory, standard streams
and exit status of its own.
"""

from __future__ import annotations

import atexit
import os
import stat
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path

NAMES = ("baremetal", "openstack")
INSTALLED = Path(sysconfig.get_path("scripts"))
"""The directory of all programs of this environment, as they are installed."""

_CLIENT = Path(__file__).with_name("client.py")


def search_path() -> str:
    """Return a ``PATH`` with the programs of this environment, these two from the server."""
    return os.pathsep.join([str(directory()), str(INSTALLED), os.environ["PATH"]])


def python() -> Path:
    """Return what runs a file of Python: a program of the server that has imported the client."""
    return Path(sys.executable) if directory() == INSTALLED else directory() / "program"


@cache
def directory() -> Path:
    """Start the server of this process; return the directory of the two programs."""
    # Coverage asks each process which test has started it.
    if "COVERAGE_PROCESS_START" in os.environ:
        return INSTALLED
    temporary = tempfile.TemporaryDirectory(prefix="commands-")
    found = Path(temporary.name)
    for name in (*NAMES, "program"):
        program = found / name
        # The client starts ten times as fast without the packages that are installed.
        program.write_text(f"#!{sys.executable} -IS\n{_CLIENT.read_text()}")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    server = subprocess.Popen(
        [sys.executable, "-m", f"{__name__}.server", found / "socket"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Ctrl-C is for the commands.
        start_new_session=True,
    )
    assert server.stdout
    if server.stdout.readline() != b"ready\n":
        raise RuntimeError("The server of commands did not start; its errors are above.")

    def stop() -> None:
        server.communicate()
        temporary.cleanup()

    atexit.register(stop)
    return found
