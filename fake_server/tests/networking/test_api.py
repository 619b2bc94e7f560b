"""The Networking API: networks, subnets, segments and ports."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api

ROOT = "/networking/v2.0"


@pytest.fixture
def api():
    return Api()


def test_discovery(api):
    _, body = api("GET", "/networking/")
    assert body["versions"][0]["links"][0]["href"] == "http://fake/networking/v2.0/"
    _, body = api("GET", f"{ROOT}/")
    assert [one["collection"] for one in body["resources"]] == ["networks", "subnets", "ports"]


def test_the_servers_networks_are_made_once():
    api = Api(provisioning_network="prov", cleaning_network="prov")
    assert len(api("GET", f"{ROOT}/networks?name=prov")[1]["networks"]) == 1
