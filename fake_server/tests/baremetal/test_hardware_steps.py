"""Steps of hardware: those that wait for the machine, and what else controllers can do."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.hardware_nodes import (
    APPLY,
    MACHINE,
    RESET,
    clean,
    managed,
)


def test_a_node_waits_while_its_machine_reboots_for_bios_settings():
    api = managed(delay=60)
    node = clean(api, APPLY, disable_ramdisk=True)
    assert (node["provision_state"], node["power_state"]) == ("clean wait", "power on")
    assert node["clean_step"]["step"] == "apply_configuration"
    found = node["driver_internal_info"]
    assert found["redfish_bios_state"] == {
        "reboot_requested": True,
        "requested_bios_attrs": {"ProcTurboMode": "Disabled"},
    }
    assert (found["cleaning_reboot"], found["cleaning_polling"]) == (True, True)
    assert found["skip_current_clean_step"] is False
    api.clock.advance(59)
    assert api.state() == "clean wait"
    api.clock.advance(1)
    node = api.node()
    assert (node["provision_state"], node["last_error"]) == ("manageable", None)
    left = {"redfish_bios_state", "cleaning_polling", "cleaning_reboot"}
    assert not left & node["driver_internal_info"].keys()


def test_aborting_waits_for_a_step_that_cannot_be_aborted():
    api = managed(delay=60)
    clean(api, RESET, disable_ramdisk=True)
    assert api.provision("abort") == (202, None)
    node = api.node()
    assert (node["provision_state"], node["clean_step"]["abort_after"]) == ("clean wait", True)
    api.clock.advance(60)
    node = api.node()
    assert node["provision_state"] == "clean failed"
    assert node["last_error"] == (
        "By request, the clean operation was aborted during or after the completion of step "
        '"bios.factory_reset"'
    )


def asked_of_controller(delay, **machine):
    """Start a step that the controller takes so long for, and change the machine."""
    api = managed(delay=delay)
    clean(api, APPLY, disable_ramdisk=True)
    assert api("PATCH", MACHINE, machine)[0] == 200
    return api


def test_a_controller_that_stops_answering_is_waited_for_no_longer_than_an_agent():
    api = asked_of_controller(60, failing=["bios"])
    api.clock.advance(1799)
    assert api.state() == "clean wait"
    api.clock.advance(1)
    node = api.node()
    assert (node["provision_state"], node["maintenance"]) == ("clean failed", True)
    assert node["last_error"].startswith("Timeout reached while cleaning the node.")


def test_a_controller_that_answers_again_lets_the_step_end():
    api = asked_of_controller(60, reachable=False)
    api.clock.advance(300)
    assert api.state() == "clean wait"
    api("PATCH", MACHINE, {"reachable": True})
    api.clock.advance(60)
    assert api.state() == "manageable"


def test_a_controller_that_was_not_done_is_asked_again_after_a_minute():
    api = asked_of_controller(200, reachable=False)
    api.clock.advance(200)
    assert api.state() == "clean wait"
    api("PATCH", MACHINE, {"reachable": True})
    api.clock.advance(59)
    assert api.state() == "clean wait"
    api.clock.advance(1)
    assert api.state() == "manageable"


@pytest.mark.parametrize(
    "requests",
    [
        [("PUT", "maintenance"), ("DELETE", "maintenance")],
        [("PUT", "management/boot_device", {"boot_device": "pxe"})],
        [("PUT", "traits/CUSTOM_A")],
        [("POST", "vifs", {"id": "11111111-2222-3333-4444-555555555555"})],
    ],
)
def test_requests_do_not_put_off_the_end_of_a_step(requests):
    api = managed(delay=60)
    clean(api, APPLY, disable_ramdisk=True)
    api.clock.advance(59)
    for method, path, *body in requests:
        assert api(method, f"/v1/nodes/n/{path}", *body)[0] in {202, 204}
    api.clock.advance(1)
    assert api.state() == "manageable"


def test_an_update_of_firmware_is_waited_for():
    api = managed(delay=60)
    api.provision("adopt")
    settings = [{"component": "bmc", "url": "http://images/bmc"}]
    step = {"interface": "firmware", "step": "update", "args": {"settings": settings}}
    api.provision("service", service_steps=[step], disable_ramdisk=True)
    node = api.node()
    assert node["provision_state"] == "service wait"
    found = node["driver_internal_info"]
    (update,) = found["redfish_fw_updates"]
    assert (update["component_type"], update["wait"], update["power_timeout"]) == ("bmc", 300, 300)
    assert update["task_monitor"].startswith("/redfish/v1/")
    assert found["bmc_fw_version_before_update"] == "1.00"
    assert (found["servicing_polling"], found["servicing_reboot"]) == (True, False)
    api.clock.advance(60)
    assert (api.state(), api.node()["last_error"]) == ("active", None)
    (component,) = api("GET", "/v1/nodes/n/firmware")[1]["firmware"]
    assert component["current_version"] == "1.01"
    assert "redfish_fw_updates" not in api.node()["driver_internal_info"]


def test_a_machine_of_intel_is_deployed_with_a_profile():
    info = {"image_source": "http://images/i.raw", "image_checksum": "a" * 32}
    api = managed("intel-ipmi", instance_info=info)
    api.provision("provide", "active")
    node = api.node()
    assert node["provision_state"] == "deploy failed"
    assert (
        node["last_error"]
        == (
            "Deploy step management.configure_intel_speedselect failed: Invalid Intel SST-PP "
            "configuration value None specified. Valid values are ['0x00', '0x01', '0x02']."
        )
        + "."
    )


def test_an_update_of_the_bios_reboots_the_machine():
    api = managed()
    api.provision("adopt")
    settings = [{"component": "bios", "url": "http://images/bios"}]
    step = {"interface": "firmware", "step": "update", "args": {"settings": settings}}
    api.provision("service", service_steps=[step], disable_ramdisk=True)
    node = api.node()
    assert (node["provision_state"], node["power_state"]) == ("active", "power on")
    components = api("GET", "/v1/nodes/n/firmware")[1]["firmware"]
    assert {item["component"]: item["current_version"] for item in components} == {
        "bios": "1.01",
        "bmc": "1.00",
    }
