"""What machines boot from: over the network, from virtual media, and from their disk."""

from __future__ import annotations

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests.baremetal.api import Api

IMAGES = {
    f"{purpose}_{name}": f"http://images/{name}"
    for purpose in ("deploy", "rescue")
    for name in ("kernel", "ramdisk")
}
ADDRESSES = {"redfish": {"redfish_address": "bmc"}, "ipmi": {"ipmi_address": "bmc"}}
IMAGE = {"image_source": "http://images/i.raw", "image_checksum": "a" * 32}


def available(driver, boot):
    api = Api(hardware_types=tuple(TYPES), interfaces={}, agent="simulated")
    uuid = api.enrol(
        driver=driver,
        driver_info={**ADDRESSES[driver], **IMAGES},
        boot_interface=boot,
        rescue_interface="agent",
        instance_info=IMAGE,
    )
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:aa:00:01"})
    api.provision("manage", "provide")
    assert api.state() == "available"
    api("PUT", "/_fake/delays", {"transitions": {"heartbeat": 60}})
    return api


def until(api, state):
    for _ in range(9):
        if api.state() == state:
            return
        api.clock.advance(60)
    raise AssertionError(api.node()["last_error"])


def test_the_image_of_the_agent_is_inserted_as_long_as_it_runs():
    api = available("redfish", "redfish-virtual-media")
    api.provision("active")
    (drive, _) = api("GET", "/v1/nodes/n/vmedia")[1]
    assert drive["inserted"] is True
    assert drive["image"].endswith(f"/redfish/boot-{api.node()['uuid']}.iso")
    assert api.node()["driver_internal_info"]["vmedia_transport_protocol"] == "HTTP"
    until(api, "active")
    assert [item["inserted"] for item in api("GET", "/v1/nodes/n/vmedia")[1]] == [False, False]


def test_a_deployment_fails_without_virtual_media():
    api = available("redfish", "redfish-virtual-media")
    api("PATCH", "/_fake/machines/n", {"failing": ["media"]})
    api.provision("active")
    node = api.node()
    assert node["provision_state"] == "deploy failed"
    assert node["last_error"].startswith("Failed to prepare to deploy: Redfish exception occurred.")


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
        driver_info={**ADDRESSES["redfish"], **IMAGES},
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
