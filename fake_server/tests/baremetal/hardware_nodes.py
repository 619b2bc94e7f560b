"""Nodes of real hardware types, for tests of their steps."""

from __future__ import annotations

from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests.baremetal.api import Api

IMAGES = {f"deploy_{name}": f"http://images/{name}" for name in ("kernel", "ramdisk")}
DRIVER_INFO = {
    "redfish": {"redfish_address": "bmc.example", **IMAGES},
    "idrac": {"redfish_address": "bmc.example", **IMAGES},
    "ipmi": {"ipmi_address": "bmc.example", **IMAGES},
    "intel-ipmi": {"ipmi_address": "bmc.example", **IMAGES},
}
MACHINE = "/_fake/machines/n"
SLOW = {"name": "ProcTurboMode", "value": "Disabled"}
APPLY = {"interface": "bios", "step": "apply_configuration", "args": {"settings": [SLOW]}}
RESET = {"interface": "bios", "step": "factory_reset"}
DISKS = [
    {"size_gb": 10, "raid_level": "1", "is_root_volume": True, "volume_name": "root"},
    {"size_gb": 20, "raid_level": "0"},
]


def managed(driver="redfish", delay=0, **fields):
    api = Api(hardware_types=tuple(TYPES), interfaces={}, agent="simulated", delay=0)
    uuid = api.enrol(driver=driver, driver_info=DRIVER_INFO[driver], **fields)
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:aa:00:01"})
    api.provision("manage")
    assert api.state() == "manageable"
    if delay:
        api("PUT", "/_fake/delays", {"transitions": {"hardware": delay}})
    return api


def clean(api, *wanted, **options):
    assert api.provision("clean", clean_steps=list(wanted), **options) == (202, None)
    return api.node()


def drives(api, count):
    api("PATCH", MACHINE, {"drives": {f"d{number}": 100 for number in range(1, count + 1)}})


def target(api, *disks):
    assert api("PUT", "/v1/nodes/n/states/raid", {"logical_disks": list(disks)}) == (204, None)


def raid(step, **args):
    return {"interface": "raid", "step": step, **({"args": args} if args else {})}


def built(api):
    return api.node()["raid_config"].get("logical_disks")
