"""Machines that misbehave, and machines in seeds and snapshots."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api

REDFISH = {"driver": "redfish", "driver_info": {"redfish_address": "bmc", "redfish_password": "p"}}
IPMI = {"driver": "ipmi", "driver_info": {"ipmi_address": "bmc", "ipmi_password": "p"}}
PATH = "/_fake/machines/n"


@pytest.fixture
def api():
    return Api(hardware_types=("fake-hardware", "redfish", "ipmi"), interfaces={})


def machine(api):
    status, found = api("GET", PATH)
    assert status == 200, found
    return found


@pytest.mark.parametrize(
    ("fields", "changes", "seconds", "reason"),
    [
        (REDFISH, {"reachable": False}, 152, "Redfish connection failed for node {uuid}: Unable"),
        (REDFISH, {"password": "other"}, 0, "Redfish exception occurred. Error: HTTP GET"),
        (REDFISH, {"failing": ["power"]}, 0, "Redfish exception occurred. Error: HTTP GET"),
        (IPMI, {"reachable": False}, 60, "IPMI call failed: power status."),
        (IPMI, {"password": "other"}, 60, "IPMI call failed: power status."),
    ],
)
def test_a_machine_that_fails_keeps_its_node_from_being_managed(
    api, fields, changes, seconds, reason
):
    uuid = api.enrol(**fields)
    assert api("PATCH", PATH, changes)[0] == 200
    api.provision("manage")
    if seconds:
        api.clock.advance(seconds - 1)
        assert (api.state(), api.node()["reservation"]) == ("verifying", "localhost")
        assert api.patch("extra/a", 1) == (
            409,
            f"Node {uuid} is locked by host localhost, please retry after the current operation is "
            "completed.",
        )
        api.clock.advance(1)
    node = api.node()
    assert node["provision_state"] == "enroll"
    start = f"Failed to get power state for node {uuid}. Error: {reason.format(uuid=uuid)}"
    assert node["last_error"].startswith(start)


def test_an_unreachable_controller_is_told_as_ironic_does(api):
    uuid = api.enrol(driver="redfish", driver_info={"redfish_address": "http://127.0.0.1:1"})
    api("PATCH", PATH, {"reachable": False})
    assert api("GET", "/v1/nodes/n/management/boot_device") == (
        500,
        f"Redfish connection failed for node {uuid}: Unable to connect to "
        "http://127.0.0.1:1/redfish/v1/. Error: HTTPConnectionPool(host='127.0.0.1', port=1): Max "
        "retries exceeded with url: /redfish/v1/ (Caused by "
        "NewConnectionError(\"HTTPConnection(host='127.0.0.1', port=1): Failed to establish a new "
        'connection: [Errno 111] Connection refused"))',
    )


@pytest.mark.parametrize(
    ("more", "request_line", "reason"),
    [
        ({}, "GET https://bmc/redfish/v1/Systems/1", "Incorrect username or password"),
        (
            {"redfish_auth_type": "session"},
            "POST https://bmc/redfish/v1/SessionService/Sessions",
            "Authorization required",
        ),
    ],
)
def test_a_wrong_password_is_told_as_ironic_does(api, more, request_line, reason):
    info = {"redfish_address": "bmc", "redfish_system_id": "/redfish/v1/Systems/1", **more}
    api.enrol(driver="redfish", driver_info=info)
    api("PATCH", PATH, {"password": "p"})
    assert api("GET", "/v1/nodes/n/management/boot_device") == (
        500,
        f"Redfish exception occurred. Error: HTTP {request_line} returned code 401. "
        f"Base.1.0.GeneralError: {reason} Extended information: [{{'@odata.type': "
        "'/redfish/v1/$metadata#Message.1.0.0.Message', 'MessageId': 'Base.1.0.GeneralError'}]",
    )


def test_a_machine_that_is_stuck_stays_off(api):
    api.enrol(**IPMI)
    api.provision("manage")
    api("PATCH", PATH, {"power_stuck": True})
    api("PUT", "/v1/nodes/n/states/power", {"target": "power on"})
    api.clock.advance(59)
    assert api.node()["target_power_state"] == "power on"
    api.clock.advance(1)
    node = api.node()
    assert (node["power_state"], node["target_power_state"]) == ("power off", None)
    assert node["last_error"] == (
        "Failed to change power state to 'power on' by 'power on': Failed to set node power state "
        "to power on."
    )


def test_parts_that_fail_answer_with_errors(api):
    api.enrol(**REDFISH)
    api("PATCH", PATH, {"failing": ["boot_device", "bios"]})
    api.provision("manage")
    assert api.state() == "manageable"
    assert api("GET", "/v1/nodes/n/bios") == (200, {"bios": []})
    status, text = api("GET", "/v1/nodes/n/management/boot_device")
    assert status == 500
    assert text.startswith("Redfish exception occurred.")
    assert api("GET", "/v1/nodes/n/vmedia")[0] == 200


def test_machines_are_in_seeds(api):
    state = {"power_state": "power on", "bios": {"BootMode": "Bios"}, "password": "p"}
    node = {"name": "n", **REDFISH, "machine": state}
    assert api("POST", "/_fake/seed", {"nodes": [node]})[0] == 201
    assert machine(api)["bios"] == {"BootMode": "Bios"}
    assert api("GET", "/_fake/seed")[1]["nodes"][0]["machine"] == state
    api.provision("manage")
    (setting,) = api("GET", "/v1/nodes/n/bios")[1]["bios"]
    assert (api.node()["power_state"], setting["value"]) == ("power on", "Bios")
