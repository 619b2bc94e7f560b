"""The Networking API: what it offers, its pages and revisions, and what it has of nodes.

What it answers to single requests is in ``test_recorded_requests.py``.
"""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.networking.cloud import Cloud

ROOT = "/networking/v2.0"


@pytest.fixture
def cloud():
    return Cloud()


def test_discovery():
    api = Api()
    _, body = api("GET", "/networking/")
    assert body["versions"][0]["links"][0]["href"] == "http://fake/networking/v2.0/"
    _, body = api("GET", f"{ROOT}/")
    assert [one["collection"] for one in body["resources"]] == ["networks", "subnets", "ports"]


def test_the_servers_networks_are_made_once():
    api = Api(provisioning_network="prov", cleaning_network="prov")
    assert len(api("GET", f"{ROOT}/networks?name=prov")[1]["networks"]) == 1


def test_extensions(cloud):
    _, body = cloud("member", "GET", "/extensions")
    aliases = [one["alias"] for one in body["extensions"]]
    assert {"provider", "binding", "trunk", "segment", "pagination", "agent"} <= set(aliases)
    assert {"router", "qos", "rbac-policies", "address-scope", "subnet_allocation"} <= set(aliases)
    assert not {"logging", "flavors", "metering", "vpnaas"} & set(aliases)
    for alias in aliases:
        assert cloud("member", "GET", f"/extensions/{alias}")[1]["extension"]["alias"] == alias
    assert cloud("member", "GET", "/extensions/bogus")[0] == 404
    assert cloud("member", "POST", "/extensions", {})[0] == 404
    assert cloud("member", "GET", "/availability_zones") == (200, {"availability_zones": []})


def test_pages_lead_to_each_other(cloud):
    idents = [cloud.make("member", "network", name=name)["id"] for name in "abcde"]
    pages, path = [], "/networks?limit=2&fields=id&sort_key=name&sort_dir=asc"
    while path:
        _, body = cloud("member", "GET", path)
        pages.append([item["id"] for item in body["networks"]])
        links = {link["rel"]: link["href"] for link in body.get("networks_links", [])}
        path = links.get("next", "").partition("/v2.0")[2]
    assert [ident for page in pages for ident in page] == idents
    _, body = cloud("member", "GET", links["previous"].partition("/v2.0")[2])
    assert [item["id"] for item in body["networks"]] == pages[-2]
    assert cloud("member", "GET", "/networks?limit=1&marker=bogus")[0] == 404


@pytest.mark.parametrize("body", [b"{", b"[" * 100_000])
def test_changes_that_cannot_be_read(cloud, body):
    net = cloud.make("member", "network")["id"]
    status, answer = cloud("member", "PUT", f"/networks/{net}", body)
    error = answer["NeutronError"]
    assert (status, error["message"]) == (400, "Body contains invalid data")
    assert (error["type"], error["detail"]) == ("HTTPBadRequest", "")


def test_another_revision(cloud):
    path, body = f"/networks/{cloud.make('member', 'network')['id']}", {"network": {"name": "x"}}
    status, answer = cloud("member", "PUT", path, body, HTTP_IF_MATCH="revision_number=99")
    text = "Constrained to 99, but current revision is 1"
    assert (status, answer["NeutronError"]["type"]) == (412, "RevisionNumberConstraintFailed")
    assert answer["NeutronError"]["message"] == text
    status, answer = cloud("member", "DELETE", path, HTTP_IF_MATCH="revision_number=x")
    assert (status, answer["NeutronError"]["type"]) == (400, "BadRequest")
    assert answer["NeutronError"]["message"] == (
        "Bad if-match request: Revision number etag must be in the format of revision_number=<int>."
    )
    assert cloud("member", "PUT", path, body, HTTP_IF_MATCH="revision_number=1")[0] == 200


def test_nodes_with_ports_have_agents():
    api = Api()
    api.enrol("without")
    node = api.enrol("n")
    for number, physical_network in enumerate(["one", None]):
        port = {"node_uuid": node, "address": f"52:54:00:00:00:0{number}"}
        api("POST", "/v1/ports", {**port, "physical_network": physical_network})
    (agent,) = api("GET", f"{ROOT}/agents")[1]["agents"]
    assert (agent["host"], agent["agent_type"], agent["alive"]) == (node, "Baremetal Node", True)
    assert agent["configurations"]["bridge_mappings"] == {"one": "yes"}
    path = f"{ROOT}/agents/{agent['id']}"
    status, body = api("PUT", path, {"agent": {"admin_state_up": False}})
    assert (status, body["agent"]["admin_state_up"]) == (200, False)
    assert api("GET", path)[1]["agent"]["admin_state_up"] is False
    assert api("DELETE", path)[0] == 204
    assert api("GET", path)[1]["agent"]["admin_state_up"] is True
    assert api("GET", f"{ROOT}/agents?host=nobody") == (200, {"agents": []})
    assert api("GET", f"{ROOT}/agents/bogus")[0] == 404
