"""Does what a page of the documentation says."""

from __future__ import annotations

import contextlib
import json
import shlex
import shutil
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from baremetalclient import client
from fake_server import cloud_config
from fake_server.cli import options
from fake_server.seeds.parsing import load, read
from fake_server.server import FakeServer
from fake_server.tests.documentation.shell import Shell, agrees, commands

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.tests.documentation.page import Block

#: Blocks that hold nothing to run.
_SHOWN = ("text", "ini")


def _need(names: list[str]) -> None:
    for name in names:
        if not (shutil.which(name) or Path(name).exists()):
            warnings.warn(f"NOT TESTED: {name} is missing", stacklevel=2)
            pytest.skip(f"{name} is missing")


class Reader:
    """Does what a page says.

    :param directory: where the commands run.
    :param environment: their variables.
    :param patch: changes the variables of this process, for Python blocks.
    :param fresh: whether blocks for a fresh environment are run, and Python in a process.
    :param strict: whether commands print nothing that the page does not show.
    """

    def __init__(
        self,
        directory: Path,
        environment: dict[str, str],
        patch: pytest.MonkeyPatch,
        *,
        fresh: bool,
        strict: bool,
    ) -> None:
        self._patch = patch
        self._directory = directory
        self._fresh = fresh
        self._strict = strict
        self._shell = Shell(directory, environment)
        self._names: dict[str, Any] = {}
        self._actions: dict[str, Callable[[Block], None]] = {
            "console": self._run_console,
            "bash": self._run_shell,
            "sh": self._run_shell,
            "shell": self._run_shell,
            "python": self._run_python,
            "json": self._check_data,
            "yaml": self._check_data,
        }
        self._servers = contextlib.ExitStack()

    def leave(self) -> None:
        self._shell.leave()
        self._servers.close()

    def do(self, block: Block) -> None:
        """Run a block."""
        if block.not_run or (block.only_fresh and not self._fresh):
            return
        act = self._actions.get(block.kind)
        if block.kind == "server":
            self._serve(block.caption)
        elif block.kind == "run":
            self._type(block.caption, "...")
        elif block.kind == "needs":
            _need(block.caption.split())
        elif block.kind == "file" or block.caption:
            self._write(block)
        elif act:
            act(block)
        else:
            assert block.kind in _SHOWN, "the language of a block is missing or unknown"

    def _run_console(self, block: Block) -> None:
        found = commands(block.text)
        assert found, "a console block has commands that begin with '$ '"
        for number, command in enumerate(found):
            following = found[number + 1].line if number + 1 < len(found) else ""
            self._type(command.line, command.prints, may_fail=following == "echo $?")

    def _run_shell(self, block: Block) -> None:
        self._type(block.text, "...")

    def _run_python(self, block: Block) -> None:
        code = self._shell.located(block.text)
        if self._fresh:
            self._type(f"python -c {shlex.quote(code)}", "...")
        else:
            exec(compile(code, f"line {block.line}", "exec"), self._names)

    def _check_data(self, block: Block) -> None:
        """Check a file that is shown without its name, as a seed if it looks like one."""
        found = yaml.safe_load(block.text)
        if isinstance(found, dict) and "nodes" in found:
            read(load(found))

    def _write(self, block: Block) -> None:
        path = Path(self._shell.run("pwd")[1], block.caption)
        path.write_text(self._shell.located(block.text))
        if block.text.startswith("#!"):
            path.chmod(0o755)

    def _type(self, line: str, prints: str, *, may_fail: bool = False) -> None:
        status, printed = self._shell.run(line)
        assert status == 0 or may_fail, f"$ {line}\n{printed}\n(exit status {status})"
        if prints or self._strict:
            assert agrees(prints, printed), f"$ {line}\n{printed}\nThe page says:\n{prints}"

    def _serve(self, words: str) -> None:
        given = options.parse(shlex.split(words))
        settings = options.settings(given)
        with contextlib.chdir(self._directory):
            server = FakeServer(settings, seed=given.seed)
        self._servers.enter_context(server)
        self._shell.address = server.url.partition("//")[2]
        variables = cloud_config.environment(
            server.url, settings, self._directory, ca_file=server.ca_file
        )
        variables["BAREMETAL_FAKE_SERVER_URL"] = server.url
        for variable, value in variables.items():
            self._shell.run(f"export {variable}={shlex.quote(value)}")
            self._patch.setenv(variable, value)
        lab = {"auth_type": "none", "endpoint": server.url}
        path = self._directory / "clouds.yaml"
        clouds = json.loads(path.read_text())["clouds"] if settings.auth != "none" else {}
        lab = clouds.get("fake-system", clouds.get("fake", lab))
        path.write_text(json.dumps({"clouds": {**clouds, "lab": lab}}))
        self._names |= {"server": server}
        if settings.auth == "none":
            self._names["ironic"] = client.get_client(1, endpoint=server.url)
