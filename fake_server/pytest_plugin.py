"""Fixtures for tests of software that talks to Ironic; pytest finds them by itself.

``baremetal_server`` is a :class:`~fake_server.server.FakeServer` of the test's own, on a port and
with a database of its own, so tests may run side by side. ``baremetal_client`` is a client of it.
The marker ``baremetal_server`` says what the server is like::

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
    """Make the marker known."""
    config.addinivalue_line(
        "markers",
        f"{_MARKER}(seed, clock, db, **settings): what the fake Ironic of a test "
        "is like: a lab of nodes, its clock, its database, and options of "
        "fake_server.settings.Settings.",
    )


@pytest.fixture
def baremetal_server(request: pytest.FixtureRequest) -> Iterator[FakeServer]:
    """Return a fake Ironic; ``url`` is where it listens."""
    # Loaded when it is needed: pytest loads this module in every run.
    from fake_server.extra import MissingExtraError, required

    try:
        with required():
            from fake_server.clock import Clock
            from fake_server.server import FakeServer
            from fake_server.settings import Settings
    except MissingExtraError as exc:
        pytest.fail(str(exc), pytrace=False)
    options = _options(request)
    parts = {name: options.pop(name) for name in ("seed", "clock", "db") if name in options}
    if isinstance(parts.get("clock"), str):
        parts["clock"] = Clock(parts["clock"])
    with FakeServer(Settings(**options), **parts) as server:
        yield server


@pytest.fixture
def baremetal_client(baremetal_server: FakeServer) -> Client:
    """Return a client of ``baremetal_server``, with the rights of its first account."""
    from baremetalclient import client
    from fake_server.cli.cloud_config import options

    server = baremetal_server
    return client.get_client(1, **options(server.url, server.app.settings, server.ca_file))


def _options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return what the markers of a test say; the one nearest to it wins."""
    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers(_MARKER))):
        if marker.args:
            raise pytest.UsageError(f"The marker {_MARKER} takes options by name only.")
        options |= marker.kwargs
    return options
