"""The same requests to servers with the same random seed are given the same identifiers."""

from __future__ import annotations

import pytest
import requests

from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.baremetal.test_agent import IMAGES, INTERFACES, MAC

LAB = {"nodes": [{"name": "seeded", "driver": "fake-hardware"}]}
NODE = {"driver": "fake-hardware", "name": "n"}
LOGIN = {
    "auth": {
        "identity": {
            "methods": ["password"],
            "password": {
                "user": {"name": "admin", "password": "secret", "domain": {"id": "default"}}
            },
        },
        "scope": {"project": {"name": "admin", "domain": {"id": "default"}}},
    }
}


def identifiers(server, *, polls=0):
    """Send requests to several services; return the identifiers in the responses."""
    with requests.Session() as session:

        def send(method, path, body=None):
            response = session.request(method, server.url + path, json=body, timeout=10)
            assert response.status_code < 300, response.text
            return response

        login = send("POST", "/identity/v3/auth/tokens", LOGIN)
        session.headers["X-Auth-Token"] = login.headers["X-Subject-Token"]
        session.headers["X-OpenStack-Ironic-API-Version"] = "1.80"
        found = [login.headers["X-Subject-Token"]]
        nodes = send("GET", "/v1/nodes").json()["nodes"]
        found += [node["uuid"] for node in nodes]
        for _ in range(polls):
            send("GET", "/v1/nodes")
        node = send("POST", "/v1/nodes", NODE)
        found += [node.headers["Openstack-Request-Id"], node.json()["uuid"]]
        send("PUT", "/v1/nodes/n/states/provision", {"target": "manage"})
        history = send("GET", "/v1/nodes/n/history").json()["history"]
        found += [event["uuid"] for event in history]
        volume = send("POST", "/volume/v3/volumes", {"volume": {"size": 1}}).json()["volume"]
        found.append(volume["id"])
        network = send("POST", "/networking/v2.0/networks", {"network": {"name": "a"}})
        body = {"port": {"network_id": network.json()["network"]["id"]}}
        port = send("POST", "/networking/v2.0/ports", body).json()["port"]
        found += [network.json()["network"]["id"], port["id"], port["mac_address"]]
    return found


@pytest.fixture
def start():
    def make(number):
        return FakeServer(Settings(auth="keystone", random_seed=number), seed=LAB)

    return make


def test_two_runs_are_the_same_and_other_seeds_are_not(start):
    with start(7) as first, start(7) as second, start(8) as other:
        found = identifiers(first)
        assert len(set(found)) == len(found)
        assert identifiers(second) == found
        assert not set(identifiers(other)) & set(found)


def test_a_reset_begins_again(start):
    with start(7) as server:
        found = identifiers(server)
        server.reset()
        assert identifiers(server) == found


def test_a_database_that_stays_is_refused(tmp_path):
    with pytest.raises(ValueError, match="in memory"):
        FakeServer(Settings(random_seed=7), db=f"sqlite:///{tmp_path}/lab.db")


def test_tokens_of_agents_and_consoles_are_the_same():
    def tokens(number):
        interfaces = {**INTERFACES, "console": ("fake", "fake-graphical")}
        settings = Settings(interfaces=interfaces, agent="external", random_seed=number)
        node = {
            **{"driver": "fake-hardware", "name": "n", "provision_state": "available"},
            **{"deploy_interface": "direct", "boot_interface": "ipxe"},
            "console_interface": "fake-graphical",
            "driver_info": {name: f"http://192.0.2.1/{name}" for name in IMAGES},
            "instance_info": {"image_source": "http://192.0.2.1/i", "image_checksum": "a" * 32},
            "ports": [{"address": MAC}],
        }
        with FakeServer(settings, seed={"nodes": [node]}) as server, requests.Session() as session:
            session.headers["X-OpenStack-Ironic-API-Version"] = "1.80"
            states = f"{server.url}/v1/nodes/n/states"
            for path, body in (("console", {"enabled": True}), ("provision", {"target": "active"})):
                assert session.put(f"{states}/{path}", json=body).status_code == 202
            console = session.get(f"{states}/console").json()["console_info"]
            found = session.get(f"{server.url}/v1/lookup?addresses={MAC}").json()
            return console["url"], found["config"]["agent_token"]

    first, second, other = map(tokens, (7, 7, 8))
    assert first == second
    assert not set(first) & set(other)
