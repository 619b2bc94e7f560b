"""A pytest plugin for generated rows: each change is tried on a third of them, ``--all`` on all.

Which third follows from the day, so three days see them all. The first line of a run names it;
``--third N`` repeats it.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, TypeVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
_PARTS = 3
#: Which part it is, and whether all are tried; workers inherit it.
_VARIABLE, _ALL = "BAREMETALCLIENT_TEST_THIRD", "BAREMETALCLIENT_TEST_ALL"
_DAY = 86400


def some(rows: Sequence[T], turn: int = 0) -> Sequence[T]:
    """Return the rows that this run tries.

    :param turn: the number of what the rows are tried on: another part of them is tried on the
        next, so that one run tries each row on something, and something of each row.
    """
    return rows if os.environ[_ALL] else todays(rows, turn)


def todays(rows: Sequence[T], turn: int = 0) -> Sequence[T]:
    """Return the third of rows that is of today, whether or not all are tried."""
    return rows[(int(os.environ[_VARIABLE]) + turn) % _PARTS :: _PARTS]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that repeats a run."""
    parser.addoption(
        "--third",
        type=int,
        choices=range(_PARTS),
        default=int(time.time()) // _DAY % _PARTS,
        help="Which third of generated rows is tried without --all (default: one for each day).",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the part, in the process that starts the others."""
    if not hasattr(config, "workerinput"):
        os.environ[_VARIABLE] = str(config.getoption("--third"))
        os.environ[_ALL] = "yes" if config.getoption("--all") else ""


def pytest_report_header(config: pytest.Config) -> str:
    """Name the part."""
    part = os.environ[_VARIABLE]
    tried = "all" if os.environ[_ALL] else "a third"
    return f"generated rows: {tried} of them; --third {part} repeats what is of today"
