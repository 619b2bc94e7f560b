"""The two clients that a program or a script is run with, and how to run it on a fake Ironic."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from baremetalclient.tests import commands
from fake_server.cloud_config import environment
from fake_server.server import FakeServer
from fake_server.settings import Settings

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("[!_]*.py"))
SCRIPTS = sorted((HERE / "scripts").glob("*.sh"))
_SERVER = re.compile(r"^# fake_server: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Side:
    """One of the two clients.

    :param package: the package that programs import.
    :param programs: the directory of ``python``, ``openstack`` and ``baremetal``.
    :param path: a directory with packages that are not installed.
    """

    package: str
    programs: Path
    path: Path | None = None

    def run_program(self, program: Path, directory: Path) -> Any:
        """Run a program on a fake Ironic of its own and return what it prints, decoded.

        :param program: its file, written for ``baremetalclient``.
        :param directory: where it may write, also the copy for the other package.
        """
        text = program.read_text().replace("baremetalclient", self.package)
        copy = directory / program.name
        copy.write_text(text)
        ours = self.programs == commands.INSTALLED
        python = commands.python() if ours else self.programs / "python"
        return json.loads(self._run([python, copy], text, directory))

    def run_script(self, script: Path, directory: Path) -> str:
        """Run a shell script on a fake Ironic of its own and return what it prints.

        :param script: its file.
        :param directory: where it runs and may write.
        """
        return self._run(["bash", "-eu", script], script.read_text(), directory)

    def _run(self, argv: list[str | Path], text: str, directory: Path) -> str:
        found = _SERVER.search(text)
        options = json.loads(found[1]) if found else {}
        seed = options.pop("seed", None)
        # What was recorded came from a server with this type alone.
        settings = Settings(**{"hardware_types": ("fake-hardware",), **options})
        with FakeServer(settings, seed=seed) as server:
            done = subprocess.run(
                argv,
                cwd=directory,
                env={
                    **environment(server.url, settings, directory, settings.accounts[0].name),
                    "PATH": self._search_path(),
                    # python-ironicclient keeps the versions of servers in the home directory.
                    "HOME": str(directory),
                    "PYTHONPATH": os.pathsep.join(
                        str(each) for each in (HERE / "programs", self.path) if each
                    ),
                    "LC_ALL": "C.UTF-8",
                },
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def _search_path(self) -> str:
        if self.programs == commands.INSTALLED:
            return commands.search_path()
        return f"{self.programs}{os.pathsep}{os.environ['PATH']}"


OURS = Side("baremetalclient", commands.INSTALLED)

COMPAT = HERE.parents[2] / "compat"
"""The directory of this client's package ``ironicclient``."""
UNCHANGED = Side("ironicclient", commands.INSTALLED, COMPAT)
"""This client under the name of the other one."""


def theirs(peer: Path) -> Side:
    """Return python-ironicclient.

    :param peer: the directory of its environment.
    """
    return Side("ironicclient", peer.resolve() / "bin")
