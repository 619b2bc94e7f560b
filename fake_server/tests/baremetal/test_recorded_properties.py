"""What is said of nodes whose properties and instances are described well or badly.

A node with each value is deployed. Recorded from the fake server, so that no change
goes unnoticed.
"""

from __future__ import annotations

import re

import pytest

from fake_server.tests.baremetal.facts import by_fact, changes, line
from fake_server.tests.baremetal.test_deploy_interfaces import HTTP
from fake_server.tests.baremetal.test_deploy_interfaces import lab as lab_of_deployments

HINT = "root_device"
NUMBERS = (1, 0, "x", None, 1.5, ">= 1", "= x", "<or> 1 <or> 0")
BOOLEANS = (True, "False", "x", "", None, [])
HINTS = (
    *([], ["size"], "size", 7, {}, {"x": 1}, {"x": 1, "size": 0, "y": 2}, {"model": 1, "size": 0}),
    *({"size": value} for value in NUMBERS),
    *({"rotational": value} for value in (True, "no", "x", 1, None)),
    *({"model": value} for value in ("x", "", 1, None, "<or> a <or> b")),
    *({name: 1} for name in ("wwn", "hctl")),
)
CAPABILITIES = (
    *(None, "", 5, ["boot_mode:uefi"], {"boot_mode": "uefi"}, True, "boot_mode", "boot_mode:"),
    *(":uefi", "boot_mode:uefi:x", " boot_mode : uefi ,a:b", "boot_mode:x", "a:b,boot_mode:x"),
    *("boot_mode:bios,boot_mode:x", "secure_boot:x", "disk_label:x", "disk_label:gpt"),
    *("boot_mode:bios", "secure_boot:True"),
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
NO_PROXIES = (None, "a.b,.c:80", "a,,b", "*.a", "-a", 5)
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
        for source in ("http://images/x", "oci://x")
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
REFUSED = "Failed to validate deploy or power info for node "
OF_DEPLOYMENTS = ("is_whole_disk_image", "automatic_lessee", "deploy_boot_mode")


def named(fields):
    """Return a short name of fields."""
    text = str(fields)
    for name, value in HTTP.items():
        text = text.replace(f"{name!r}: {value!r}, ", "").replace(f", {name!r}: {value!r}", "")
    return re.sub(r"^\{'\w+': \{'\w+': (.*)\}\}$", r"\1", text)


class Lab:
    """A node that can be deployed, but for what a test changes."""

    def __init__(self):
        self.api = lab_of_deployments()
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
        """Return what is said of a node with other fields when it is deployed."""
        if "driver_info" in fields:
            fields = {**fields, "driver_info": {**self._info, **fields["driver_info"]}}
        patch = [{"op": "add", "path": f"/{name}", "value": fields[name]} for name in fields]
        status, changed = self.api("PATCH", "/v1/nodes/n", patch)
        if status != 200:
            return [f"{status} {changed}"]
        status, said = self.api.provision("active")
        if status == 202:
            node = self.api.node()
            info = node["driver_internal_info"]
            kept = {name: info[name] for name in OF_DEPLOYMENTS if name in info}
            said = changes({}, {name: node[name] for name in SHOWN if node[name]} | kept)
        else:
            said = [said.removeprefix(f"{REFUSED}{self._uuid}: ")]
        self.api.app.control.snapshots.restore("before")
        return line(str(status), (fact.replace(self._uuid, "UUID") for fact in said))


@pytest.fixture(scope="module")
def lab():
    return Lab()


@pytest.mark.parametrize("name", FIELDS)
def test_nodes_are_deployed_as_recorded(lab, recorded, name):
    found = {named(fields): lab.outcome(fields) for fields in FIELDS[name]}
    recorded(by_fact(found))
