"""Fixtures of the unit tests."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from baremetalclient import client as clients
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from baremetalclient.v1.client import Client


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the table of calls in the documentation."""
    parser.addoption(
        "--record-calls",
        metavar="FILE",
        help="Write down which methods and commands make which calls, in one process (-n 0).",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Take part in all calls, if they are to be recorded."""
    if config.getoption("--record-calls"):
        from baremetalclient.tests.calls import Recorder

        recorder = Recorder()
        recorder.install()
        path = Path(config.getoption("--record-calls"))
        config.add_cleanup(lambda: recorder.write(path))


class Scripted(Protocol):
    def __call__(
        self, *script: Reply, versions: dict[str, str] | None = None, **options: Any
    ) -> tuple[Client, ScriptedServer]: ...


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    """Make servers with a script, each with a client that does not wait between retries."""
    with ExitStack() as stack:

        def make(
            *script: Reply, versions: dict[str, str] | None = None, **options: Any
        ) -> tuple[Client, ScriptedServer]:
            server = stack.enter_context(ScriptedServer(*script, versions=versions))
            given = {"endpoint": server.url, "retry_interval": 0, **options}
            return clients.get_client(1, **given), server

        yield make
