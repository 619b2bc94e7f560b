"""Options of the fake server's tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fake_server.tests import databases


def pytest_addoption(parser):
    parser.addoption(
        "--db",
        choices=databases.KINDS,
        default="sqlite",
        help="Run the fake server's tests on such a database, which they start themselves.",
    )
    parser.addoption(
        "--record-routes",
        metavar="FILE",
        help="Write down which routes the tests ask for, in one process (-n 0).",
    )
    parser.addoption(
        "--fresh",
        action="store_true",
        help="Run README and the tutorials as a stranger does: each in a clone of its own, without "
        "anything installed.",
    )


def pytest_configure(config):
    # Workers of xdist inherit it.
    os.environ["FAKE_SERVER_TEST_DB"] = config.getoption("--db")
    if config.getoption("--record-routes"):
        from fake_server.tests.routes import Recorder

        config.recorder = Recorder()
        config.recorder.install()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef):
    with databases.owned_by(fixturedef.addfinalizer):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    with databases.owned_by(item.addfinalizer):
        return (yield)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish():
    # Later, a worker would have five seconds for it before xdist interrupts it.
    databases.stop_all()


def pytest_unconfigure(config):
    if hasattr(config, "recorder"):
        config.recorder.write(Path(config.getoption("--record-routes")))
