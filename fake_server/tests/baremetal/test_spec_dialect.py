"""The dialect `spec`, each row with the sentence of the document that it comes from."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api


@pytest.fixture
def api():
    api = Api(dialect="spec")
    api.enrol()
    return api


def test_setting_traits_is_answered_with_them(api):
    """node-traits: "The response on success is status code 200." """
    wanted = {"traits": ["CUSTOM_B", "CUSTOM_A"]}
    assert api("PUT", "/v1/nodes/n/traits", wanted) == (
        200,
        {"traits": ["CUSTOM_A", "CUSTOM_B"]},
    )
    assert api("PUT", "/v1/nodes/n/traits/CUSTOM_C") == (204, None)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("traits=CUSTOM_RED,CUSTOM_BLUE", ["both"]),
        ("not-traits=CUSTOM_RED,CUSTOM_BLUE", ["blue", "n", "red"]),
        ("not-traits=CUSTOM_RED,CUSTOM_BLUE&traits=CUSTOM_RED", ["red"]),
        ("traits-any=CUSTOM_RED,CUSTOM_BLUE", ["blue", "both", "red"]),
        ("not-traits-any=CUSTOM_RED,CUSTOM_BLUE", ["n"]),
        ("traits=CUSTOM_GREEN", []),
    ],
)
@pytest.mark.parametrize("resource", ["nodes", "nodes/detail"])
def test_nodes_are_filtered_by_traits(api, resource, query, expected):
    """node-traits: "Filtering the node list by traits should work as expected"."""
    for name, traits in {"red": ["RED"], "blue": ["BLUE"], "both": ["BLUE", "RED"]}.items():
        api.enrol(name)
        body = {"traits": [f"CUSTOM_{trait}" for trait in traits]}
        assert api("PUT", f"/v1/nodes/{name}/traits", body)[0] == 200
    status, body = api("GET", f"/v1/{resource}?{query}")
    assert status == 200
    assert sorted(node["name"] for node in body["nodes"]) == expected


def test_pages_of_nodes_with_traits_keep_their_filter(api):
    for name in "abc":
        api.enrol(name)
        assert api("PUT", f"/v1/nodes/{name}/traits/CUSTOM_RED")[0] == 204
    seen, path = [], "/v1/nodes?traits=CUSTOM_RED&limit=2"
    while path:
        _, body = api("GET", path)
        seen += [node["name"] for node in body["nodes"]]
        path = body.get("next", "").replace("http://fake", "")
    assert seen == ["a", "b", "c"]


@pytest.mark.parametrize("query", ["traits=", "traits-any=CUSTOM_RED,"])
def test_a_filter_by_no_trait(api, query):
    assert api("GET", f"/v1/nodes?{query}")[0] == 400


def test_filters_by_traits_need_a_version_with_traits(api):
    assert api("GET", "/v1/nodes?traits=CUSTOM_RED", version="1.36")[0] == 406
    assert api("GET", "/v1/nodes?traits=CUSTOM_RED", version="1.37")[0] == 200


def test_a_vif_that_can_not_be_attached(api):
    """interface-attach-detach: "422, The request was good but unable to attach the VIF"."""
    _, body = api("POST", "/networking/v2.0/networks", {"network": {"name": "net"}})
    network = body["network"]["id"]
    uuid = api.enrol("flat", network_provider="flat", driver_info={"cleaning_network": network})
    _, body = api("POST", "/networking/v2.0/ports", {"port": {"network_id": network}})
    vif = {"id": body["port"]["id"]}
    assert api("POST", "/v1/nodes/flat/vifs", vif)[0] == 422
    assert api("POST", "/v1/nodes/flat/vifs", {"id": "bogus"})[0] == 422
    assert api("DELETE", "/v1/nodes/flat/vifs/bogus")[0] == 422
    assert api("POST", "/v1/nodes/flat/vifs", {"id": 5})[0] == 400
    port = {"node_uuid": uuid, "address": "52:54:00:00:00:01"}
    api("POST", "/v1/ports", port)
    assert api("POST", "/v1/nodes/flat/vifs", vif) == (204, None)
    assert api("POST", "/v1/nodes/flat/vifs", vif)[0] == 409


def test_every_tear_down_clears_the_volume_targets(api):
    """volume-connection-information: "Ironic should clear the connected target information on
    node tear_down, just like it does for instance_info."
    """
    uuid = api.node()["uuid"]
    target = {"node_uuid": uuid, "volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}
    assert api("POST", "/v1/volume/targets", target)[0] == 201
    api.provision("manage", "adopt", "deleted")
    _, body = api("GET", "/v1/volume/targets")
    assert body["volume_targets"] == []
