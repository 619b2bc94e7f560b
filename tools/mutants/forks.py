"""Run tests on a mutant in a fork of a process that has collected them all.

The code of one function is replaced there, so nothing is imported or collected again. What a change
does when a module is imported, and in programs that tests start, isn't seen this way.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import multiprocessing
import os
import pkgutil
import resource
import select
import shutil
import signal
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.mutants.outcomes import SAME_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

    import pytest

# The file in which a process names the test that failed.
FAILED = "failed"
# The status of a fork in which a function would need other variables of those around it.
_NOT_REPLACED = 4


class Outcome(NamedTuple):
    """What became of a mutant, and the test that noticed it."""

    name: str | None
    test: str | None = None


class Forks:
    """A process for one copy of the tree, with all tests that aren't slow."""

    def __init__(self, tree: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(tree, other), daemon=True)
        self._process.start()

    def fails(self, path: str, code: str, tests: list[str], seconds: float) -> Outcome | None:
        """Run tests with a function's code as it is in another text of its file.

        It is ``killed`` when one fails, ``timeout`` when they take much longer than the given
        seconds, None when they pass. There is no outcome when the code can't be replaced.
        """
        self._pipe.send((path, code, tests, seconds))
        outcome: Outcome | None = self._pipe.recv()
        return outcome


class _Server:
    """A plugin of pytest: instead of running what was collected, fork for each question."""

    def __init__(self, tree: Path, pipe: Connection) -> None:
        self._tree = tree
        self._pipe = pipe

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = _functions(self._tree)
        gc.freeze()
        # A fork ends soon.
        gc.disable()
        while True:
            path, code, tests, seconds = self._pipe.recv()
            chosen = [items[test] for test in tests if test in items]
            folder = Path(tempfile.mkdtemp())
            pid = os.fork()
            if pid == 0:
                os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
                _limit(seconds)
                if not _replace(functions[str(self._tree / path)], code):
                    os._exit(_NOT_REPLACED)
                failed = _failed(session, chosen)
                if failed:
                    (folder / FAILED).write_text(failed)
                os._exit(0)
            self._pipe.send(_outcome(pid, folder, 20 + 3 * seconds))
            shutil.rmtree(folder, ignore_errors=True)


def enter(tree: Path, log: str) -> None:
    """Let this process import from a tree, and write to a log beside it."""
    os.chdir(tree)
    file = os.open(tree.with_suffix(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.environ |= {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.dont_write_bytecode = True
    sys.path[:] = [str(tree), *(entry for entry in sys.path[1:] if entry != "")]
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")


def _serve(tree: Path, pipe: Connection) -> None:
    enter(tree, ".forks.log")

    import pytest

    options = [*SAME_ROWS, "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=short", "--capture=no"]
    pytest.main(options, plugins=[_Server(tree, pipe)])


def _functions(tree: Path) -> dict[str, list[FunctionType]]:
    """Import all modules, and return the functions that there are by their files."""
    for package in ("baremetalclient", "fake_server"):
        for module in pkgutil.walk_packages([str(tree / package)], f"{package}."):
            if ".tests" not in module.name and not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    gc.unfreeze()
    found: defaultdict[str, list[FunctionType]] = defaultdict(list)
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            found[each.__code__.co_filename].append(each)
    return found


def _replace(functions: list[FunctionType], code: str) -> bool:
    """Give functions the code that they have in another text of their file."""
    if not functions:
        return False
    name = functions[0].__code__.co_filename
    codes = {_key(each): each for each in _nested(compile(code, name, "exec"))}
    replaced = False
    for function in functions:
        made = codes.get(_key(function.__code__), function.__code__)
        if made != function.__code__ and made.co_freevars == function.__code__.co_freevars:
            function.__code__ = made
            replaced = True
    return replaced


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _nested(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _nested(each)


def _limit(seconds: float) -> None:
    """Let a mutant that never ends be ended by the system."""
    os.setpgid(0, 0)
    # They were measured with coverage, which takes two thirds of them.
    most = int(6 + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))


def _failed(session: pytest.Session, items: list[pytest.Item]) -> str | None:
    """Run tests, and return the first that fails."""
    session.testsfailed = 0
    for item, following in zip(items, [*items[1:], None], strict=True):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
            reporter.summary_errors()
            reporter.summary_failures()
            sys.stdout.flush()
            return item.nodeid
    return None


def _outcome(pid: int, folder: Path, limit: float) -> Outcome | None:
    handle = os.pidfd_open(pid)
    ended, _, _ = select.select([handle], [], [], limit)
    os.close(handle)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if not ended or os.WIFSIGNALED(status):
        return Outcome("timeout")
    if os.waitstatus_to_exitcode(status) == _NOT_REPLACED:
        return None
    failed = folder / FAILED
    return Outcome("killed", failed.read_text()) if failed.exists() else Outcome(None)
