"""Since when nodes are in their states."""

from __future__ import annotations

import pytest

from fake_server.clock import Clock
from fake_server.seeds.parsing import SeedError
from fake_server.server import FakeServer

NOW = 1_000_000_000


def since(text, tmp_path):
    """Return since when a node of a seed is in its state."""
    path = tmp_path / "seed.yaml"
    path.write_text(f"nodes: [{{name: n, provision_state: active, {text}}}]")
    server = FakeServer(clock=Clock("manual", start=NOW), seed=path)

    return server.nodes["n"].provision_updated_at


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "2001-09-09T01:46:40+00:00"),
        ("age: 3h", "2001-09-08T22:46:40+00:00"),
        ("age: 2d", "2001-09-07T01:46:40+00:00"),
        ("age: 40", "2001-09-09T01:46:00+00:00"),
        ("provision_updated_at: 2001-09-01T00:00:00+02:00", "2001-08-31T22:00:00+00:00"),
        ("provision_updated_at: '2001-09-01T00:00:00+00:00'", "2001-09-01T00:00:00+00:00"),
    ],
)
def test_ages_and_times(tmp_path, text, shown):
    assert since(text, tmp_path) == shown


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("age: soon", r"nodes\[0\].age: is not a duration such as"),
        ("age: -1", "is not a duration"),
        (
            "age: 1h, provision_updated_at: 2001-09-01T00:00:00Z",
            "both age and provision_updated_at",
        ),
        ("provision_updated_at: soon", "has to be a time"),
    ],
)
def test_what_can_not_be(tmp_path, text, why):
    with pytest.raises(SeedError, match=why):
        since(text, tmp_path)
