"""A pytest plugin that writes down which tests passed, and how long each took."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

# What is measured once is what is run later, whichever day it is.
SAME_ROWS = ("--third", "0")
# The file to write, in the environment of the controlling process.
FILE = "MUTANTS_OUTCOMES"
# The settings of coverage for programs that tests start.
SUBPROCESSES = "MUTANTS_COVERAGE"

_seconds: dict[str, float] = {}
_not_passed: set[str] = set()


def pytest_configure(config: pytest.Config) -> None:
    """Let coverage measure the programs that tests start, but not the workers of xdist."""
    if hasattr(config, "workerinput") and SUBPROCESSES in os.environ:
        os.environ["COVERAGE_PROCESS_START"] = os.environ[SUBPROCESSES]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the outcome of one phase of a test."""
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _not_passed.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the seconds of each test that passed; workers of xdist leave it to their controller."""
    if not hasattr(session.config, "workerinput"):
        passed = {test: took for test, took in _seconds.items() if test not in _not_passed}
        Path(os.environ[FILE]).write_text(json.dumps(passed))
