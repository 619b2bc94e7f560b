"""What is swept: a command in a folder of its own, or a function of this process."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
import traceback
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from fake_server.server import FakeServer
    from fake_server.sweep.server import SweepServer

#: Seconds between two looks at a program that runs.
_POLL = 0.02
#: Seconds for which a call that was ended is waited for.
_GRACE = 1.0
#: Lines of its output, and bytes of them, that are kept.
_LINES, _BYTES = 20, 8 * 1024


class Ended(NamedTuple):
    """How a run of a program ended.

    :param exit: its exit code, negative for the signal that ended it; ``None`` at the limit.
    :param tail: the last lines of its output.
    :param seconds: how long it ran.
    """

    exit: int | None
    tail: str
    seconds: float


class Program(Protocol):
    """One run of what is swept."""

    def run(self, seconds: float, is_over: Callable[[], bool]) -> Ended:
        """Run it to its end.

        :param seconds: how long it may run.
        :param is_over: returns whether it is to be ended before that.
        """

    def kill(self) -> None:
        """End it, and all that it has started, at once."""


class Subject(Protocol):
    """What is swept.

    :ivar command: what it is called in the results.
    """

    command: Sequence[str]

    def workplace(self) -> AbstractContextManager[Callable[[SweepServer], Program]]:
        """Return a context with a fresh place to run in; it gives what makes a run there."""


class Command:
    """A command, which gets a fresh copy of a folder in each case.

    :param command: the program, with its arguments.
    :param folder: the folder.
    :param without: what is in it and isn't copied.
    """

    def __init__(self, command: Sequence[str], folder: Path, without: Path) -> None:
        self.command = command
        self._folder, self._without = folder, os.path.realpath(without)

    @contextmanager
    def workplace(self) -> Iterator[Callable[[SweepServer], Program]]:
        """Copy the folder, and remove the copy at the end."""
        with TemporaryDirectory(prefix="baremetal-sweep-", ignore_cleanup_errors=True) as parent:
            folder = Path(parent) / "work"
            shutil.copytree(self._folder, folder, symlinks=True, ignore=self._ignored)
            yield lambda server: _Process(self.command, server.environment, folder)

    def _ignored(self, folder: str, names: list[str]) -> list[str]:
        return [name for name in names if self._is_ignored(Path(folder, name))]

    def _is_ignored(self, path: Path) -> bool:
        # Unlike Path.resolve(), this takes links that lead to themselves.
        if os.path.realpath(path) == self._without:
            return True
        # Pipes, sockets and devices can't be copied, and belong to what runs elsewhere.
        return not (path.is_symlink() or path.is_file() or path.is_dir())


class Function:
    """A function of this process.

    :param function: takes the server; it succeeds unless it raises an exception.
    """

    def __init__(self, function: Callable[[FakeServer], object]) -> None:
        self.command: Sequence[str] = [getattr(function, "__qualname__", repr(function))]
        self._function = function

    @contextmanager
    def workplace(self) -> Iterator[Callable[[SweepServer], Program]]:
        """Return what calls the function."""
        yield lambda server: _Call(self._function, server)


class _Call:
    """A call of a function, in a thread that ends at its limit with its next request."""

    def __init__(self, function: Callable[[FakeServer], object], server: SweepServer) -> None:
        self._function, self._server = function, server.server
        self._interception = server.interception
        self._killed = False
        self._code, self._tail = 0, ""
        self._thread = threading.Thread(target=self._call, daemon=True)

    def run(self, seconds: float, is_over: Callable[[], bool]) -> Ended:
        """Call it; see :meth:`Program.run`."""
        began = time.monotonic()
        self._thread.start()
        is_late = False
        while self._thread.is_alive() and not is_late:
            self._thread.join(_POLL)
            is_late = self._killed or time.monotonic() - began > seconds or is_over()
        code = None if self._thread.is_alive() else self._code
        if code is None:
            self._end()
            self._thread.join(_GRACE)
        return Ended(
            -signal.SIGKILL if self._killed else code, self._tail, time.monotonic() - began
        )

    def kill(self) -> None:
        """Have it end with its next request; see :meth:`Program.kill`."""
        self._killed = True
        self._end()

    def _end(self) -> None:
        if self._thread.ident is not None:
            self._interception.ended.add(self._thread.ident)

    def _call(self) -> None:
        # The number may be that of a thread that is gone.
        self._interception.ended.discard(threading.get_ident())
        try:
            self._function(self._server)
        except BaseException:
            self._code, self._tail = 1, traceback.format_exc(limit=-3)


class _Process:
    """A process in a folder.

    :param command: the program, with its arguments.
    :param variables: its environment.
    :param folder: the folder that it runs in.
    """

    def __init__(self, command: Sequence[str], variables: Mapping[str, str], folder: Path) -> None:
        self._command = command
        self._variables = {**variables, "PWD": str(folder)}
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, seconds: float, is_over: Callable[[], bool]) -> Ended:
        """Run it; see :meth:`Program.run`.

        :raises OSError: if it can't be run.
        """
        output = self._folder.with_suffix(".output")
        began = time.monotonic()
        with output.open("wb") as file:
            self._process = subprocess.Popen(  # noqa: S603 - as the user asked
                self._command,
                cwd=self._folder,
                env=self._variables,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                while (code := self._waited()) is None:
                    if time.monotonic() - began > seconds or is_over():
                        break
            finally:
                # What it left behind would go on asking.
                self.kill()
                self._process.wait()
        return Ended(code, _tail(output), time.monotonic() - began)

    def kill(self) -> None:
        """End it, and all that it has started, at once."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _waited(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(_POLL) if self._process else None
        return None


def _tail(output: Path) -> str:
    with output.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _BYTES))
        text = file.read().decode("utf-8", "replace")
    return "\n".join(text.splitlines()[-_LINES:])
