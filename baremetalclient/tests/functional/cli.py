"""The commands: ``baremetal`` in the process of the test, ``openstack`` as a process."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

import pytest

from baremetalclient import shell
from baremetalclient.tests import commands

_SLOW = pytest.mark.slow("the program openstack takes long to start")
BOTH_PROGRAMS = pytest.mark.parametrize(
    "program", ["baremetal", pytest.param("openstack", marks=_SLOW)]
)
"""For one test of each subject, which tries ``openstack baremetal`` as well."""

BUSY = "database is locked"
"""What a real Ironic on SQLite says when it is asked too much at once."""


@dataclass(frozen=True)
class Done:
    """What became of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


class Cli:
    """``openstack baremetal`` or ``baremetal``, pointed at an Ironic without authentication.

    :param program: the name of the program.
    :param url: the URL of the Ironic.
    """

    def __init__(self, program, url):
        self._program = program
        kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
        self.env = {**kept, "OS_ENDPOINT": url}
        if program == "openstack":
            self.env["OS_AUTH_TYPE"] = "none"

    def __call__(self, *words, **env):
        """Run a command that has to succeed."""
        done = self.run(*words, **env)
        assert done.code == 0, done
        return done

    def fails(self, *words, **env):
        """Run a command that has to fail without a traceback."""
        done = self.run(*words, **env)
        assert done.code in (1, 2), done
        assert "Traceback" not in done.err
        return done

    def until(self, out, *words):
        """Repeat a command until it prints something."""
        for _ in range(60):
            if self(*words).out.strip() == out:
                return
            time.sleep(0.2)
        raise AssertionError(f"{words} did not print {out!r}")

    def run(self, *words, **env):
        """Run a command."""
        for _ in range(10):
            if self._program == "baremetal":
                done = run_in_process(words, {**self.env, **env})
            else:
                done = self.run_as_process(*words, **env)
            if BUSY not in done.err:
                break
            time.sleep(0.3)
        return done

    def run_as_process(self, *words, **env):
        """Run a command as a process of its own."""
        process = self.start(*words, **env)
        out, err = process.communicate(timeout=120)
        return Done(process.returncode, out, err)

    def start(self, *words, **env):
        """Start a command as a process of its own."""
        return subprocess.Popen(
            self._argv(words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env={**self.env, **env},
        )

    def _argv(self, words):
        if self._program == "baremetal":
            return [str(commands.directory() / "baremetal"), *words]
        before = []
        while words[0].startswith("--"):
            length = 2 if words[0].startswith("--os-") else 1
            before += words[:length]
            words = words[length:]
        return [str(commands.directory() / "openstack"), *before, "baremetal", *words]


def run_in_process(words, env):
    """Run ``baremetal`` in this process, with an environment and output of its own."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ.keys() - env.keys():
            patch.delenv(name)
        for name, value in env.items():
            patch.setenv(name, value)
        for name, stream in (("stdin", io.StringIO()), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        try:
            code: Any = shell.main(list(words))
        except SystemExit as stop:
            code = stop.code
    return Done(int(code or 0), *(stream.buffer.getvalue().decode() for stream in (out, err)))
