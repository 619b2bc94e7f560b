"""The programs that tests run are those that are installed, and processes like theirs."""

from __future__ import annotations

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
