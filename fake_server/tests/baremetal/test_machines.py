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
CHASSIS = "15693887-7984-9484-3272-842188918912"


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


@pytest.mark.parametrize("driver", ["redfish", "idrac"])
def test_managing_a_node_reads_what_its_controller_knows(api, driver):
    managed(api, driver)
    node = api.node()
    assert (node["power_state"], node["boot_mode"], node["secure_boot"]) == (
        "power off",
        "uefi",
        False,
    )
    assert node["properties"] == {"vendor": "Sushy Emulator"}
    settings = api("GET", "/v1/nodes/n/bios")[1]["bios"]
    assert {item["name"]: item["value"] for item in settings}["BootMode"] == "Uefi"
    setting = api("GET", "/v1/nodes/n/bios/BootMode")[1]["BootMode"]
    assert (setting["attribute_type"], setting["allowable_values"]) == (
        "Enumeration",
        ["Bios", "Uefi"],
    )
    (component,) = api("GET", "/v1/nodes/n/firmware")[1]["firmware"]
    assert (component["component"], component["current_version"]) == ("bmc", "1.00")


def test_ipmi_knows_the_power_state_only(api):
    managed(api, "ipmi")
    node = api.node()
    assert (node["power_state"], node["boot_mode"]) == ("power off", None)
    assert node["properties"] == {"vendor": "unknown"}


def test_the_boot_device_of_an_ipmi_machine(api):
    managed(api, "ipmi")
    path = "/v1/nodes/n/management/boot_device"
    assert api("GET", path) == (200, {"boot_device": None, "persistent": False})
    assert api("PUT", path, {"boot_device": "safe"}) == (204, None)
    assert api("GET", path) == (200, {"boot_device": "safe", "persistent": False})
    assert api("PUT", path, {"boot_device": "uefihttp"}) == (
        400,
        "Invalid boot device uefihttp specified.",
    )


@pytest.mark.parametrize("driver", ["redfish", "ipmi"])
def test_power_actions_reach_the_machine(api, driver):
    managed(api, driver)
    assert power(api, "power on") == "power on"
    assert power(api, "soft rebooting") == "power on"
    assert power(api, "soft power off") == "power off"
    assert power(api, "rebooting") == "power on"


def test_the_boot_device_of_a_redfish_machine(api):
    managed(api)
    path = "/v1/nodes/n/management/boot_device"
    assert api("GET", path) == (200, {"boot_device": "disk", "persistent": True})
    assert api("PUT", path, {"boot_device": "cdrom"}) == (204, None)
    assert api("GET", path) == (200, {"boot_device": "cdrom", "persistent": True})
    assert api("PUT", path, {"boot_device": "safe"})[0] == 400
    status, text = api("PUT", path, {"boot_device": "bios"})
    assert status == 500
    assert "Redfish set boot device failed for node" in text
    assert api("GET", f"{path}/supported")[1]["supported_boot_devices"] == [
        "pxe",
        "disk",
        "cdrom",
        "bios",
        "uefihttp",
    ]


def test_indicators_are_switched(api):
    uuid = managed(api)
    path = "/v1/nodes/n/management/indicators"
    names = [item["name"] for item in api("GET", path)[1]["indicators"]]
    assert names == [f"{CHASSIS}@chassis", f"{uuid}@system", "1:d1@disk"]
    assert api("GET", f"{path}/{CHASSIS}@chassis") == (200, {"state": "on"})
    assert api("PUT", f"{path}/{CHASSIS}@chassis", {"state": "blinking"}) == (204, None)
    assert api("GET", f"{path}/{CHASSIS}@chassis") == (200, {"state": "blinking"})
    assert api("GET", f"{path}/{uuid}@system") == (200, {"state": "on"})
    assert api("PUT", f"{path}/{CHASSIS}@chassis", {"state": "bogus"})[0] == 400
    assert api("GET", f"{path}/foo@system") == (
        400,
        f"Unknown indicator foo for component system of node {uuid}",
    )


def test_boot_mode_and_secure_boot(api):
    uuid = managed(api)
    assert api("PUT", "/v1/nodes/n/states/secure_boot", {"target": True})[0] == 202
    assert api.node()["secure_boot"] is True
    api("PUT", "/v1/nodes/n/states/secure_boot", {"target": False})
    api("PUT", "/v1/nodes/n/states/boot_mode", {"target": "bios"})
    assert api.node()["boot_mode"] == "bios"
    api("PUT", "/v1/nodes/n/states/secure_boot", {"target": True})
    assert api.node()["last_error"] == (
        "Failed to change secure_boot state to 'True': Redfish exception occurred. Error: "
        f"Configuring secure boot requires UEFI for node {uuid}"
    )


def test_virtual_media_are_attached_and_detached(api):
    uuid = managed(api)
    path = "/v1/nodes/n/vmedia"
    empty = [
        {"media_types": ["CD", "DVD"], "inserted": False, "image": ""},
        {"media_types": ["Floppy", "USBStick"], "inserted": False, "image": ""},
    ]
    assert api("GET", path) == (200, empty)
    for device in ("cdrom", "floppy"):
        medium = {"device_type": device, "image_url": "http://images/x.iso"}
        assert api("POST", path, medium) == (204, None)
    images = [item["image"].rpartition("/")[2] for item in api("GET", path)[1]]
    assert images == [f"cdrom-{uuid}.iso", f"floppy-{uuid}.img"]
    assert api("DELETE", f"{path}?device_types=cdrom") == (204, None)
    assert [item["inserted"] for item in api("GET", path)[1]] == [False, True]
    api("DELETE", path)
    assert api("GET", path) == (200, empty)


