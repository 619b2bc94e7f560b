"""Fixtures of the unit tests."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from baremetalclient import client as clients
from baremetalclient.tests.unit.scripted import ScriptedServer


def pytest_addoption(parser):
    """Add the option that writes the table of calls in the documentation."""
    parser.addoption(
        "--record-calls",
        metavar="FILE",
        help="Write down which methods and commands make which calls, in one process (-n 0).",
    )


def pytest_configure(config):
    """Take part in all calls, if they are to be recorded."""
    if config.getoption("--record-calls"):
        from baremetalclient.tests.calls import Recorder

        recorder = Recorder()
        recorder.install()
        path = Path(config.getoption("--record-calls"))
        config.add_cleanup(lambda: recorder.write(path))


@pytest.fixture(autouse=True)
def _no_pauses():
    """Let the client's pauses pass at once, on its own clock; other threads get their turn."""
    passed = 0.0

    def sleep(seconds):
        nonlocal passed
        passed += max(seconds, 0)
        time.sleep(0)

    with clients.use_clock(sleep, lambda: time.monotonic() + passed):
        yield


@pytest.fixture
def scripted():
    """Make servers with a script, each with a client that does not wait between retries."""
    with ExitStack() as stack:

        def make(*script, versions=None, **options):
            server = stack.enter_context(ScriptedServer(*script, versions=versions))
            given = {"endpoint": server.url, "retry_interval": 0, **options}
            return clients.get_client(1, **given), server

        yield make
