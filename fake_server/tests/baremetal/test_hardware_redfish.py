"""Redfish: BIOS settings that don't last, what inspection notes, and what ramdisks boot from."""

from __future__ import annotations

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.hardware_nodes import (
    APPLY,
    DRIVER_INFO,
    MACHINE,
    clean,
    managed,
)


def test_settings_that_do_not_last_fail_the_step():
    api = managed()
    api("PUT", "/_fake/delays", {"transitions": {"heartbeat": 60}})
    # With an agent nobody asks the controller until the agent is back.
    clean(api, APPLY, {"interface": "deploy", "step": "erase_devices_metadata"})
    api.clock.advance(60)
    assert "redfish_bios_state" in api.node()["driver_internal_info"]
    bios = api("GET", MACHINE)[1]["bios"]
    assert bios["ProcTurboMode"] == "Disabled"
    changed = {**bios, "ProcTurboMode": "Enabled"}
    assert api("PATCH", MACHINE, {"bios": changed})[0] == 200
    api.clock.advance(60)
    node = api.node()
    assert node["provision_state"] == "clean failed"
    assert "redfish_bios_state" not in node["driver_internal_info"]
    assert (
        "Redfish BIOS apply_configuration step failed. Attributes {'ProcTurboMode': 'Disabled'} "
        "are not updated."
    ) in node["last_error"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "boot_mode:uefi"),
        ("cpu_vt:true", "boot_mode:uefi,cpu_vt:true"),
        ("boot_mode:bios", "boot_mode:bios"),
    ],
)
def test_inspection_notes_the_boot_mode_unless_one_is_set(before, after):
    api = managed()
    if before:
        api.patch("properties/capabilities", before)
    api.provision("inspect")
    assert api.state() == "manageable"
    assert api.node()["properties"]["capabilities"] == after


@pytest.mark.parametrize(
    ("boot", "expected"),
    [
        ("redfish-virtual-media", "cdrom"),
        # What is booted over HTTP is the network to a Redfish machine.
        ("redfish-https", "pxe"),
        ("ipxe", "pxe"),
    ],
)
def test_a_ramdisk_is_booted_each_time(boot, expected):
    api = Api(hardware_types=tuple(TYPES), interfaces={})
    api.enrol(
        driver="redfish",
        driver_info=DRIVER_INFO["redfish"],
        boot_interface=boot,
        deploy_interface="ramdisk",
        instance_info={"boot_iso": "http://images/live.iso"},
    )
    api("POST", "/v1/ports", {"node_uuid": api.node()["uuid"], "address": "52:54:00:aa:00:01"})
    api.provision("manage", "provide", "active")
    assert api.state() == "active"
    assert api("GET", "/v1/nodes/n/management/boot_device")[1] == {
        "boot_device": expected,
        "persistent": True,
    }