def test_inspection_by_redfish_needs_no_agent(api):
    managed(api)
    api.provision("inspect")
    node = api.node()
    assert node["provision_state"] == "manageable"
    assert node["properties"] == {
        "vendor": "Sushy Emulator",
        "memory_mb": 65536,
        "local_gb": 99,
        "capabilities": "boot_mode:uefi",
        "cpu_arch": "x86_64",
    }
    (port,) = api("GET", "/v1/ports/detail")[1]["ports"]
    assert (port["pxe_enabled"], port["node_uuid"]) == (False, node["uuid"])
    found = api("GET", "/v1/nodes/n/inventory")[1]
    assert set(found["inventory"]) == {
        "memory",
        "cpu",
        "disks",
        "storage_controllers",
        "interfaces",
        "system_vendor",
        "boot",
    }
    assert found["plugin_data"]["macs"] == [port["address"]]


def test_machines_of_two_nodes_have_addresses_of_their_own(api):
    for name in ("n", "m"):
        api.enrol(name, driver="redfish", driver_info=DRIVER_INFO["redfish"])
        api.provision("manage", "inspect", ident=name)
    assert len(api("GET", "/v1/ports")[1]["ports"]) == 2


def test_subscriptions_to_events(api):
    uuid = managed(api)
    path = "/v1/nodes/n/vendor_passthru"
    wanted = {"Destination": "https://events.example", "Context": "x"}
    created = {
        "Id": "1",
        "Context": "x",
        "Protocol": "Redfish",
        "Destination": "https://events.example",
        "EventTypes": ["Alert"],
    }
    assert api("POST", f"{path}/create_subscription", wanted) == (200, created)
    assert api("GET", f"{path}/get_subscription", {"id": "1"}) == (200, created)
    members = api("GET", f"{path}/get_all_subscriptions")[1]["Members"]
    assert members == [{"@odata.id": "/redfish/v1/EventService/Subscriptions/1"}]
    assert api("DELETE", f"{path}/delete_subscription", {"id": "1"})[0] == 200
    assert api("DELETE", f"{path}/delete_subscription", {}) == (400, "id can't be None")
    status, text = api("GET", f"{path}/get_subscription", {"id": "1"})
    assert status == 500
    assert f"Redfish get_subscription failed for subscription 1 on node {uuid}." in text
    status, text = api("DELETE", f"{path}/delete_subscription", {"id": "1"})
    assert status == 404
    assert f"Redfish delete_subscription failed for subscription 1 on node {uuid}." in text


@pytest.mark.parametrize("driver", ["redfish", "ipmi"])
def test_interrupts_reach_the_machine(api, driver):
    managed(api, driver)
    assert api("PUT", "/v1/nodes/n/management/inject_nmi", {}) == (204, None)


@pytest.mark.parametrize(
    ("method", "arguments"), [("send_raw", {"raw_bytes": "0x06 0x01"}), ("bmc_reset", {})]
)
def test_commands_to_an_ipmi_controller(api, method, arguments):
    managed(api, "ipmi")
    assert api("POST", f"/v1/nodes/n/vendor_passthru/{method}", arguments) == (202, None)
    assert api.node()["last_error"] is None


@pytest.mark.parametrize(("driver", "status"), [("redfish", 400), ("ipmi", 204)])
def test_boot_devices_by_redfish_are_persistent_or_not(api, driver, status):
    managed(api, driver)
    body = {"boot_device": "pxe", "persistent": None}
    assert api("PUT", "/v1/nodes/n/management/boot_device", body)[0] == status


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


def test_bios_settings_are_applied_and_reset_by_cleaning(api):
    managed(api)
    settings = [{"name": "ProcTurboMode", "value": "Disabled"}]
    node = clean(api, "bios", "apply_configuration", settings)
    assert (node["provision_state"], node["power_state"]) == ("manageable", "power on")
    assert bios(api)["ProcTurboMode"] == "Disabled"
    node = clean(api, "bios", "factory_reset", disable_ramdisk=True)
    assert node["provision_state"] == "manageable"
    assert bios(api)["ProcTurboMode"] == "Enabled"


def test_bios_settings_that_are_there_need_no_reboot(api):
    managed(api)
    settings = [{"name": "ProcTurboMode", "value": "Enabled"}]
    node = clean(api, "bios", "apply_configuration", settings)
    assert (node["provision_state"], node["power_state"]) == ("manageable", "power off")


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


def test_firmware_is_updated_by_servicing(api):
    managed(api)
    api.provision("adopt")
    wanted = {
        "interface": "firmware",
        "step": "update",
        "args": {"settings": [{"component": "bmc", "url": "http://images/bmc.bin"}]},
    }
    answer = api.provision("service", service_steps=[wanted], disable_ramdisk=True)
    assert answer == (202, None)
    assert (api.state(), api.node()["last_error"]) == ("active", None)
    (component,) = api("GET", "/v1/nodes/n/firmware")[1]["firmware"]
    assert [component[f"{name}_version"] for name in ("initial", "current")] == ["1.00", "1.01"]
    assert component["last_version_flashed"] == "1.01"


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ({"component": "roof", "url": "http://x"}, "'roof' is not valid under any of the given"),
        ({"component": "bmc"}, "'url' is a required property"),
    ],
)
def test_wrong_firmware_updates_are_refused(api, step, problem):
    managed(api)
    api.provision("adopt")
    wanted = {"interface": "firmware", "step": "update", "args": {"settings": [step]}}
    api.provision("service", service_steps=[wanted], disable_ramdisk=True)
    assert api.state() == "service failed"
    assert problem in api.node()["last_error"]


def test_bios_settings_that_fail(api):
    managed(api)
    api.app.control.machines.change("n", {"failing": ["bios"]})
    node = clean(api, "bios", "factory_reset")
    assert node["provision_state"] == "clean failed"
    assert "Redfish exception occurred. Error: " in node["last_error"]
