"""What becomes of machines of each hardware type when they are managed.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.baremetal.models.machines import PARTS
from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api

MACHINE = "/_fake/machines/n"
RECORD = Path(__file__).with_name("machines.json.gz")
IMAGES = dict.fromkeys(("deploy_kernel", "deploy_ramdisk"), "http://192.0.2.1/x")
ADDRESSES = {
    "redfish": {"redfish_address": "192.0.2.9", "redfish_username": "u", "redfish_password": "p"},
    "ipmi": {"ipmi_address": "192.0.2.9", "ipmi_username": "u", "ipmi_password": "p"},
    "snmp": {"snmp_driver": "apc", "snmp_address": "192.0.2.9", "snmp_outlet": 1},
    "irmc": {"irmc_address": "192.0.2.9", "irmc_username": "u", "irmc_password": "p"},
}
DEVICES = (
    "pxe",
    "disk",
    "cdrom",
    "bios",
    "safe",
    "wanboot",
    "uefihttp",
    "iscsiboot",
    "floppy",
    "x",
)
MEDIUM = {"device_type": "cdrom", "image_url": "http://192.0.2.1/i.iso"}
REQUESTS = (
    *(
        ("PUT", "management/boot_device", {"boot_device": device, "persistent": persistent})
        for device in DEVICES
        for persistent in (True, False)
    ),
    ("GET", "management/boot_device/supported"),
    *(("PUT", "states/boot_mode", {"target": mode}) for mode in ("uefi", "bios", "x", "uefi")),
    *(("PUT", "states/secure_boot", {"target": wanted}) for wanted in (True, False, "x", True)),
    ("PUT", "states/boot_mode", {"target": "bios"}),
    ("PUT", "states/secure_boot", {"target": True}),
    *(
        ("PUT", "states/power", {"target": target, "timeout": 60})
        for target in ("power on", "rebooting", "soft rebooting", "soft power off", "power on")
    ),
    ("PUT", "states/power", {"target": "power off"}),
    ("PUT", "management/inject_nmi", {}),
    ("GET", "management/indicators"),
    *(
        ("PUT", f"management/indicators/{name}", {"state": state})
        for name in ("led@system", "led@chassis", "led@disk", "indicator@system")
        for state in ("ON", "OFF", "BLINKING", "x")
    ),
    ("POST", "vmedia", MEDIUM),
    ("POST", "vmedia", MEDIUM),
    ("POST", "vmedia", {**MEDIUM, "device_type": "usb"}),
    ("GET", "vmedia"),
    ("DELETE", "vmedia?device_types=floppy"),
    ("DELETE", "vmedia"),
    ("PUT", "states/console", {"enabled": True}),
    ("GET", "states/console"),
    ("PUT", "states/console", {"enabled": False}),
    ("GET", "bios?detail=true"),
    ("GET", "firmware"),
    ("GET", "validate"),
    ("GET", "vendor_passthru/methods"),
    ("PUT", "states/provision", {"target": "inspect"}),
    ("GET", "inventory"),
)
SHOWN = (
    *(
        "provision_state",
        "power_state",
        "boot_mode",
        "secure_boot",
        "console_enabled",
        "last_error",
    ),
    *("properties", "raid_config", "vendor", "driver_internal_info"),
)
_OWN = re.compile(
    f"{recorded.UUID}|{recorded.TIME}"
    r"|([0-9a-f]{2}:){5}[0-9a-f]{2}"
)


class Managed:
    """A node of a hardware type, and its machine."""

    def __init__(self, driver):
        self._api = Api(hardware_types=tuple(TYPES), interfaces={}, agent="external")
        known = next((info for name, info in ADDRESSES.items() if name in driver), {})
        if driver in ("idrac", "ilo", "ilo5"):
            known = ADDRESSES["redfish"]
        self._uuid = self._api.enrol(driver=driver, driver_info={**known, **IMAGES})
        self._seen = {}
        self.begin = self._api.provision("manage")

    def fail(self, parts):
        """Let parts of the machine fail."""
        assert self._api("PATCH", MACHINE, {"failing": parts})[0] == 200

    def ask(self, method, path, *body):
        """Send a request and return the answer, and what it changed."""
        answer = self._api(method, f"/v1/nodes/n/{path}", *body)
        self._api.clock.advance(90)
        node = self._api.node()
        found = {name: node.get(name) for name in SHOWN}
        found["device"] = self._api("GET", "/v1/nodes/n/management/boot_device")
        found["machine"] = self._api("GET", MACHINE)
        text = json.dumps([list(answer), found], sort_keys=True).replace(self._uuid, "UUID")
        said, after = json.loads(_OWN.sub("-", text))
        changed = {name: value for name, value in after.items() if self._seen.get(name) != value}
        self._seen = after
        return [said, changed]


@pytest.mark.parametrize(
    ("driver", "failing"),
    [
        *((driver, "nothing") for driver in TYPES),
        *((driver, "all parts") for driver in TYPES if driver != "fake-hardware"),
    ],
)
def test_machines_do_as_recorded(driver, failing, request):
    managed = Managed(driver)
    found = {"manage": managed.begin}
    if failing == "all parts":
        managed.fail(PARTS)
    for number, asked in enumerate(REQUESTS):
        found[f"{number} {asked}"] = managed.ask(*asked)
    recorded.check(request, RECORD, f"{driver}, {failing} failing", found)
