"""A pytest plugin for generated rows: each change is tried on a third of them, ``--all`` on all.

Rows that a test goes through are chosen by :func:`some`, those that are cases of their own by the
mark ``rows``. Which third follows from the day, so three days see them all. The first line of a run
names it; ``--third N`` repeats it.
"""

from __future__ import annotations

import itertools
import os
import time
import zlib
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
        everything = config.getoption("--all") or config.getoption("--record")
        os.environ[_ALL] = "yes" if everything else ""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the cases of other days, unless some are asked for by name."""
    named = config.getoption("keyword") or any("::" in argument for argument in config.args)
    if os.environ[_ALL] or named:
        return
    rows = [item for item in items if item.get_closest_marker("rows")]
    of_files = [list(cases) for _, cases in itertools.groupby(rows, lambda item: item.path)]
    # Shuffled, as every third may be of the same column of a matrix.
    chosen = {
        case
        for cases in of_files
        for case in todays(sorted(cases, key=_number), _number(cases[0].parent))
    }
    others = set(rows) - chosen
    if others:
        items[:] = [item for item in items if item not in others]
        config.hook.pytest_deselected(items=list(others))


def _number(node: pytest.Item | pytest.Collector | None) -> int:
    return zlib.crc32(node.nodeid.encode()) if node else 0


def pytest_report_header(config: pytest.Config) -> str:
    """Name the part."""
    part = os.environ[_VARIABLE]
    tried = "all" if os.environ[_ALL] else "a third"
    return f"generated rows: {tried} of them; --third {part} repeats what is of today"
