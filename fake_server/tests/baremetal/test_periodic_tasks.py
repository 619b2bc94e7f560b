"""Periodic tasks: what they find out at nodes, by the clock."""

from __future__ import annotations

import pytest

from fake_server.settings import Settings
from fake_server.tests.baremetal.api import Api

REDFISH = {"driver": "redfish", "driver_info": {"redfish_address": "bmc"}}
SYNC, RECOVERY = 120, 300
GONE = (
    "During sync_power_state, max retries exceeded for node {}, node state None does not match "
    "expected state 'power off'. Updating DB state to 'None' Switching node to maintenance mode. "
    "Error: Redfish connection failed for node {}: Unable to connect to https://bmc/redfish/v1/. "
)


def lab(**options):
    return Api(hardware_types=("fake-hardware", "redfish", "ipmi"), interfaces={}, **options)


@pytest.fixture
def api():
    return lab()


def managed(api):
    uuid = api.enrol(**REDFISH)
    api.provision("manage")
    return uuid


def change(api, **changes):
    status, found = api("PATCH", "/_fake/machines/n", changes)
    assert status == 200, found
    return found


def machine(api):
    return api("GET", "/_fake/machines/n")[1]


def machine_of(api, name):
    return api("GET", f"/_fake/machines/{name}")[1]


def failed_deployment(api):
    api.enrol()
    api.provision("manage", "provide")
    fault = {"match": {"flow": "deploy"}, "do": {"last_error": "no space"}, "times": 1}
    assert api("POST", "/_fake/faults", fault)[0] == 201
    api.provision("active")
    assert "no space" in api.node()["last_error"]


