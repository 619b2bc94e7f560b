"""Runs commands on a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import sys
import termios
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from unittest.mock import patch

from baremetalclient import shell

_SETTINGS = ("COLUMNS", "LINES", "NO_COLOR", "CLIFF_FIT_WIDTH", "CLIFF_MAX_TERM_WIDTH")


def run_on_terminal(*words, columns=80, answer="", **env):
    """Run ``baremetal`` here, on a terminal; return the exit code and what the terminal got.

    :param answer: what is typed.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.write(ours, answer.encode())
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("OS_") and name not in _SETTINGS
    }
    # It has to be read while the command prints: a terminal holds some lines only.
    with ThreadPoolExecutor(1) as pool:
        shown = pool.submit(_all_of, ours)
        with ExitStack() as stack:
            stack.enter_context(
                patch.dict(os.environ, {**kept, "TERM": "xterm", **env}, clear=True)
            )
            stack.enter_context(patch.object(sys, "argv", ["baremetal", *words]))
            stack.callback(os.close, theirs)
            stdin = stack.enter_context(open(theirs, closefd=False))
            stdout, stderr = (
                stack.enter_context(open(theirs, "w", closefd=False)) for _ in range(2)
            )
            # The size of the terminal is asked of the stream that the process began with.
            streams = {"stdin": stdin, "stdout": stdout, "__stdout__": stdout, "stderr": stderr}
            stack.enter_context(patch.multiple(sys, **streams))
            code = shell.main(list(words))
    os.close(ours)
    return code, shown.result().decode().replace("\r\n", "\n")


def _all_of(terminal):
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux, after the last one has closed it
            part = b""
        if not part:
            return b"".join(parts)
        parts.append(part)
