"""Where nothing can be written to standard output, a command says so and fails."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CLIENT = "from baremetalclient.shell import main\nimport sys\nsys.exit(main())"
SERVER = "from fake_server.cli import main\nimport sys\nsys.exit(main())"


def run(program, words, stdout):
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (CLIENT, ["--version"]),
        (CLIENT, ["complete"]),
        (CLIENT, ["node", "list", "--help"]),
        (SERVER, ["--help"]),
        (SERVER, ["ctl", "--help"]),
    ],
)
def test_it_is_an_error(program, words):
    with open("/dev/full", "w") as full:
        done = run(program, words, full)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1
    reader, writer = os.pipe()
    os.close(reader)
    done = run(program, words, writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")
