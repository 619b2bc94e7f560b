"""Which fields requests may have in which version, and what servers in each state take.

The answers were recorded from the fake server itself, so that no change goes unnoticed; that they
are right is for other tests. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.filled_cloud import Filled

RECORD = Path(__file__).with_name("servers.json.gz")
ABSENT = "00000000-0000-4000-8000-00000000dead"
# None is created.
SERVER = {"name": "t", "flavorRef": "absent", "imageRef": "IMAGE", "networks": "none"}
DEVICE = {"uuid": ABSENT, "source_type": "volume", "destination_type": "volume", "boot_index": 1}
ATTACHED = {"volumeId": "SPARE"}
REQUESTS = {
    "create": ("POST", "/servers", "server", SERVER),
    "update": ("PUT", "/servers/SERVER", "server", {"name": "t"}),
    "rebuild": ("POST", "/servers/SERVER/action", "rebuild", {"imageRef": "IMAGE"}),
    "attach volume": (
        *("POST", "/servers/SERVER/os-volume_attachments", "volumeAttachment"),
        ATTACHED,
    ),
    "change volume": (
        *("PUT", "/servers/SERVER/os-volume_attachments/VOLUME", "volumeAttachment"),
        ATTACHED,
    ),
    "attach interface": (
        *("POST", "/servers/SERVER/os-interface", "interfaceAttachment"),
        {"net_id": "NETWORK"},
    ),
    "flavor": ("POST", "/flavors", "flavor", {"name": "gold", "ram": 1, "vcpus": 1, "disk": 1}),
    "change flavor": ("PUT", "/flavors/FLAVOR", "flavor", {"description": "x"}),
    "key": ("POST", "/os-keypairs", "keypair", {"name": "k", "public_key": "ssh-rsa AAAA x"}),
}
# The minor versions in which requests begin to take something, or something else.
NEWS = {
    "create": (19, 32, 37, 42, 52, 57, 63, 67, 74, 90, 94, 105),
    "update": (19, 90, 94, 104),
    "rebuild": (19, 54, 57, 63, 90, 94),
    "attach volume": (49, 79, 101, 105),
    "change volume": (85,),
    "attach interface": (49,),
    "flavor": (55, 102),
    "change flavor": (55,),
    "key": (2, 10, 92),
}
FIELDS = {
    "description": ["x", None, 5, "x\n"],
    "tags": [["a"], ["a"] * 51, ["a/b"], "a"],
    "tag": ["a", "a,b", 5],
    "hostname": ["a", "-a", "a.b", "x" * 64, None],
    "host": ["localhost-ironic", 5],
    "hypervisor_hostname": ["h", 5],
    "trusted_image_certificates": [["a"], [], None, ["a", "a"]],
    "personality": [[], [{"path": "p", "contents": "YQ=="}], [{"path": "p"}]],
    "user_data": ["YQ==", None, "?", 5],
    "key_name": ["k", None, 5],
    "networks": [None, "auto", "none", "x", [], [{"uuid": ABSENT}], [{"tag": "a"}], [{"x": 1}]],
    "block_device_mapping_v2": [
        [DEVICE],
        *([{**DEVICE, name: value}] for name, value in (("tag", "a"), ("volume_type", "t"))),
        *([{**DEVICE, "boot_index": value}] for value in ("x", None, "-1")),
        *([{**DEVICE, "attach_mode": value}] for value in ("ro", "x")),
        *([{**DEVICE, name: "x"}] for name in ("source_type", "moon", "device_name", "uuid")),
    ],
    "min_count": [1, "2", 0, "x"],
    "adminPass": ["x", 5],
    "metadata": [{"a": "b"}, {"a": 5}, {"?": "a"}, []],
    "OS-DCF:diskConfig": ["AUTO", "x"],
    "accessIPv4": ["192.0.2.1", "x"],
    "accessIPv6": ["2001:db8::1", "x"],
    "config_drive": [True, "yes", "moon"],
    "locked_reason": ["x", "", "x" * 256],
    "delete_on_termination": [True, "x"],
    "device": ["/dev/vdb", "vdb x", None],
    "attach_mode": ["ro", "rw", "x"],
    "pinned_availability_zone": ["x", None, 5, ""],
    "preserve_ephemeral": [True, "x"],
    "fixed_ips": [[{"ip_address": "192.0.2.1"}], [{"ip_address": "x"}], []],
    "rxtx_factor": [1.0, "2.5", "x", 0],
    "swap": [1, "1", "x", -1],
    "id": ["auto", "x?", None, 5],
    "os-flavor-access:is_public": [True, "x"],
    "type": ["ssh", "x509", "x"],
    "user_id": ["u", 5],
    "name": ["", "x" * 256, " x", 5, "a?b"],
    "volumeId": ["x", None],
    "moon": [1],
}
# What is asked of a server in each state.
ACTIONS = (
    *({name: None} for name in ("os-start", "os-stop")),
    *({"reboot": {"type": kind}} for kind in ("HARD", "SOFT")),
    {"rebuild": {"imageRef": "IMAGE"}},
)


def in_state(filled, state):
    """Bring a server into a state, and return its name in paths."""
    if state in ("active", "stopped"):
        if state == "stopped":
            filled.ask("compute", "POST", "/servers/SERVER/action", {"os-stop": None})
            filled.ask("compute", "GET", "/servers/SERVER")
        return "SERVER"
    # There is one more node: the second of these servers finds none.
    filled.cloud.app.control.delays.set(default=600)
    for _ in ("building", "error")[: 1 + (state == "error")]:
        body = {"server": {**SERVER, "flavorRef": "FLAVOR", "name": "next"}}
        filled.add("NEXT", "compute", "/servers", body, "server")
        filled.cloud.send("compute", "GET", f"/servers/{filled.ids['NEXT']}")
    return "NEXT"


@pytest.fixture(scope="module")
def filled():
    return Filled("none")


@pytest.mark.parametrize("what", REQUESTS)
def test_fields_are_taken_since_recorded_versions(filled, request, what):
    method, path, key, base = REQUESTS[what]
    versions = recorded.around("2.1", "2.105", *NEWS[what])
    found = {}
    for field, values in FIELDS.items():
        for value in values:
            changes = found[f"{field}={value!r}"] = []
            body = {key: {**base, field: value}}
            for version in versions:
                status, text = filled.ask("compute", method, path, body, version)
                if status < 300:
                    filled.restore()
                    text = str(status)
                if not changes or changes[-1][1] != text:
                    changes.append([version, text])
            if all(re.match("404|.*Additional properties", text) for _, text in changes):
                break  # no version knows the field
    recorded.check(request, RECORD, what, found)


@pytest.mark.parametrize("state", ["active", "stopped", "building", "error"])
def test_servers_take_what_is_recorded(filled, request, state):
    filled.restore()
    name = in_state(filled, state)
    path = f"/servers/{name}"
    filled.cloud.app.control.snapshots.take("state")
    attach = {"volumeAttachment": {"volumeId": "SPARE"}}
    asked = [
        *(("POST", f"{path}/action", action) for action in ACTIONS),
        ("POST", f"{path}/os-volume_attachments", attach),
        ("PUT", f"{path}/os-volume_attachments/VOLUME", attach),
        ("DELETE", f"{path}/os-volume_attachments/VOLUME", None),
        ("POST", f"{path}/os-interface", {"interfaceAttachment": {"net_id": "NETWORK"}}),
        ("DELETE", f"{path}/os-interface/{ABSENT}", None),
        ("POST", f"{path}/metadata", {"metadata": {"a": "b"}}),
        ("PUT", path, {"server": {"name": "x"}}),
        ("DELETE", path, None),
    ]
    found = {}
    for request_ in asked:
        status, text = filled.ask("compute", *request_)
        _, shown = filled.cloud.send("compute", "GET", f"/servers/{filled.ids[name]}")
        kept = {"status", "OS-EXT-STS:power_state", "OS-EXT-STS:task_state", "OS-EXT-STS:vm_state"}
        after = {key: value for key, value in shown.get("server", {}).items() if key in kept}
        found[str(request_)] = [str(status) if status < 300 else text, after]
        filled.cloud.app.control.snapshots.restore("state")
    filled.restore()
    recorded.check(request, RECORD, f"servers that are {state}", found)
