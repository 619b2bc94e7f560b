"""Simulated machines behind nodes of ``redfish``, ``idrac`` and ``ipmi``."""

from __future__ import annotations

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests.baremetal.api import Api

DRIVER_INFO = {
    "redfish": {"redfish_address": "bmc.example", "redfish_password": "right"},
    "idrac": {"redfish_address": "bmc.example", "redfish_password": "right"},
    "ipmi": {"ipmi_address": "bmc.example", "ipmi_password": "right"},
}


@pytest.fixture
def api():
    return Api(hardware_types=tuple(TYPES), interfaces={})


def managed(api, driver="redfish"):
    uuid = api.enrol(driver=driver, driver_info=DRIVER_INFO[driver])
    api.provision("manage")
    assert api.state() == "manageable"
    return uuid


def power(api, target):
    assert api("PUT", "/v1/nodes/n/states/power", {"target": target}) == (202, None)
    return api.node()["power_state"]


def test_machines_of_two_nodes_have_addresses_of_their_own(api):
    for name in ("n", "m"):
        api.enrol(name, driver="redfish", driver_info=DRIVER_INFO["redfish"])
        api.provision("manage", "inspect", ident=name)
    assert len(api("GET", "/v1/ports")[1]["ports"]) == 2


def test_a_serial_console_is_on_a_port_of_the_conductor(api):
    managed(api, "ipmi")
    api.patch("driver_info/ipmi_terminal_port", 8023)
    assert api("PUT", "/v1/nodes/n/states/console", {"enabled": True}) == (202, None)
    assert api("GET", "/v1/nodes/n/states/console")[1] == {
        "console_enabled": True,
        "console_info": {"type": "socat", "url": "tcp://localhost:8023"},
    }


def test_a_machine_goes_with_its_node(api):
    uuid = managed(api)
    power(api, "power on")
    assert api("DELETE", "/v1/nodes/n")[0] == 204
    api.enrol(uuid=uuid, driver="redfish", driver_info=DRIVER_INFO["redfish"])
    api.provision("manage")
    assert api.node()["power_state"] == "power off"


def clean(api, interface, step, settings=None, **options):
    wanted = {"interface": interface, "step": step}
    if settings is not None:
        wanted["args"] = {"settings": settings}
    answer = api.provision("clean", clean_steps=[wanted], **options)
    assert answer == (202, None)
    return api.node()


def bios(api):
    return {item["name"]: item["value"] for item in api("GET", "/v1/nodes/n/bios")[1]["bios"]}


def test_bios_settings_with_wrong_values_are_refused(api):
    uuid = managed(api)
    settings = [{"name": "ProcTurboMode", "value": "banana"}]
    node = clean(api, "bios", "apply_configuration", settings)
    assert (node["provision_state"], node["maintenance"]) == ("clean failed", True)
    assert node["last_error"] == (
        f"Node {uuid} failed step {{'interface': 'bios', 'step': 'apply_configuration', 'args': "
        "{'settings': [{'name': 'ProcTurboMode', 'value': 'banana'}]}, 'abortable': False, "
        f"'priority': 0}}: Redfish BIOS apply_configuration failed for node {uuid}: invalid value "
        "for setting(s): ProcTurboMode"
    )


def test_a_machine_takes_settings_that_it_did_not_have(api):
    managed(api)
    clean(api, "bios", "apply_configuration", [{"name": "Fan", "value": "fast"}])
    assert bios(api)["Fan"] == "fast"
    assert api("GET", "/v1/nodes/n/bios/Fan")[1]["Fan"]["attribute_type"] == "String"


def test_firmware_needs_a_ramdisk_to_be_cleaned(api):
    managed(api)
    settings = [{"component": "bmc", "url": "http://images/bmc.bin"}]
    node = clean(api, "firmware", "update", settings, disable_ramdisk=True)
    assert node["provision_state"] == "clean failed"
    assert "requires booting a ramdisk" in node["last_error"]
