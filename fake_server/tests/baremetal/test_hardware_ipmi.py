"""Machines of IPMI: the processors of Intel, and power through the agent."""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.hardware_nodes import MACHINE, managed

MAC = "52:54:00:aa:00:01"
IMAGE = {"image_source": "http://images/i.raw", "image_checksum": "a" * 32}
FAILED = "Deploy step management.configure_intel_speedselect failed: "


def profiled(api, **args):
    """Deploy with a profile of the processors; return the state and error of the node."""
    step = {"interface": "management", "step": "configure_intel_speedselect", "priority": 200}
    api.provision("provide")
    answer = api.provision("active", deploy_steps=[{**step, "args": args}])
    assert answer == (202, None)
    while "wait" in api.state():
        api.clock.advance(60)
    node = api.node()
    return node["provision_state"], node["last_error"]


def test_a_profile_that_the_controller_does_not_take():
    api = managed("intel-ipmi", instance_info=IMAGE)
    api("PATCH", MACHINE, {"failing": ["bmc"]})
    state, error = profiled(api, intel_speedselect_config="0x02")
    assert state == "deploy failed"
    reason = "IPMI call failed: raw 0x2c 0x41 0x04 0x00 0x00 0x02."
    assert error == (
        f"{FAILED}Failed to set Intel SST-PP configuration level 0x02 on socket number 0 due to "
        f"reason {reason}.."
    )


@pytest.mark.parametrize("flow", ["clean", "service"])
def test_raw_bytes_are_not_allowed_in_runbooks(flow):
    api = managed("ipmi")
    step = {"interface": "vendor", "step": "send_raw", "args": {"raw_bytes": "0x06"}, "order": 1}
    book = {"name": "CUSTOM_RAW", "steps": [step]}
    assert api("POST", "/v1/runbooks", book)[0] == 201
    traits = {"traits": ["CUSTOM_RAW"]}
    api("PUT", "/v1/runbooks/CUSTOM_RAW/traits", traits)
    api("PUT", "/v1/nodes/n/traits", traits)
    if flow == "service":
        api.provision("adopt")
    before = api.state()
    assert api.provision(flow, runbook="CUSTOM_RAW") == (
        400,
        f"{flow} step 'vendor.send_raw' is not allowed. Disallowed by operator configuration "
        f"[api]disallow_{flow}_steps.",
    )
    assert api.state() == before


def inspected(fast_track):
    """Return an API with a node after its inspection by an agent."""
    interfaces = {**ENABLED_INTERFACES, "power": ("fake", "agent")}
    interfaces |= {
        "boot": ("fake", "ipxe"),
        "deploy": ("fake", "direct"),
        "inspect": ("fake", "agent"),
    }
    api = Api(agent="external", interfaces=interfaces)
    info = {name: f"http://192.0.2.1/{name}" for name in ("deploy_kernel", "deploy_ramdisk")}
    info |= {} if fast_track is None else {"fast_track": fast_track}
    fields = {"boot_interface": "ipxe", "inspect_interface": "agent"}
    uuid = api.enrol(deploy_interface="direct", driver_info=info, **fields)
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": MAC})
    api.provision("manage", "inspect")
    assert api.state() == "inspect wait"
    found = api("GET", f"/v1/lookup?node_uuid={uuid}")[1]
    api.token = found["config"]["agent_token"]
    beat(api)
    inventory = {"interfaces": [{"name": "eth0", "mac_address": MAC}]}
    report = {"inventory": {**inventory, "cpu": {"architecture": "x86_64", "count": 4}}}
    assert api("POST", "/v1/continue_inspection", report)[0] == 202
    assert api.state() == "manageable"
    return api


def beat(api):
    body = {"agent_token": api.token, "agent_version": "11.0"}
    body |= {"callback_url": "https://127.0.0.1:1"}
    assert api("POST", "/v1/heartbeat/n", body)[0] == 202


NO_FAST_TRACK = "Fast track mode must be enabled to use the agent power interface"
OFFLINE = "Agent seems offline for node {uuid}, the agent power interface cannot be used"


@pytest.mark.parametrize(
    ("fast_track", "later", "seconds", "reason"),
    [
        (None, None, 0, NO_FAST_TRACK),
        (True, False, 0, NO_FAST_TRACK),
        # The node was powered off after its inspection.
        (None, True, 0, OFFLINE),
        (True, True, 300, None),
        (True, True, 301, OFFLINE),
    ],
)
def test_power_through_the_agent_needs_one_that_stayed(fast_track, later, seconds, reason):
    api = inspected(fast_track)
    if later is not None:
        assert api.patch("driver_info/fast_track", later)[0] == 200
    assert api.patch("power_interface", "agent")[0] == 200
    assert power_of(api, seconds) == (reason is None, reason)


def test_an_agent_that_stayed_is_heard_of_by_its_heartbeats():
    api = inspected(True)
    assert api.patch("power_interface", "agent")[0] == 200
    assert power_of(api, 301) == (False, OFFLINE)
    beat(api)
    assert power_of(api, 300) == (True, None)
    assert power_of(api, 1) == (False, OFFLINE)


def power_of(api, seconds):
    """Return what is said of the node's power interface some seconds later."""
    api.clock.advance(seconds)
    found = api("GET", "/v1/nodes/n/validate")[1]["power"]
    reason = found.get("reason")
    return found["result"], reason and reason.replace(api.node()["uuid"], "{uuid}")


CHANNELS = {"ipmi_target_channel": "1", "ipmi_target_address": "0x20"}
TRANSIT = {"ipmi_transit_channel": "2", "ipmi_transit_address": "0x22"}


@pytest.mark.parametrize(
    ("interface", "info", "reason"),
    [
        ("power", {"ipmi_bridging": "single", **CHANNELS}, None),
        ("power", {"ipmi_bridging": "dual", **CHANNELS, **TRANSIT}, None),
        (
            "power",
            {"ipmi_bridging": "dual", **CHANNELS},
            "['ipmi_transit_channel', 'ipmi_transit_address'] not provided",
        ),
        ("console", {"ipmi_terminal_port": 8023}, None),
        ("console", {"ipmi_terminal_port": 8023, "ipmi_protocol_version": "2.0"}, None),
        (
            "console",
            {"ipmi_terminal_port": 8023, "ipmi_protocol_version": "1.5"},
            "Serial over lan only works with IPMI protocol version 2.0. Check the "
            "'ipmi_protocol_version' parameter in node's driver_info",
        ),
    ],
)
def test_how_a_controller_is_reached(interface, info, reason):
    api = managed("ipmi", console_interface="ipmitool-socat")
    for name, value in info.items():
        assert api.patch(f"driver_info/{name}", value)[0] == 200
    found = api("GET", "/v1/nodes/n/validate")[1][interface]
    assert (found["result"], found.get("reason")) == (reason is None, reason)
