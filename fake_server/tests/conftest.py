"""Options of the fake server's tests."""

from __future__ import annotations

import os

from fake_server.tests import databases


def pytest_addoption(parser):
    parser.addoption(
        "--db",
        choices=databases.KINDS,
        default="sqlite",
        help="Run the fake server's tests on such a database, which they start themselves.",
    )


def pytest_configure(config):
    # Workers of xdist inherit it.
    os.environ["FAKE_SERVER_TEST_DB"] = config.getoption("--db")


def pytest_unconfigure():
    databases.stop_all()
