"""Run each test with this client and, with ``--peer``, with python-ironicclient, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from baremetalclient.tests.compatibility import sides


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "side" in metafunc.fixturenames:
        peer = metafunc.config.getoption("--peer")
        found = [sides.theirs(Path(peer))] if peer else []
        metafunc.parametrize(
            "side", [*found, sides.OURS], ids=lambda side: side.package, scope="session"
        )


@pytest.fixture(scope="session")
def records(request: pytest.FixtureRequest, side: sides.Side) -> bool:
    """Whether this run writes down what is seen, because it is python-ironicclient that sees it."""
    return side is not sides.OURS and request.config.getoption("--record")
