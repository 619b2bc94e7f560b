"""What is said of nodes whose properties and instances are described well or badly.

A node with each value is validated and deployed. Recorded from the fake server, so that no change
goes unnoticed.
"""

from __future__ import annotations

import re

import pytest

from fake_server.tests.baremetal.facts import by_fact, changes, facts, line
from fake_server.tests.baremetal.test_deploy_interfaces import HTTP, lab

HINT = "root_device"
NUMBERS = (1, 0, "1", "x", None, 1.5, True, ">= 1", "= x", "<or> 1 <or> 0", "<in> 1", "s== 1")
BOOLEANS = (True, False, "true", "False", "yes", "no", "x", "", 1, 0, 2, None, [], "on", "off")
HINTS = (
    *([], ["size"], "size", 7, {}, {"x": 1}, {"x": 1, "size": 0, "y": 2}, {"model": 1, "size": 0}),
    *({"size": value} for value in NUMBERS),
    *({"rotational": value} for value in (True, "no", "x", 1, None)),
    *({"model": value} for value in ("x", "", 1, None, "<or> a <or> b")),
    *({name: 1} for name in ("wwn", "serial", "vendor", "wwn_with_extension", "hctl", "by_path")),
)
CAPABILITIES = (
    *(None, "", 5, ["boot_mode:uefi"], {"boot_mode": "uefi"}, True, "boot_mode", "boot_mode:"),
    *(":uefi", "boot_mode:uefi:x", " boot_mode : uefi ,a:b", "boot_mode:x", "a:b,boot_mode:x"),
    *("boot_mode:bios,boot_mode:x", "boot_mode:x,boot_mode:bios", "secure_boot:x", "disk_label:x"),
    *("secure_boot:true", "secure_boot:false", "disk_label:msdos", "disk_label:gpt"),
    *("boot_mode:bios", "boot_mode:uefi", "secure_boot:True", "boot_mode:x,secure_boot:x"),
)
OF_INSTANCE = (
    *('{"boot_mode": "x"}', '{"boot_mode": "uefi"}', "{", "[]", "", [], 5, None, {}, True),
    *({"boot_mode": "x"}, {"secure_boot": "x"}, {"disk_label": "x"}, {"disk_label": "gpt"}),
    *({"boot_option": "netboot"}, {"boot_option": "local"}, {"boot_option": "x"}, {"boot_mode": 5}),
)
SOURCES = (
    *(None, "", "x", "images/x", 5, ["x"], {"a": 1}, "ftp://images/x", "HTTP://images/x"),
    *("https://images/x", "file:///x", "glance://x", "oci://x", "http://[x", "swift://x", "://x"),
    *("00000000-0000-4000-8000-00000000dead", "glance://00000000-0000-4000-8000-00000000dead"),
)
SUMS = (
    {},
    *({"image_os_hash_algo": "sha256"}, {"image_os_hash_value": "ab"}, {"image_checksum": ""}),
    *({"image_os_hash_algo": "sha256", "image_os_hash_value": "ab"}, {"image_checksum": "ab"}),
    *({"image_os_hash_algo": "", "image_os_hash_value": "ab", "image_checksum": "ab"},),
)
WAYS = (None, "", "http", "local", "swift", "ftp", 5, ["http"])
PROXIES = (None, "", "proxy", "proxy:80", "http://proxy", "https://proxy", "ftp://proxy", 5)
NO_PROXIES = (None, "", "a.b,.c:80", "a,,b", "*.a", "-a", "a_b", 5, "a" * 63, "a" * 64)
TRAITS = (None, [], "CUSTOM_A", ["CUSTOM_A"], ["CUSTOM_B"], ["CUSTOM_C", "CUSTOM_B"], [5], {"a": 1})
FIELDS = {
    "instance_info root_device": [{"instance_info": {**HTTP, HINT: value}} for value in HINTS],
    "capabilities": [{"properties": {"capabilities": value}} for value in CAPABILITIES],
    "capabilities of the instance": [
        {"instance_info": {**HTTP, "capabilities": value}} for value in OF_INSTANCE
    ],
    "fast_track": [{"driver_info": {"fast_track": value}} for value in BOOLEANS],
    "image_source": [{"instance_info": {**HTTP, "image_source": value}} for value in SOURCES],
    "checksums": [
        {"instance_info": {"image_source": source, **value}}
        for value in SUMS
        for source in ("http://images/x", "file:///x", "glance://x", "oci://x")
    ],
    "image_download_source": [
        {field: {**(HTTP if field == "instance_info" else {}), "image_download_source": value}}
        for field in ("instance_info", "driver_info")
        for value in WAYS
    ],
    "image_http_proxy": [{"driver_info": {"image_http_proxy": value}} for value in PROXIES],
    "image_no_proxy": [
        *({"driver_info": {"image_no_proxy": value}} for value in NO_PROXIES),
        *(
            {"driver_info": {**dict.fromkeys(("image_http_proxy", "image_https_proxy"), "f:x")}},
            {"driver_info": {"image_no_proxy": "*", "image_http_proxy": "f:x"}},
        ),
    ],
    "traits": [{"instance_info": {**HTTP, "traits": value}} for value in TRAITS],
    "a lessee": [{"instance_info": {**HTTP, "project_id": "p"}, "lessee": "l"}],
}
SHOWN = (*("provision_state", "last_error", "lessee", "boot_mode"),)
OF_DEPLOYMENTS = ("is_whole_disk_image", "automatic_lessee", "deploy_boot_mode")


