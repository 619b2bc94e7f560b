"""Servers that others can reach have a token, however they are started."""

from __future__ import annotations

import pytest
import requests

from fake_server.server import FakeServer
from fake_server.settings import Settings


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_server_for_others_needs_its_token(host):
    with FakeServer(host=host) as server:
        token = server.app.settings.control_token
        clock = f"http://127.0.0.1:{server.url.rpartition(':')[2]}/_fake/clock"
        if host == "::":
            clock = clock.replace("127.0.0.1", "[::1]")
        assert len(token) > 20
        assert requests.get(clock, headers={"Host": "localhost"}, timeout=9).status_code == 403
        assert requests.get(clock, headers={"X-Fake-Token": token}, timeout=9).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_server_for_this_machine_needs_none(host):
    with FakeServer(host=host) as server:
        assert server.app.settings.control_token is None
        assert requests.get(f"{server.url}/_fake/clock", timeout=9).status_code == 200


def test_a_chosen_token_is_kept():
    server = FakeServer(Settings(control_token="chosen"), host="0.0.0.0")
    assert server.app.settings.control_token == "chosen"
    server.stop()
