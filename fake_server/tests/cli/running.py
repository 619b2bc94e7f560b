"""Run ``baremetal-fake-server`` in this process, and as one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from types import SimpleNamespace
from unittest import mock

from fake_server import cli


def run(*words, stdin="", **variables):
    """Return the exit code of a command, and what it printed.

    :param variables: its environment beside what has nothing to do with clouds.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OS_", "BAREMETAL_FAKE_SERVER_"))
    }
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, {**kept, **variables}, clear=True),
        mock.patch("sys.stdin", io.StringIO(stdin)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            code = cli.main(list(words))
        except SystemExit as exc:
            code = exc.code
    return SimpleNamespace(returncode=code or 0, stdout=out.getvalue(), stderr=err.getvalue())


@contextlib.contextmanager
def started(*words, **options):
    """Start it as a process; where what follows fails, nothing waits for the end of it.

    :param options: of ``subprocess.Popen``.
    """
    command = [sys.executable, "-m", "fake_server.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise
