"""Run tests on a mutant, in a copy of the tree."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import TYPE_CHECKING

from tools.mutants.forks import FAILED, Forks, Outcome, enter
from tools.mutants.outcomes import SAME_ROWS

if TYPE_CHECKING:
    import pytest

# Imported once for all mutants, which saves a second each. None of them imports the packages.
_PRELOADED = (
    "pytest",
    "hypothesis",
    "xdist.plugin",
    "pytest_cov.plugin",
    "requests",
    "requests_mock",
    "keystoneauth1.session",
    "keystoneauth1.loading",
    "cliff.app",
    "osc_lib.utils",
    "sqlalchemy.orm",
    "sqlalchemy.dialects.sqlite",
    "jsonschema",
    "oslo_utils.netutils",
    "cryptography.x509",
    "yaml",
)
_NOTHING_RAN = 5


def copy_tree(checkout: Path, tree: Path) -> None:
    """Make a tree like the checkout: what git tracks or would, and nothing else."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=checkout,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    wanted = {name for name in listed.stdout.split("\0") if name and (checkout / name).is_file()}
    for file in list(tree.rglob("*")):
        name = str(file.relative_to(tree))
        if file.is_file() and name not in wanted and "__pycache__" not in name:
            file.unlink()
    for name in wanted:
        source, target = checkout / name, tree / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


class Runner:
    """Runs tests in one copy of the tree, each time in a new process or in a fork."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._forks = Forks(tree)
        self._context: ForkServerContext = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(list(_PRELOADED))

    def fails_in_fork(self, path: str, code: str, tests: list[str], seconds: float) -> Outcome:
        """Run tests in a fork, or where the fault can't be put into one, in a new process."""
        outcome = self._forks.fails(path, code, tests, seconds)
        return self.fails(path, code, tests, seconds) if outcome is None else outcome

    def fails(self, path: str, code: str, tests: list[str], seconds: float) -> Outcome:
        """Put a file into the tree and run tests.

        It is ``killed`` when one fails, ``timeout`` when they take much longer than the given
        seconds, None when they pass.
        """
        target = self._tree / path
        kept, times = target.read_bytes(), target.stat()
        target.write_text(code)
        failed = self._tree.with_suffix(f".{FAILED}")
        failed.unlink(missing_ok=True)
        try:
            process = self._context.Process(target=_pytest, args=(self._tree, tests, failed))
            process.start()
            process.join(30 + 4 * seconds)
            timeout = process.is_alive()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.join()
        finally:
            target.write_bytes(kept)
            os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))
        if timeout:
            return Outcome("timeout")
        if process.exitcode in (0, _NOTHING_RAN):
            return Outcome(None)
        return Outcome("killed", failed.read_text() if failed.exists() else None)


class _Only:
    """A plugin of pytest: run only these tests, in this order, and name the one that fails."""

    def __init__(self, tests: list[str], failed: Path) -> None:
        self._order = {test: number for number, test in enumerate(tests)}
        self._failed = failed

    def pytest_collection_modifyitems(self, items: list) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order),
            key=lambda item: self._order[item.nodeid],
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.write_text(report.nodeid)


def _pytest(tree: Path, tests: list[str], failed: Path) -> None:
    os.setpgid(0, 0)
    enter(tree, ".log")

    import pytest

    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    quiet = [*SAME_ROWS, "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=short"]
    status = pytest.main([*quiet, *files], plugins=[_Only(tests, failed)])
    sys.stdout.flush()
    os._exit(int(status))
