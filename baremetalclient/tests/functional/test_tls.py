"""A server whose certificate nobody vouches for gets no request."""

from __future__ import annotations

import json

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.osc.everything import run_here
from fake_server.server import FakeServer
from fake_server.settings import Settings


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
def test_a_certificate_is_verified(own_server, monkeypatch):
    # Requests prefers this variable to what a session was told.
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)
    monkeypatch.delenv("CURL_CA_BUNDLE", raising=False)
    with FakeServer(Settings(tls="auto"), seed={"nodes": [{"name": "n"}]}) as server:
        unknown = clients.get_client(1, endpoint=server.url, token="s3cret")
        with pytest.raises(exc.ConnectionError, match="certificate of the server is not trusted"):
            unknown.node.list()
        assert server.requests.find() == []
        for options in ({"cacert": server.ca_file}, {"insecure": True}):
            client = clients.get_client(1, endpoint=server.url, **options)
            assert [node.name for node in client.node.list()] == ["n"]


def test_the_command_says_in_one_line_that_nothing_is_verified(capsys):
    with FakeServer(Settings(tls="auto"), seed={"nodes": [{"name": "n"}]}) as server:
        code, out, err = run_here(
            ["--os-endpoint", server.url, "--insecure", "node", "show", "n", "-f", "json"], capsys
        )
    assert (code, json.loads(out)["name"]) == (0, "n")
    [line] = err.splitlines()
    assert line.startswith("The certificate of the server is not verified (--insecure")
