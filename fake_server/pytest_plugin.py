"""Fixtures for tests of software that talks to Ironic; pytest finds them by itself.

``baremetal_server`` is a new :class:`~fake_server.server.FakeServer` for each test, with its own
port and database, so tests can run in parallel. Its time stands still until a client waits.
``baremetal_client`` is a client of it. The marker ``baremetal_server`` has the options of the
server::

    @pytest.mark.baremetal_server(seed={"nodes": [{"name": "n"}]}, clock="manual", delay=600)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from baremetalclient.v1.client import Client
    from fake_server.server import FakeServer

_MARKER = "baremetal_server"


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        f"{_MARKER}(seed, clock, db, **settings): options of the test's fake Ironic: its lab, its "
        "clock, its database, and those of fake_server.settings.Settings.",
    )


@pytest.fixture
def baremetal_server(request: pytest.FixtureRequest) -> Iterator[FakeServer]:
    """Return a running fake Ironic; ``url`` is its URL."""
    # Imported here, because pytest imports this module in every run.
    from fake_server.extra import MissingExtraError, required

    try:
        with required():
            from fake_server.server import FakeServer
            from fake_server.settings import Settings
    except MissingExtraError as exc:
        pytest.fail(str(exc), pytrace=False)
    options = _options(request)
    parts = {name: options.pop(name) for name in ("seed", "clock", "db") if name in options}
    parts.setdefault("clock", "auto")
    with FakeServer(Settings(**options), **parts) as server:
        yield server


@pytest.fixture
def baremetal_client(baremetal_server: FakeServer) -> Client:
    """Return a client of ``baremetal_server``, authenticated as its first account."""
    from baremetalclient import client
    from fake_server.cli.cloud_config import options

    server = baremetal_server
    return client.get_client(1, **options(server.url, server.app.settings, server.ca_file))


def _options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return the options in the markers of a test; the nearest one takes precedence."""
    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers(_MARKER))):
        if marker.args:
            raise pytest.UsageError(f"The marker {_MARKER} takes options by name only.")
        options |= marker.kwargs
    return options