def named(fields):
    """Return a short name of fields."""
    text = str(fields)
    for name, value in HTTP.items():
        text = text.replace(f"{name!r}: {value!r}, ", "").replace(f", {name!r}: {value!r}", "")
    return re.sub(r"^\{'\w+': \{'\w+': (.*)\}\}$", r"\1", text)


class Lab:
    """A node that can be deployed, but for what a test changes.

    :param url: from where machines fetch images.
    """

    def __init__(self, url):
        self.api = lab(deploy_http_url=url)
        info = {"redfish_address": "a", "deploy_kernel": "k", "deploy_ramdisk": "r"}
        self._uuid = self.api.enrol(
            driver="redfish",
            boot_interface="redfish-virtual-media",
            deploy_interface="direct",
            driver_info=info,
            instance_info=HTTP,
        )
        self._info = info
        self.api("PUT", "/v1/nodes/n/traits", {"traits": ["CUSTOM_A"]})
        self.api.provision("manage", "provide")
        self.api.app.control.snapshots.take("before")

    def outcome(self, fields):
        """Return what is said of a node with other fields when it is validated and deployed."""
        if "driver_info" in fields:
            fields = {**fields, "driver_info": {**self._info, **fields["driver_info"]}}
        patch = [{"op": "add", "path": f"/{name}", "value": fields[name]} for name in fields]
        status, changed = self.api("PATCH", "/v1/nodes/n", patch)
        if status != 200:
            return [f"{status} {changed}"]
        status, said = self.api("GET", "/v1/nodes/n/validate")
        if status == 200:
            said = {kind: said[kind]["reason"] for kind in said if said[kind].get("reason")}
            del said["rescue"]
        answer = self.api.provision("active")
        node = self.api.node()
        info = node["driver_internal_info"]
        kept = {name: info[name] for name in OF_DEPLOYMENTS if name in info}
        shown = {name: node[name] for name in SHOWN if node[name]} | kept
        found = [*facts(said, "invalid"), str(answer), *changes({}, shown)]
        self.api.app.control.snapshots.restore("before")
        return line("then", (fact.replace(self._uuid, "UUID") for fact in found))


@pytest.fixture(scope="module")
def labs():
    return {url: Lab(url) for url in ("", "http://192.0.2.8")}


OF_A_SERVER = ("image_download_source",)


@pytest.mark.parametrize(
    ("name", "url"),
    [
        *((name, "") for name in FIELDS),
        *((name, "http://192.0.2.8") for name in OF_A_SERVER),
    ],
)
def test_nodes_are_deployed_as_recorded(labs, recorded, name, url):
    found = {named(fields): labs[url].outcome(fields) for fields in FIELDS[name]}
    recorded(by_fact(found))
