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
#: Which part it is; workers inherit it. Empty: all.
_VARIABLE = "BAREMETALCLIENT_TEST_THIRD"
_DAY = 86400


def some(rows: Sequence[T], turn: int = 0) -> Sequence[T]:
    """Return the rows that this run tries.

    :param turn: the number of what the rows are tried on: another part of them is tried on the
        next, so that one run tries each row on something, and something of each row.
    """
    part = os.environ[_VARIABLE]
    return rows[(int(part) + turn) % _PARTS :: _PARTS] if part else rows


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
        whole = config.getoption("--all")
        os.environ[_VARIABLE] = "" if whole else str(config.getoption("--third"))


def pytest_report_header(config: pytest.Config) -> str:
    """Name the part."""
    if part := os.environ[_VARIABLE]:
        return f"generated rows: a third of them; --third {part} repeats it, --all tries all"
    return "generated rows: all"
