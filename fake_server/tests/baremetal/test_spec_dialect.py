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


def test_a_vif_that_can_not_be_attached(api):
    """interface-attach-detach: "422, The request was good but unable to attach the VIF"."""
    _, body = api("POST", "/networking/v2.0/networks", {"network": {"name": "net"}})
    network = body["network"]["id"]
    uuid = api.enrol("flat", network_interface="flat", driver_info={"cleaning_network": network})
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
