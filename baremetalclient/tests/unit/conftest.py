"""Fixtures of the unit tests."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from baremetalclient import client as clients
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from baremetalclient.v1.client import Client


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
