"""The server without sockets."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
import requests
import requests_mock

from fake_server.adapter import register
from fake_server.server import FakeServer

URL = "http://ironic.test:6385"


@pytest.fixture
def server():
    server = FakeServer()
    yield server
    server.stop()


@pytest.fixture
def session(server):
    with requests.Session() as session:
        session.mount(URL, server.adapter())
        session.headers["X-OpenStack-Ironic-API-Version"] = "1.80"
        yield session


def test_answers_are_those_of_the_network(server, session):
    with FakeServer() as other:
        for method, path, body in (
            ("POST", "/v1/chassis", {"description": "é"}),
            ("GET", "/v1/nodes?fields=uuid,name&limit=5", None),
            ("GET", "/v1/nodes/%C3%A9", None),
            ("DELETE", "/v1/nodes/n", None),
            ("OPTIONS", "/v1", None),
            ("HEAD", "/v1/nodes", None),
            ("GET", "/volume/v3/", None),
        ):
            here = session.request(method, URL + path, json=body)
            there = requests.request(
                method, other.url + path, json=body, headers=dict(session.headers), timeout=5
            )
            assert (here.status_code, here.reason) == (there.status_code, there.reason)
            assert here.headers.get("Content-Type") == there.headers.get("Content-Type")
            assert len(here.content) == len(there.content) or URL in here.text
            assert isinstance(here.elapsed, timedelta)


@pytest.mark.parametrize(
    "body",
    [
        b'{"description": "x"}',
        '{"description": "x"}',
        io.BytesIO(b'{"description": "x"}'),
        iter([b'{"description"', b': "x"}']),
    ],
)
def test_bodies_of_any_kind(session, body):
    headers = {"Content-Type": "application/json"}
    answer = session.post(f"{URL}/v1/chassis", data=body, headers=headers)
    assert answer.json()["description"] == "x"


def test_faults(server, session):
    server.faults.add({}, {"drop": "after"}, times=1)
    with pytest.raises(requests.ConnectionError, match=r"^Connection aborted\.$"):
        session.post(f"{URL}/v1/chassis", json={})
    assert len(session.get(f"{URL}/v1/chassis").json()["chassis"]) == 1
    server.faults.add({}, {"truncate": 5}, times=1)
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        session.get(f"{URL}/v1")
    server.faults.add({}, {"delay": 0.05})
    text = r"^Read timed out\. \(read timeout=0\.01\)$"
    with pytest.raises(requests.ReadTimeout, match=text):
        session.get(f"{URL}/v1", timeout=0.01)
    with pytest.raises(requests.ReadTimeout, match=text):
        session.get(f"{URL}/v1", timeout=(5, 0.01))
    assert session.get(f"{URL}/v1", timeout=5).status_code == 200


@pytest.mark.parametrize("url", [URL, f"{URL}/", f"{URL}/baremetal"])
def test_requests_mock_answers_by_the_server(server, url):
    with requests_mock.Mocker() as mocker:
        register(mocker, server.app, url)
        base = url.rstrip("/")
        assert requests.post(f"{base}/v1/chassis", json={}, timeout=5).status_code == 201
        with pytest.raises(requests_mock.NoMockAddress):
            requests.get(f"{URL}0/v1", timeout=5)
