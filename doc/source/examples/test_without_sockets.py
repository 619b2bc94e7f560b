"""A server that has no port: requests to it never leave the process."""

import pytest
import requests
import requests_mock
from keystoneauth1.noauth import NoAuth
from keystoneauth1.session import Session

from baremetalclient import client
from fake_server.adapter import register
from fake_server.server import FakeServer

URL = "http://ironic.test"


@pytest.fixture
def server():
    server = FakeServer(seed={"nodes": [{"name": "node-1"}]})
    yield server
    server.stop()


def test_with_requests(server):
    with requests.Session() as session:
        session.mount(URL, server.adapter())
        assert session.get(f"{URL}/v1/nodes").json()["nodes"][0]["provision_state"] == "enroll"


def test_with_a_client_on_keystoneauth(server):
    http = requests.Session()
    http.mount(URL, server.adapter())
    ironic = client.get_client(1, session=Session(auth=NoAuth(endpoint=URL), session=http))
    assert ironic.node.get("node-1").driver == "fake-hardware"


def test_with_requests_mock(server):
    with requests_mock.Mocker() as mocker:
        register(mocker, server.app, URL)
        mocker.get("http://elsewhere.test/", text="mocked")
        assert requests.get(f"{URL}/v1", timeout=5).json()["id"] == "v1"
        assert requests.get("http://elsewhere.test/", timeout=5).text == "mocked"


def test_faults_are_those_of_a_network(server):
    server.faults.add({"method": "GET"}, {"drop": "before"}, times=1)
    with requests.Session() as session:
        session.mount(URL, server.adapter())
        with pytest.raises(requests.ConnectionError):
            session.get(f"{URL}/v1/nodes")
        assert session.get(f"{URL}/v1/nodes").status_code == 200
