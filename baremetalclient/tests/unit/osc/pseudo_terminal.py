"""Runs commands on a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

_MAIN = "import sys; from baremetalclient.shell import main; sys.exit(main())"


def run_on_terminal(*words, columns=80, answer="", **env):
    """Run ``baremetal`` on a terminal; return the exit code and what the terminal got.

    :param answer: what is typed.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
    for name in ("COLUMNS", "LINES", "NO_COLOR", "CLIFF_FIT_WIDTH", "CLIFF_MAX_TERM_WIDTH"):
        kept.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-c", _MAIN, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**kept, "TERM": "xterm", **env},
    )
    os.close(theirs)
    os.write(ours, answer.encode())
    parts = []
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux, after the process has closed it
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    return process.wait(), b"".join(parts).decode().replace("\r\n", "\n")
