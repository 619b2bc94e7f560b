"""Power: actions, what they refuse, and nodes that share it."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import LATEST, Api


@pytest.fixture
def api():
    api = Api()
    api.enrol()
    return api


def turn(api, target, ident="n", version=LATEST, **arguments):
    body = {"target": target, **arguments}
    return api("PUT", f"/v1/nodes/{ident}/states/power", body, version)


def test_power_off_can_be_ruled_out(api):
    api.patch("disable_power_off", True)
    assert turn(api, "power off") == (409, "Failed to set node power state to power off.")
    assert turn(api, "rebooting") == (202, None)


def test_volumes_that_can_not_be_detached_do_not_keep_a_node_on(api):
    uuid = api.node()["uuid"]
    api.patch("storage_interface", "cinder")
    target = {"node_uuid": uuid, "volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}
    api("POST", "/v1/volume/targets", target)
    api.provision("manage", "adopt")
    turn(api, "power on")
    node = api.node()
    assert node["power_state"] is None
    assert "Insufficient or incompatible volume connection records" in node["last_error"]
    turn(api, "power off")
    node = api.node()
    assert (node["power_state"], node["last_error"]) == ("power off", None)


def test_a_parent_is_turned_on_first_and_its_children_off(api):
    parent = api.node()["uuid"]
    api.enrol("child", parent_node=parent)
    api.enrol("own", parent_node=parent, driver_info={"has_dedicated_power_supply": True})
    turn(api, "power on", "own")
    assert api.node()["power_state"] is None
    turn(api, "power on", "child")
    assert api.node()["power_state"] == "power on"
    turn(api, "power off")
    assert api.node("child")["power_state"] == "power off"
    assert api.node("own")["power_state"] == "power on"
