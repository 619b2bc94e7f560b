"""A shell that types the commands of a page one after the other."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Seconds that a page may take.
TIME_LIMIT = 600
#: Commands after which the same shell is another one, or the one before.
_OTHER_SHELL = re.compile(r"-- (ba)?sh$|^exit$")
_SERVER = re.compile(r"^baremetal-fake-server( serve)?( --(?!help|version)|$)")
_ADDRESS = re.compile(r"(?<=//)(127\.0\.0\.1|ironic\.example\.com):6385")
#: What differs from run to run, and what stands for it in a comparison.
_VARYING = {
    r"\b[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\b": "<uuid>",
    r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?": "<time>",
    r"\b\d+(\.\d+)?(?= ?s\b)": "<seconds>",
    r"-{3,}": "---",
    r"[^\S\n]+": " ",
}


@dataclass(frozen=True)
class Command:
    """A command of a console block, with the lines that it prints there."""

    line: str
    prints: str


@dataclass
class Shell:
    """Bash in a directory of its own.

    :param directory: the working directory.
    :param environment: its variables.
    :param address: host and port of the server that the page calls ``127.0.0.1:6385``.
    """

    directory: Path
    environment: Mapping[str, str]
    address: str = ""
    _servers: list[subprocess.Popen[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._bash = self._start(["bash"])
        self._limit = Timer(TIME_LIMIT, self._end)
        self._limit.start()

    def run(self, line: str) -> tuple[int, str]:
        """Run a command; return its exit status and what it printed."""
        line = self.located(line)
        if _SERVER.match(line):
            return 0, self._serve(line)
        end = f"end-of-{uuid.uuid4().hex}"
        typed = line if _OTHER_SHELL.search(line) else f"eval {shlex.quote(line)} </dev/null"
        # The status is kept for a command that asks for it.
        note = f"status=$?; printf '\\n{end} %s\\n' $status; (exit $status)"
        assert self._bash.stdin
        self._bash.stdin.write(f"{typed}\n{note}\n")
        self._bash.stdin.flush()
        printed = ""
        for text in self._output(self._bash):
            if text.startswith(end):
                break
            printed += text
        else:
            raise AssertionError(f"{line} ended the shell: {printed}")
        return int(text.split()[1]), self._shown(printed)

    def located(self, text: str) -> str:
        """Return a text with the address of the server where it says that of the page."""
        return _ADDRESS.sub(self.address, text) if self.address else text

    def leave(self) -> None:
        """End the shell and all servers that were started in it."""
        self._limit.cancel()
        self._end()
        for process in (*self._servers, self._bash):
            process.communicate()

    def _end(self) -> None:
        for process in (*self._servers, self._bash):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)

    def _serve(self, line: str) -> str:
        """Start a server that stays, on a free port; return the line that names its address."""
        # The shell may have other variables by now, and be elsewhere.
        _, variables = self.run("env -0")
        self.environment = dict(one.split("=", 1) for one in variables.split("\0") if "=" in one)
        self.directory = Path(self.environment["PWD"])
        process = self._start(["bash", "-c", f"exec {line} --port 0"])
        self._servers.append(process)
        printed = next(iter(self._output(process)))
        while not printed.startswith("http"):
            found = next(iter(self._output(process)), "")
            assert found, f"{line}: {printed}"
            printed = found
        self.address = printed.strip().partition("//")[2]
        self.run(f"export BAREMETAL_FAKE_SERVER_URL={printed.strip()}")
        return self._shown(printed)

    def _shown(self, printed: str) -> str:
        if self.address:
            printed = printed.replace(self.address, "127.0.0.1:6385")
        return printed.strip("\n")

    def _start(self, command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            cwd=self.directory,
            env=dict(self.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    @staticmethod
    def _output(process: subprocess.Popen[str]) -> IO[str]:
        assert process.stdout
        return process.stdout


def commands(text: str) -> list[Command]:
    """Return the commands of a console block."""
    found = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        line = lines.pop(0)
        while line.endswith("\\") or (lines and lines[0].startswith("> ")):
            more = lines.pop(0)
            line = f"{line[:-1]} {more.strip()}" if line.endswith("\\") else f"{line}\n{more[2:]}"
        found.append(Command(line, "\n".join(lines).strip("\n")))
    return found


def agrees(expected: str, printed: str) -> bool:
    """Tell whether a command printed what a page says.

    ``...`` stands for anything, a line with nothing else for any lines. White space, the lengths
    of lines in tables, UUIDs, times and durations may differ.
    """
    lines = [
        ".*?" if line == "..." else r"[^\n]*?".join(map(re.escape, line.split("...")))
        for line in _plain(expected).splitlines()
    ]
    return re.fullmatch(r"\n?".join(lines), _plain(printed), re.DOTALL) is not None


def _plain(text: str) -> str:
    for varying, constant in _VARYING.items():
        text = re.sub(varying, constant, text)
    return "\n".join(line.strip() for line in text.strip().splitlines())
