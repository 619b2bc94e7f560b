"""What controllers of machines are asked, what they answer, and what is said when they fail.

Recorded from the fake server, so that no change goes unnoticed.
"""

from __future__ import annotations

import re

import pytest

from fake_server.baremetal.models.machines import PARTS
from fake_server.tests.baremetal.facts import by_fact
from fake_server.tests.baremetal.hardware_nodes import MACHINE, drives, managed

pytestmark = pytest.mark.rows

PASSWORDS = {"redfish_password": "other", "ipmi_password": "other"}
TROUBLES = {
    "none": {},
    "not reachable": {"reachable": False},
    "a password": {"password": "s3cret"},
    **{f"failing {part}": {"failing": [part]} for part in PARTS},
}
# Parts that steps alone need are for the tests of steps.
ASKED = {
    "redfish": ["none", "not reachable", "failing power", "failing media"],
    "ipmi": ["none"],
}
HOOK = "https://192.0.2.7/hook"
SUBSCRIPTIONS = "create_subscription"
CALLS = (
    *(
        ("POST", SUBSCRIPTIONS, body)
        for body in (
            *({}, {"Destination": HOOK}, {"Destination": "x"}, {"Destination": 5}),
            *({"Destination": HOOK, "Context": value} for value in ("c", 5)),
            *({"Destination": HOOK, "Protocol": value} for value in ("SNMP", 5)),
            *({"Destination": HOOK, "HttpHeaders": value} for value in ([], [{"a": "b"}], "x")),
            *({"Destination": HOOK, "EventTypes": value} for value in ([], ["Alert"])),
            *([], None),
        )
    ),
    *(("POST", "eject_vmedia", {"boot_device": value}) for value in ("cd", "CD", "x", None)),
    ("POST", "eject_vmedia", {}),
    *(("GET", name, None) for name in ("get_all_subscriptions", "get_subscription", "x", "")),
    *(("GET", "get_subscription", {"id": value}) for value in ("1", 1, "2")),
    *(("DELETE", "delete_subscription", {"id": value}) for value in ("1", "2", None)),
    ("DELETE", "delete_subscription", None),
    ("GET", SUBSCRIPTIONS, {"Destination": HOOK}),
    ("PUT", SUBSCRIPTIONS, {"Destination": HOOK}),
    ("POST", "delete_subscription", {"id": "1"}),
    *(("POST", "bmc_reset", {"warm": value}) for value in (True, "x", None)),
    ("POST", "bmc_reset", {}),
    *(("POST", "send_raw", {"raw_bytes": value}) for value in ("0x00 0x01", "", 5)),
    ("POST", "send_raw", {}),
    ("GET", "bmc_reset", {}),
)
REQUESTS = (
    *(
        ("PUT", "management/boot_device", {"boot_device": device, **more})
        for device in ("pxe", "x")
        for more in ({}, {"persistent": True})
    ),
    ("GET", "management/boot_device", None),
    *(
        ("PUT", f"management/indicators/{name}", {"state": state})
        for name in ("{system}@system", "x@system", "1:d1@disk", "x@x")
        for state in ("on", "x")
    ),
    *(("GET", f"management/indicators/{name}", None) for name in ("1:d1@disk", "x@disk", "disk")),
    ("GET", "management/indicators", None),
    *(("PUT", "states/boot_mode", {"target": mode}) for mode in ("bios", "uefi", "x", None)),
    *(("PUT", "states/secure_boot", {"target": wanted}) for wanted in (True, False, None)),
    *(("PUT", "states/power", {"target": target}) for target in ("power on", "power off", "x")),
    ("PUT", "states/power", {"target": "soft rebooting", "timeout": 1}),
    ("PUT", "management/inject_nmi", {}),
    *(
        ("POST", "vmedia", {"device_type": device, "image_url": url})
        for device in ("cdrom", "x")
        for url in ("http://192.0.2.1/i", "x", "http://[x", "ftp://192.0.2.1/i")
    ),
    ("GET", "vmedia", None),
    *(("DELETE", f"vmedia{query}", None) for query in ("", "?device_types=cdrom")),
    ("PUT", "states/console", {"enabled": True}),
    ("PUT", "states/provision", {"target": "inspect"}),
    ("PUT", "states/provision", {"target": "adopt"}),
)


def step(interface, name, **args):
    return {"interface": interface, "step": name, "args": args}


def disk(**fields):
    return {"size_gb": 50, "raid_level": "1", **fields}


