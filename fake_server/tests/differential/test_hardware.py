"""Nodes of all hardware types, with machines: the fake answers what a real Ironic answers.

The real one has to have all types enabled, with its controllers beside it: ``IRONIC_HARDWARE=all
oracle/real-ironic start PORT``. Without them, these tests are skipped.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.differential.pair import Pair, Request, Server

SYSTEM = "/redfish/v1/Systems/27946b59-9e44-4fa7-8e91-f3527a1ef094"
CHASSIS = "15693887-7984-9484-3272-842188918912"
ADDRESS = "redfish_address"
INTERFACES = {
    "bios": ("redfish", "idrac-redfish", "no-bios", "fake"),
    "boot": ("ipxe", "http", "redfish-virtual-media", "redfish-https", "fake"),
    "console": ("ipmitool-socat", "no-console", "fake"),
    "deploy": ("direct", "ramdisk", "noop", "fake"),
    "firmware": ("redfish", "no-firmware", "fake"),
    "inspect": ("redfish", "idrac-redfish", "agent", "no-inspect", "fake"),
    "management": ("redfish", "idrac-redfish", "ipmitool", "intel-ipmitool", "noop", "fake"),
    "power": ("redfish", "idrac-redfish", "ipmitool", "agent", "fake"),
    "raid": ("redfish", "idrac-redfish", "agent", "no-raid", "fake"),
    "vendor": ("redfish", "idrac-redfish", "ipmitool", "no-vendor", "fake"),
}
REDFISH_INFO = [
    {},
    *({ADDRESS: value} for value in ("", 5, "https://not a uri %%", "ftp://x", "::1", "a b", "h")),
    *({ADDRESS: "h", "redfish_system_id": value} for value in (5, "", "5")),
    *({ADDRESS: "h", "redfish_verify_ca": value} for value in ("banana", "no", 5, "", None)),
    *({ADDRESS: "h", "redfish_auth_type": value} for value in ("ntlm", "basic", None)),
    *({ADDRESS: "h", "redfish_tls_minimum_version": value} for value in ("1.1", "1.4")),
    {ADDRESS: "h", "redfish_password": "s3cret"},
]
IPMI_INFO = [
    {},
    *({"ipmi_address": value} for value in ("", "1.2.3.4", "::1", "bad host!", "a.b", "A_b")),
    *({"ipmi_address": "h", "ipmi_port": value} for value in ("x", -1, 65536, "623", 1.5)),
    *({"ipmi_address": "h", "ipmi_terminal_port": value} for value in ("x", 70000, "623", "")),
    *({"ipmi_address": "h", "ipmi_priv_level": value} for value in ("GOD", "USER")),
    *({"ipmi_address": "h", "ipmi_bridging": value} for value in ("triple", "single", "dual")),
    *({"ipmi_address": "h", "ipmi_protocol_version": value} for value in (3, "1.5", 2.0)),
    *({"ipmi_address": "h", "ipmi_hex_kg_key": value} for value in ("abc", "abcd")),
    *({"ipmi_address": "h", "ipmi_cipher_suite": value} for value in ("x", "3")),
    {"ipmi_address": "h", "ipmi_cipher_suite": 3, "ipmi_protocol_version": "1.5"},
    {"ipmi_address": "h", "ipmi_password": "s3cret"},
]


@pytest.fixture(scope="module")
def pair(request):
    url = request.config.getoption("--real-ironic")
    if not url:
        pytest.skip("needs --real-ironic URL")
    found = Server(url).send(Request("GET", "/v1/drivers")).json()["drivers"]
    if {driver["name"] for driver in found} != set(TYPES):
        pytest.skip("needs a real Ironic with all hardware types")
    with FakeServer(Settings(hardware_types=tuple(TYPES))) as server:
        yield Pair(url, server.url)


@pytest.fixture(autouse=True)
def _empty(pair):
    pair.clear()


def create(pair, **fields):
    return pair.send(Request("POST", "/v1/nodes", body=fields), creates="node-1")


def ask(pair, method, path, body=None):
    """Ask something of the node, and compare the node afterwards if that changed it."""
    settles = None if method == "GET" else "node-1"
    pair.send(Request(method, f"/v1/nodes/{{node-1}}{path}", body=body), settles=settles)
    if method != "GET":
        pair.send(Request("GET", "/v1/nodes/{node-1}"))


def delete(pair):
    pair.send(Request("DELETE", "/v1/nodes/{node-1}"))


@pytest.mark.parametrize("driver", sorted(TYPES))
def test_drivers(pair, driver):
    for path in ("/raid/logical_disk_properties", "/vendor_passthru/methods"):
        pair.send(Request("GET", f"/v1/drivers/{driver}{path}"))
    kinds = sorted(INTERFACES)
    fields = ",".join(f"default_{kind}_interface" for kind in kinds)
    fields += "".join(f",enabled_{kind}_interfaces" for kind in kinds if kind != "deploy")
    pair.send(Request("GET", f"/v1/drivers/{driver}?fields=name,hosts,{fields}"))


@pytest.mark.parametrize("driver", sorted(TYPES))
def test_interfaces(pair, driver):
    for kind, names in INTERFACES.items():
        for name in names:
            if create(pair, driver=driver, **{f"{kind}_interface": name}):
                delete(pair)


@pytest.mark.parametrize(
    ("driver", "infos"), [("redfish", REDFISH_INFO), ("idrac", REDFISH_INFO), ("ipmi", IPMI_INFO)]
)
def test_driver_info(pair, driver, infos):
    for info in infos:
        create(pair, driver=driver, driver_info=info)
        ask(pair, "GET", "/validate")
        delete(pair)


@pytest.mark.parametrize("driver", sorted(TYPES))
def test_nodes_without_driver_info(pair, driver):
    create(pair, driver=driver)
    for path in ("/validate", "/vendor_passthru/methods", "/vmedia"):
        ask(pair, "GET", path)
    for path in ("boot_device", "boot_device/supported", "indicators"):
        ask(pair, "GET", f"/management/{path}")
    ask(pair, "PUT", "/states/power", {"target": "power on"})
    ask(pair, "PUT", "/states/provision", {"target": "manage"})


def controller(pair, driver):
    port = urlsplit(pair.real.url).port
    if driver == "ipmi":
        account = {"ipmi_username": "admin", "ipmi_password": "password"}
        return {"ipmi_address": "127.0.0.1", "ipmi_port": port + 3, **account}
    return {ADDRESS: f"http://127.0.0.1:{port + 1}", "redfish_system_id": SYSTEM}


@pytest.mark.parametrize("driver", ["redfish", "idrac", "ipmi"])
def test_a_machine(pair, driver):
    create(pair, driver=driver, driver_info=controller(pair, driver))
    ask(pair, "PUT", "/states/power", {"target": "power on"})
    ask(pair, "PUT", "/states/power", {"target": "power off"})
    ask(pair, "PUT", "/states/provision", {"target": "manage"})
    for path in ("/states", "/validate", "/bios", "/bios?detail=True", "/firmware"):
        ask(pair, "GET", path)
    for device in ("disk", "cdrom", "uefihttp", "banana", "pxe"):
        ask(pair, "PUT", "/management/boot_device", {"boot_device": device})
        ask(pair, "GET", "/management/boot_device")
    for target in ("power on", "soft rebooting", "soft power off", "rebooting", "power off"):
        ask(pair, "PUT", "/states/power", {"target": target})
    ask(pair, "PUT", "/states/provision", {"target": "inspect"})
    for path in ("/inventory", "/ports"):
        ask(pair, "GET", path)


@pytest.mark.parametrize("driver", ["redfish", "idrac"])
def test_more_of_a_redfish_machine(pair, driver):
    create(pair, driver=driver, driver_info=controller(pair, driver))
    ask(pair, "PUT", "/states/provision", {"target": "manage"})
    ask(pair, "GET", "/management/indicators")
    for name in (f"{CHASSIS}@chassis", "foo@system", "foo@bar", "foo"):
        for state in ("off", "banana", "on"):
            ask(pair, "PUT", f"/management/indicators/{name}", {"state": state})
            ask(pair, "GET", f"/management/indicators/{name}")
    image = f"http://127.0.0.1:{urlsplit(pair.real.url).port + 2}/x.iso"
    for device in ("cdrom", "floppy", "disk", "banana"):
        ask(pair, "POST", "/vmedia", {"device_type": device, "image_url": image})
        ask(pair, "GET", "/vmedia")
    for query in ("?device_types=cdrom", "?device_types=disk", ""):
        ask(pair, "DELETE", f"/vmedia{query}")
        ask(pair, "GET", "/vmedia")
    for mode, secure in (("bios", True), ("uefi", True), ("uefi", False)):
        ask(pair, "PUT", "/states/boot_mode", {"target": mode})
        ask(pair, "PUT", "/states/secure_boot", {"target": secure})
    for body in ({}, {"Destination": "x"}, {"Destination": "https://x", "Context": 1}):
        ask(pair, "POST", "/vendor_passthru/create_subscription", body)
    ask(pair, "POST", "/vendor_passthru/eject_vmedia", {})
