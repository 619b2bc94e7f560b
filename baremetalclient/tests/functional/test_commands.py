"""The programs that tests run are those that are installed, and processes like theirs."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from baremetalclient.tests import commands
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS


def run(folder, *words, **more):
    return subprocess.run([folder / words[0], *words[1:]], capture_output=True, check=False, **more)


@BOTH_PROGRAMS
@pytest.mark.parametrize("words", [["--version"], ["help", "dance"], ["baremetal", "--nothing"]])
def test_output_errors_and_status_are_the_same(program, words):
    started, forked = (
        run(folder, program, *words) for folder in (commands.INSTALLED, commands.directory())
    )
    assert (forked.returncode, forked.stdout, forked.stderr) == (
        started.returncode,
        started.stdout,
        started.stderr,
    )


def test_input_environment_and_directory_are_those_of_the_caller(server_url, tmp_path):
    environment = {**os.environ, "OS_AUTH_TYPE": "none", "OS_ENDPOINT": server_url}
    (tmp_path / "lab.yaml").write_text("nodes: []\n")
    for file, sent in (("lab.yaml", b""), ("-", b"nodes: []\n")):
        done = run(
            commands.directory(),
            *("baremetal", "diff", file),
            input=sent,
            env=environment,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
    done = run(commands.directory(), "baremetal", "diff", "lab.yaml", env=environment)
    assert done.returncode != 0
    assert b"lab.yaml" in done.stderr


def test_a_signal_ends_the_command_and_the_caller_sees_it(server_url, cli_node):
    process = subprocess.Popen(
        [commands.directory() / "baremetal", "node", "wait", "--for", "name=none", cli_node],
        env={**os.environ, "OS_ENDPOINT": server_url},
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    assert cli_node.encode() in process.stderr.readline()
    process.terminate()
    # Standard error ends only when the command itself is gone.
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