def test_each_node_is_looked_at_in_its_own_time(api):
    managed(api)
    api.clock.advance(SYNC // 2)
    other = api.enrol("other", **REDFISH)
    api("PUT", f"/v1/nodes/{other}/states/provision", {"target": "manage"})
    assert api("PATCH", "/_fake/machines/other", {"power_state": "power on"})[0] == 200
    change(api, power_state="power on")
    api.clock.advance(SYNC)
    states = {name: machine_of(api, name)["power_state"] for name in ("n", "other")}
    assert states == {"n": "power off", "other": "power off"}
    for name in states:
        assert api("PATCH", f"/_fake/machines/{name}", {"power_state": "power on"})[0] == 200
    api.clock.advance(2 * SYNC)
    assert {machine_of(api, name)["power_state"] for name in states} == {"power off"}


def test_a_machine_that_was_powered_on_behind_the_node_is_set_back(api):
    managed(api)
    change(api, power_state="power on")
    api.clock.advance(SYNC - 1)
    assert (api.node()["power_state"], machine(api)["power_state"]) == ("power off", "power on")
    api.clock.advance(1)
    assert (api.node()["power_state"], machine(api)["power_state"]) == ("power off", "power off")


@pytest.mark.parametrize("how", ["option", "node"])
def test_a_node_follows_its_machine_where_that_must_not_be_set_back(how):
    api = lab(periodic={"force_power_state_during_sync": 0} if how == "option" else {})
    managed(api)
    if how == "node":
        api.patch("disable_power_off", True)
    change(api, power_state="power on")
    api.clock.advance(SYNC)
    assert (api.node()["power_state"], machine(api)["power_state"]) == ("power on", "power on")


def test_a_machine_that_is_stuck_ends_in_maintenance(api):
    uuid = managed(api)
    change(api, power_state="power on", power_stuck=True)
    api.clock.advance(3 * SYNC)
    node = api.node()
    assert (node["maintenance"], node["power_state"]) == (False, "power off")
    assert node["last_error"] == (
        "Failed to change power state to 'power off' by 'power off': Failed to set node power "
        "state to power off."
    )
    api.clock.advance(SYNC)
    node = api.node()
    assert (node["maintenance"], node["power_state"]) == (True, "power on")
    assert node["last_error"] == (
        f"During sync_power_state, max retries exceeded for node {uuid}, node state power on does "
        "not match expected state 'power off'. Updating DB state to 'power on' Switching node to "
        "maintenance mode."
    )


def test_a_machine_that_does_not_answer_ends_in_maintenance_and_comes_back(api):
    uuid = managed(api)
    change(api, reachable=False)
    api.clock.advance(3 * SYNC)
    assert not api.node()["maintenance"]
    api.clock.advance(SYNC)
    node = api.node()
    assert (node["maintenance"], node["fault"], node["power_state"]) == (
        True,
        "power failure",
        None,
    )
    assert node["last_error"].startswith(GONE.format(uuid, uuid))
    assert node["maintenance_reason"] == node["last_error"]
    _, found = api("GET", "/v1/nodes/n/history?detail=True")
    last = found["history"][-1]
    assert (last["event_type"], last["severity"], last["event"]) == (
        "monitoring",
        "ERROR",
        node["last_error"],
    )
    _, listed = api("GET", "/v1/nodes?fault=power%20failure")
    assert len(listed["nodes"]) == 1
    api.clock.advance(10 * RECOVERY)
    assert api.node()["maintenance"]
    change(api, reachable=True)
    api.clock.advance(RECOVERY)
    node = api.node()
    assert (node["maintenance"], node["maintenance_reason"], node["fault"]) == (False, None, None)
    assert node["power_state"] == "power off"
    assert node["last_error"]
    api.clock.advance(SYNC)
    assert api.node()["last_error"] is None


def test_a_node_of_unknown_power_takes_that_of_its_machine(api):
    managed(api)
    change(api, reachable=False)
    api.clock.advance(10 * SYNC)
    node = api.node()
    assert (node["power_state"], node["fault"]) == (None, "power failure")
    change(api, reachable=True, power_state="power on")
    assert api("DELETE", "/v1/nodes/n/maintenance")[0] == 202
    api.clock.advance(SYNC)
    node = api.node()
    assert (node["power_state"], node["last_error"]) == ("power on", None)
    assert machine(api)["power_state"] == "power on"


def test_what_happened_in_an_hour_has_its_own_times(api):
    managed(api)
    change(api, reachable=False)
    began = api.clock.now()
    api.clock.advance(3600)
    api.node()
    _, found = api("GET", "/v1/nodes/n/history?detail=True")
    last = found["history"][-1]
    assert last["event_type"] == "monitoring"
    changed = api.node()["updated_at"]
    assert changed == last["created_at"]
    assert last["duration_seconds"] == 4 * SYNC
    assert changed > began.isoformat()


def test_maintenance_by_the_operator_is_not_ended(api):
    managed(api)
    api("PUT", "/v1/nodes/n/maintenance", {"reason": "mine"})
    change(api, power_state="power on")
    api.clock.advance(3600)
    node = api.node()
    assert (node["maintenance"], node["power_state"]) == (True, "power off")
    assert machine(api)["power_state"] == "power on"
    api("DELETE", "/v1/nodes/n/maintenance")
    api.clock.advance(SYNC)
    assert machine(api)["power_state"] == "power off"


def test_health_and_boot_mode_are_noted(api):
    managed(api)
    assert api.node()["health"] is None
    api.clock.advance(SYNC)
    assert (api.node()["health"], api.node()["boot_mode"]) == ("OK", "uefi")
    change(api, health="Critical", boot_mode="bios")
    api.clock.advance(SYNC)
    assert (api.node()["health"], api.node()["boot_mode"]) == ("Critical", "bios")
    _, found = api("GET", "/v1/nodes/n/history?detail=True")
    assert [
        (entry["severity"], entry["event_type"], entry["event"]) for entry in found["history"]
    ] == [
        ("INFO", "monitoring", "Node health status changed: health='OK' (previously 'None')"),
        ("INFO", "monitoring", "Node health status changed: health='Critical' (previously 'OK')"),
    ]


def test_a_look_that_finds_nothing_is_no_change(api):
    managed(api)
    api.clock.advance(SYNC)
    before = api.node()["updated_at"]
    change(api, failing=["bios"])
    api.clock.advance(SYNC)
    assert api.node()["updated_at"] == before


def test_the_last_error_of_a_node_that_is_fine_is_cleared(api):
    failed_deployment(api)
    api.clock.advance(SYNC - 1)
    assert "no space" in api.node()["last_error"]
    api.clock.advance(1)
    _, listed = api("GET", "/v1/nodes?fields=name,last_error,provision_state")
    (node,) = listed["nodes"]
    assert (node["last_error"], node["provision_state"]) == (None, "deploy failed")


def test_a_node_that_is_enrolled_keeps_its_error(api):
    api.enrol(**REDFISH)
    change(api, reachable=False)
    api.provision("manage")
    api.clock.advance(3600)
    assert "Failed to get power state" in api.node()["last_error"]


def test_what_is_turned_off_does_not_happen():
    api = lab(periodic={"all": 0})
    failed_deployment(api)
    api.clock.advance(100_000)
    assert "no space" in api.node()["last_error"]


@pytest.mark.parametrize(
    ("periodic", "wait"),
    [
        ({}, 1800),
        ({"inspect_wait_timeout": 60}, 60),
        ({"inspect_wait_timeout": 0}, None),
        ({"check_provision_state_interval": 0}, None),
    ],
)
def test_how_long_an_inspection_waits_for_the_agent(periodic, wait):
    api = lab(periodic=periodic, agent="external")
    info = {"deploy_kernel": "http://k", "deploy_ramdisk": "http://r"}
    fields = {**REDFISH, "driver_info": {**REDFISH["driver_info"], **info}}
    api.enrol(**fields, inspect_interface="agent")
    api("POST", "/v1/ports", {"node_uuid": api.node()["uuid"], "address": "52:54:00:00:00:01"})
    api.provision("manage", "inspect")
    assert api.state() == "inspect wait"
    api.clock.advance((wait or 100_000) - 1)
    assert api.state() == "inspect wait"
    api.clock.advance(1)
    assert api.state() == ("inspect failed" if wait else "inspect wait")


@pytest.mark.parametrize(
    ("periodic", "message"),
    [
        ({"bogus": 1}, "There is no option 'bogus' of periodic tasks"),
        ({"sync_power_state_interval": -1}, "sync_power_state_interval can't be -1"),
    ],
)
def test_options_that_can_not_be_are_refused(periodic, message):
    with pytest.raises(ValueError, match=message):
        Settings(periodic=periodic).completed()