SELECT = "configure_intel_speedselect"
STEPS = (
    *(
        step("management", "set_bmc_clock", target_datetime=value)
        for value in ("x", 5, "2026-11-22")
    ),
    *(step("management", name) for name in ("set_bmc_clock", "reset_secure_boot_keys_to_default")),
    *(
        step("management", "update_firmware", firmware_images=value)
        for value in (
            *([], {}, [{}], [{"url": "u"}], [{"url": "u", "checksum": ""}], "x"),
            *([{"url": "u", "checksum": "c", "wait": value}] for value in (0, 1, "1")),
            *([{"url": "u", "checksum": "c", "source": value}] for value in ("http", "ftp")),
            [{"url": "u", "checksum": "c", "colour": "red"}],
        )
    ),
    *(step("management", name) for name in ("clear_job_queue", "known_good_state", "reset_idrac")),
    step("raid", "delete_configuration"),
    step("raid", "create_configuration"),
    *(
        step("raid", "apply_configuration", raid_config={"logical_disks": disks})
        for disks in (
            *([], [disk()], [disk(size_gb="MAX")], [disk(size_gb="MAX", physical_disks=["d1"])]),
            *(
                [disk(size_gb="MAX", physical_disks=["d1", "d2"], controller="1")],
                [disk(size_gb=0)],
            ),
            *([disk(size_gb=value)] for value in (1, 100, 101)),
            *([disk(raid_level=value)] for value in ("0", "2", "5", "1+0", "x")),
            *([disk(number_of_physical_disks=value)] for value in (1, 2, 3)),
            [disk(), disk(share_physical_disks=True)],
            [disk(share_physical_disks=True), disk(share_physical_disks=True, size_gb=51)],
            [disk(physical_disks=["d9", "d1"])],
        )
    ),
    step("vendor", "send_raw", raw_bytes="0x00"),
    *(
        step("management", SELECT, **args)
        for args in (
            *({"intel_speedselect_config": value} for value in ("0x00", "0x02", "0x03", None)),
            *(
                {"intel_speedselect_config": "0x01", "socket_count": value}
                for value in (0, 1, 2, "1", "x", None, -1)
            ),
        )
    ),
)
SHOWN = ("provision_state", "power_state", "last_error", "boot_mode", "secure_boot")
SHOWN += ("maintenance", "fault", "health", "raid_config", "properties", "console_enabled")
_OWN = re.compile(r"([0-9a-f]{2}:){5}[0-9a-f]{2}|(?<='serial_number': ')\w+")


class Lab:
    """A managed machine with a controller.

    :param changes: what isn't as usual of the machine.
    """

    def __init__(self, driver, changes=()):
        self.api = managed(driver)
        drives(self.api, 2)
        if "password" in changes:
            info = {**self.api.node()["driver_info"], **PASSWORDS}
            assert self.api.patch("driver_info", info)[0] == 200
        self._uuid = self.api.node()["uuid"]
        if driver == "redfish":
            body = {"Destination": HOOK}
            path = f"/v1/nodes/n/vendor_passthru?method={SUBSCRIPTIONS}"
            assert self.api("POST", path, body)[0] == 200
        assert self.api("PATCH", MACHINE, dict(changes))[0] == 200
        self.api.keep()
        self._before = self._looked_at()

    def outcome(self, method, path, body=None):
        """Return the answer to a request, and what it changed."""
        path = path.replace("{system}", self._uuid)
        status, said = self.api(method, f"/v1/nodes/n/{path}", body)
        self.api.clock.advance(200)
        after = self._looked_at()
        changed = [f"{n}={after[n]}" for n in after if after[n] != self._before.get(n)]
        self.api.go_back()
        shown = [f"{status} {said if said is not None else ''}".rstrip(), *changed]
        return [_OWN.sub("-", fact.replace(self._uuid, "UUID")) for fact in shown]

    def _looked_at(self):
        node = self.api.node()
        machine = self.api("GET", MACHINE)[1]
        return {**{name: node[name] for name in SHOWN}, **machine}


def named(method, path, body=None):
    values = body.values() if isinstance(body, dict) and "/" in path else (body,)
    shown = " ".join(str(value) for value in values if body is not None)
    path = path.removeprefix("management/").removeprefix("states/")
    return f"{path if method in ('PUT', 'POST') else f'{method} {path}'} {shown}".rstrip()


@pytest.mark.parametrize("driver", ASKED)
def test_requests_are_passed_on_as_recorded(recorded, driver):
    usual = {}
    for trouble in ASKED[driver]:
        lab = Lab(driver, TROUBLES[trouble])
        found = {named(*asked): lab.outcome(*asked) for asked in REQUESTS}
        # In trouble, only what is unlike the usual.
        other = {asked: said for asked, said in found.items() if said != usual.get(asked)}
        recorded(by_fact(other), trouble)
        usual = usual or found


@pytest.mark.parametrize("driver", ["redfish", "ipmi"])
def test_vendors_have_methods_as_recorded(recorded, driver):
    lab = Lab(driver)
    found = {
        named(method, name, body): lab.outcome(method, f"vendor_passthru?method={name}", body)
        for method, name, body in CALLS
    }
    recorded(by_fact(found))


@pytest.mark.parametrize("driver", ["redfish", "intel-ipmi"])
def test_steps_do_as_recorded(recorded, driver):
    lab = Lab(driver)
    found = {}
    for one in STEPS:
        body = {"target": "clean", "clean_steps": [one]}
        name = f"{one['step']} {one['args'] or ''}".rstrip()
        found[name] = lab.outcome("PUT", "states/provision", body)
    recorded(by_fact(found))


@pytest.mark.parametrize(("address", "kind"), [("http://a", "auto"), ("a", "basic")])
def test_addresses_are_in_errors_as_recorded(recorded, address, kind):
    info = {"redfish_address": address, "redfish_auth_type": kind, "redfish_system_id": "/s/one"}
    found = {}
    for trouble in ("not reachable", "a password", "failing boot_device"):
        api = managed()
        assert api.patch("driver_info", {**info, "redfish_password": "other"})[0] == 200
        api("PATCH", MACHINE, TROUBLES[trouble])
        said = api("GET", "/v1/nodes/n/management/boot_device")
        found[trouble] = repr(said).replace(api.node()["uuid"], "UUID")[:160]
    recorded(found)
