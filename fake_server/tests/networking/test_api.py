"""The Networking API: networks, subnets, segments and ports."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api

ROOT = "/networking/v2.0"
NOWHERE = "00000000-0000-0000-0000-000000000001"


@pytest.fixture
def api():
    return Api()


def create(api, kind, **fields):
    status, body = api("POST", f"{ROOT}/{kind}s", {kind: fields})
    assert status == 201, body
    return body[kind]


def test_discovery(api):
    _, body = api("GET", "/networking/")
    assert body["versions"][0]["links"][0]["href"] == "http://fake/networking/v2.0/"
    _, body = api("GET", f"{ROOT}/")
    assert [one["collection"] for one in body["resources"]] == ["networks", "subnets", "ports"]


def test_the_servers_networks_are_made_once():
    api = Api(provisioning_network="prov", cleaning_network="prov")
    assert len(api("GET", f"{ROOT}/networks?name=prov")[1]["networks"]) == 1


def test_a_subnet_gives_addresses(api):
    network = create(api, "network", name="net")["id"]
    subnet = create(api, "subnet", network_id=network, cidr="192.0.2.0/29", ip_version=4)
    assert subnet["gateway_ip"] == "192.0.2.1"
    assert subnet["allocation_pools"] == [{"start": "192.0.2.2", "end": "192.0.2.6"}]
    assert api("GET", f"{ROOT}/networks/{network}")[1]["network"]["subnets"] == [subnet["id"]]
    given = [create(api, "port", network_id=network)["fixed_ips"] for _ in range(2)]
    assert given == [
        [{"subnet_id": subnet["id"], "ip_address": f"192.0.2.{number}"}] for number in (2, 3)
    ]
    named = create(api, "port", network_id=network, fixed_ips=[{"ip_address": "192.0.2.5"}])
    assert named["fixed_ips"] == [{"subnet_id": subnet["id"], "ip_address": "192.0.2.5"}]
    newer = create(api, "subnet", network_id=network, cidr="2001:db8::/64", ip_version=6)
    both = create(api, "port", network_id=network)
    assert [one["ip_address"] for one in both["fixed_ips"]] == ["192.0.2.4", "2001:db8::1"]
    assert api("DELETE", f"{ROOT}/ports/{both['id']}")[0] == 204
    assert api("DELETE", f"{ROOT}/subnets/{newer['id']}")[0] == 204
    assert api("GET", f"{ROOT}/networks/{network}")[1]["network"]["subnets"] == [subnet["id"]]
    create(api, "port", network_id=network)
    create(api, "port", network_id=network)
    status, body = api("POST", f"{ROOT}/ports", {"port": {"network_id": network}})
    assert (status, body["NeutronError"]["type"]) == (409, "IpAddressGenerationFailure")
