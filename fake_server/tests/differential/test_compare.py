"""A real Ironic, compared by the server's own command: what differs is known."""

from __future__ import annotations

import pytest
import requests

from fake_server.comparison.sides import Comparison

#: Where the real one fails, and the fake one answers what it should.
FAILS = {"/v1/nodes?fields=nonsense"}


@pytest.fixture
def comparison(request):
    url = request.config.getoption("--real-ironic")
    if not url:
        pytest.skip("needs --real-ironic URL")
    made = Comparison(url, requests.Session())
    yield made
    made.close()


def test_what_differs_is_known(comparison):
    compared = [*comparison.read(), *comparison.write()]
    lacking = [note for note in comparison.notes if note.startswith("the fake server has no ")]
    differing = [
        one
        for one in compared
        if one.differences
        and one.path not in FAILS
        # Interfaces that the fake server doesn't have are in the answers about drivers.
        and not (lacking and one.path.startswith("/v1/drivers"))
    ]
    assert differing == []
    assert len(compared) > 100
