"""The installed commands, as processes."""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass
from typing import Any

import pytest

from baremetalclient.tests import commands

BOTH_PROGRAMS = pytest.mark.parametrize("program", commands.NAMES)
"""For tests that try ``openstack baremetal`` as well."""

BUSY = "database is locked"
"""What a real Ironic on SQLite says when it is asked too much at once."""


@dataclass(frozen=True)
class Done:
    """What became of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Cli:
    """``openstack baremetal`` or ``baremetal``, pointed at an Ironic without authentication.

    :param program: the name of the program.
    :param url: the URL of the Ironic.
    """

    def __init__(self, program: str, url: str) -> None:
        self._program = program
        kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
        self._env = {**kept, "OS_ENDPOINT": url}
        if program == "openstack":
            self._env["OS_AUTH_TYPE"] = "none"

    def __call__(self, *words: str, **env: str) -> Done:
        """Run a command that has to succeed."""
        done = self.run(*words, **env)
        assert done.code == 0, done
        return done

    def fails(self, *words: str, **env: str) -> Done:
        """Run a command that has to fail without a traceback."""
        done = self.run(*words, **env)
        assert done.code in (1, 2), done
        assert "Traceback" not in done.err
        return done

    def until(self, out: str, *words: str) -> None:
        """Repeat a command until it prints something."""
        for _ in range(60):
            if self(*words).out.strip() == out:
                return
            time.sleep(0.2)
        raise AssertionError(f"{words} did not print {out!r}")

    def run(self, *words: str, **env: str) -> Done:
        """Run a command."""
        for _ in range(10):
            done = subprocess.run(
                self._argv(words),
                capture_output=True,
                env={**self._env, **env},
                timeout=120,
                check=False,
            )
            result = Done(done.returncode, done.stdout.decode(), done.stderr.decode())
            if BUSY not in result.err:
                break
            time.sleep(0.3)
        return result

    def _argv(self, words: tuple[str, ...]) -> list[str]:
        if self._program == "baremetal":
            return [str(commands.directory() / "baremetal"), *words]
        before = []
        while words[0].startswith("--"):
            length = 2 if words[0].startswith("--os-") else 1
            before += words[:length]
            words = words[length:]
        return [str(commands.directory() / "openstack"), *before, "baremetal", *words]
