"""What the agent is booted from: images of the node, of its architecture, or of the conductor."""

import pytest

from fake_server.tests.baremetal.api import Api

INTERFACES = {"boot": ("ipxe", "redfish-virtual-media"), "deploy": ("direct",)}
PAIR = {"deploy_kernel": "k", "deploy_ramdisk": "r"}
BY_ARCHITECTURE = {
    "deploy_kernel_by_arch": {"x86_64": "k"},
    "deploy_ramdisk_by_arch": {"x86_64": "r"},
}
BOTH = "['deploy_kernel', 'deploy_ramdisk']"


def validated(info, **settings):
    """Return what validation says of the boot interface of a node with this driver_info."""
    api = Api(interfaces=INTERFACES, **settings)
    redfish = {"redfish_address": "a"}
    uuid = api.enrol(
        driver="redfish", driver_info=redfish | info, properties={"cpu_arch": "x86_64"}
    )
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})
    found = api("GET", "/v1/nodes/n/validate")[1]["boot"]
    return True if found["result"] else found["reason"].partition("Missing are: ")[2]


@pytest.mark.parametrize(
    ("info", "settings", "expected"),
    [
        ({}, {"agent": "none"}, BOTH),
        (PAIR, {"agent": "none"}, True),
        ({"deploy_kernel": "k"}, {"agent": "none"}, BOTH),
        ({}, {"agent": "none", **PAIR}, True),
        ({}, {"agent": "none", "deploy_kernel": "k"}, "['deploy_ramdisk']"),
        ({"deploy_ramdisk": "r"}, {"agent": "none", "deploy_kernel": "k"}, "['deploy_ramdisk']"),
        ({}, {"agent": "none", **BY_ARCHITECTURE}, True),
        ({}, {"agent": "none", "deploy_kernel_by_arch": {"x86_64": "k"}}, BOTH),
        ({}, {"agent": "none", "deploy_kernel_by_arch": {"arm": "k"}, **PAIR}, True),
        ({}, {"agent": "simulated"}, True),
        ({}, {"agent": "simulated", "deploy_kernel": ""}, "['deploy_kernel']"),
    ],
)
def test_what_a_node_lacks_comes_from_the_conductor(info, settings, expected):
    assert validated(info, **settings) == expected


@pytest.mark.parametrize("cpu_arch", [["x86_64"], {"x": 1}, 7, None])
def test_an_odd_architecture_has_no_images(cpu_arch):
    api = Api(interfaces=INTERFACES, agent="none", **BY_ARCHITECTURE)
    api.enrol(
        driver="redfish",
        boot_interface="redfish-virtual-media",
        driver_info={"redfish_address": "a"},
        properties={"cpu_arch": cpu_arch},
    )
    assert BOTH in api("GET", "/v1/nodes/n/validate")[1]["boot"]["reason"]


@pytest.mark.parametrize(
    ("info", "properties", "settings", "state"),
    [
        ({}, {}, {}, "clean failed"),
        ({"bootloader": "b"}, {}, {}, "clean wait"),
        ({"deploy_iso": "i"}, {}, {}, "clean wait"),
        ({}, {}, {"bootloader": "b"}, "clean wait"),
        ({}, {"cpu_arch": "x86_64"}, {"bootloader_by_arch": {"x86_64": "b"}}, "clean wait"),
        ({}, {"cpu_arch": "arm"}, {"bootloader_by_arch": {"x86_64": "b"}}, "clean failed"),
        ({}, {"capabilities": "boot_mode:bios"}, {}, "clean wait"),
    ],
)
def test_virtual_media_by_uefi_need_a_boot_loader(info, properties, settings, state):
    api = Api(interfaces=INTERFACES, agent="external", automated_clean=True, **PAIR, **settings)
    api.enrol(
        driver="redfish",
        boot_interface="redfish-virtual-media",
        driver_info={"redfish_address": "a", **info},
        properties=properties,
    )
    api.provision("manage", "provide")
    node = api.node()
    assert node["provision_state"] == state
    refused = "Neither deploy ISO nor ESP image configured" in (node["last_error"] or "")
    assert refused == (state == "clean failed")
