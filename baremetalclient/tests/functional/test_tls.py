"""A server whose certificate nobody vouches for gets no request."""

from __future__ import annotations

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
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
