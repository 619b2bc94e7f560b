"""What is said of steps that are asked for: of cleaning, deployments and servicing.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.hardware_nodes import managed
from fake_server.tests.baremetal.test_deploy_interfaces import HTTP

RECORD = Path(__file__).with_name("steps.json.gz")
MAX = 2**63 - 1
CHILD = "22222222-2222-4222-8222-222222222222"
ABSENT = "00000000-0000-4000-8000-00000000dead"


def step(interface, name, **more):
    return {"interface": interface, "step": name, **more}


ERASE = step("deploy", "erase_devices")
SETTINGS = {"settings": [{"name": "ProcTurboMode", "value": "Disabled"}]}
APPLY = step("bios", "apply_configuration", args=SETTINGS)
RESET = step("bios", "factory_reset")
CHILDREN = {"execute_on_child_nodes": True}
# What isn't even a list of steps, and what is.
WRONG = (
    *([], {}, "x", 5, True, [5], [None], ["x"], [[]], [{}], [step("deploy", "")]),
    *([step("x", "y")], [step("network", "y")], [step(None, "y")], [step("deploy", None)]),
    *([{"step": "y"}], [{"interface": "deploy"}], [{**ERASE, "colour": "red"}]),
    *([{**ERASE, "args": value}] for value in (None, [], "x", {}, {"a": 1}, {"a": 1, "b": 2})),
    *([{**ERASE, "order": value}] for value in (None, -1, 0, 1, 1.5, "1", "-1", "", "x", True)),
    *(
        [{**ERASE, "execute_on_child_nodes": value}]
        for value in (None, "x", "true", 1, 0, True, False, [])
    ),
    *(
        [{**ERASE, **CHILDREN, "limit_child_node_execution": value}]
        for value in (None, "x", [], ["x"], [5], [ABSENT], [CHILD], [CHILD, "x"], {})
    ),
    *([{**ERASE, "limit_child_node_execution": value}] for value in (["x"], [ABSENT], "x")),
)
KNOWN = (
    *([ERASE], [APPLY], [RESET], [ERASE, RESET], [step("deploy", "bogus")]),
    *([step("deploy", "bogus"), step("raid", "bogus", args={"a": 1})], [ERASE, ERASE]),
    *([step("bios", "apply_configuration")], [{**RESET, "args": {"b": 1, "a": 2}}]),
    *([step("power", name)] for name in ("power_on", "power_off", "reboot", "hold", "wait", "x")),
    *([step("deploy", "hold")], [step("vendor", "hold")], [step("power", "hold"), ERASE]),
    *([step("vendor", "send_raw", args={"raw_bytes": "0x00"})], [step("vendor", "x")]),
    *([step("management", name)] for name in ("clear_secure_boot_keys", "update_firmware")),
    [step("management", "set_bmc_clock", args={"target_datetime": "x", "colour": "red"})],
    *([step("raid", name)] for name in ("create_configuration", "delete_configuration")),
    [step("firmware", "update", args={"settings": []})],
    [{**step("bios", "bogus"), **CHILDREN}],
)
PRIORITIES = (
    None,
    -1,
    0,
    1,
    80,
    200,
    1.5,
    "1",
    "0",
    "-1",
    "",
    "x",
    True,
    [],
    MAX,
    MAX + 1,
    "9" * 20,
)
OF_DEPLOYMENTS = (
    *([{**RESET, "args": {}, "priority": value}] for value in PRIORITIES),
    *([{**step("deploy", "deploy"), "args": {}, "priority": value}] for value in (0, 1, "1")),
    *(
        [{**step("deploy", name), "args": args, "priority": value}]
        for name in ("write_image", "boot_instance", "erase_devices_metadata", "bogus")
        for args in ({}, {"a": 1})
        for value in (0, 70)
    ),
    *([{**APPLY, "priority": value}] for value in (0, 1)),
    *(
        [{**step("bios", "apply_configuration"), "args": args, "priority": value}]
        for value in (0, 1)
        for args in ({}, {"colour": "red"}, {**SETTINGS, "x": 1, "y": 2})
    ),
    [{**RESET, "args": {}, "priority": 1}, {**RESET, "args": {}, "priority": 2}],
    [{**RESET, "args": {}, "priority": 1}] * 2 + [{**APPLY, "priority": 1}] * 2,
    [{**RESET, "args": {}, "priority": 1}, {**APPLY, "priority": 2}],
    [{**RESET, "args": {}, "priority": 2}, {**APPLY, "priority": 2}],
    [{**step("deploy", "deploy"), "args": {"a": 1}, "priority": 1}, {**APPLY, "priority": 1}],
)
TARGETS = ("clean", "service", "active", "rebuild", "provide", "inspect", "deploy", "x")
KINDS = ("clean_steps", "deploy_steps", "service_steps", "rescue_password", "disable_ramdisk")
DRIVES = (
    *(
        None,
        "",
        "x",
        "x y",
        "é",
        "a_b",
        "aGVsbG8=",
        "a\n+/= \t\r",
        "http://192.0.2.1/d",
        5,
        [],
        True,
    ),
    *({}, {"meta_data": {}}, {"meta_data": 5}, {"vendor_data": {}}, {"vendor_data": None}),
    *({"user_data": value} for value in ({}, [], "x", None, 5)),
    *({"network_data": {}}, {"network_data": []}, {"colour": "red"}),
)
VERSIONS = (
    *("1.1", "1.3", "1.4", "1.5", "1.6", "1.12", "1.13", "1.14", "1.15", "1.16", "1.17", "1.34"),
    *("1.35", "1.37", "1.38", "1.40", "1.41", "1.55", "1.56", "1.58", "1.59", "1.68", "1.69"),
    *("1.70", "1.72", "1.73", "1.84", "1.85", "1.86", "1.87", "1.91", "1.92", "1.107", "1.108"),
    *("1.109", "1.110", "1.115"),
)
OF_VERSIONS = (
    *({"target": verb} for verb in ("manage", "provide", "inspect", "abort", "adopt", "unhold")),
    *({"target": verb} for verb in ("deploy", "undeploy", "unrescue", "delete", "deleted")),
    {"target": "clean", "clean_steps": [RESET]},
    {"target": "clean", "clean_steps": [RESET], "disable_ramdisk": True},
    {"target": "service", "service_steps": [RESET]},
    {"target": "service", "service_steps": [RESET], "disable_ramdisk": True},
    {"target": "rescue", "rescue_password": "p"},
    {"target": "active", "deploy_steps": [{**RESET, "args": {}, "priority": 1}]},
    {"target": "active", "configdrive": "aGVsbG8="},
    {"target": "rebuild", "configdrive": "aGVsbG8="},
    {"target": "active", "configdrive": {"meta_data": {}}},
    {"target": "active", "configdrive": {"vendor_data": {}}},
    {"target": "clean", "runbook": "CUSTOM_BOOK"},
    {"target": "service", "runbook": "CUSTOM_BOOK"},
    {"target": "provide", "runbook": "CUSTOM_BOOK"},
)
STATES = {
    "manageable": (),
    "available": ("provide",),
    "active": ("provide", "active"),
    "wait call-back": ("provide", "active"),
    "inspect wait": ("inspect",),
}
SHOWN = ("provision_state", "target_provision_state", "last_error", "maintenance", "fault")


class Lab:
    """A machine with a Redfish controller, in a state."""

    def __init__(self, state):
        inspect = "agent" if state == "inspect wait" else "redfish"
        self.api = managed(deploy_interface="direct", inspect_interface=inspect, instance_info=HTTP)
        self._uuid = self.api.node()["uuid"]
        book = {"name": "CUSTOM_BOOK", "steps": [{**RESET, "args": {}, "order": 1}], "public": True}
        assert self.api("POST", "/v1/runbooks", book)[0] == 201
        for path in ("nodes/n", "runbooks/CUSTOM_BOOK"):
            assert self.api("PUT", f"/v1/{path}/traits", {"traits": ["CUSTOM_BOOK"]})[0] < 300
        self.api.enrol("child", uuid=CHILD, driver="redfish", parent_node=self._uuid)
        if state.endswith(("wait", "back")):
            self.api("PUT", "/_fake/delays", {"transitions": {"heartbeat": 600}})
        for verb in STATES[state]:
            self.api.provision(verb)
        assert self.api.state() == state
        self.api.app.control.snapshots.take("before")

    def outcome(self, version="1.115", **wanted):
        """Return the answer to a request for a provision state, and what becomes of the node."""
        answer = self.api("PUT", "/v1/nodes/n/states/provision", wanted, version)
        found = [answer]
        if answer[0] == 202:
            node = self.api.node()
            steps = {}
            for flow in ("clean", "deploy", "service"):
                kept = node["driver_internal_info"].get(f"{flow}_steps") or []
                steps |= {flow: [f"{one['interface']}.{one['step']}" for one in kept]}
            history = self.api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
            told = sorted(one["event"] for one in history)
            found += [[node[name] for name in SHOWN], steps, told]
            self.api.app.control.snapshots.restore("before")
        return recorded.masked(repr(found).replace(self._uuid, "UUID"))


@pytest.mark.parametrize(
    ("state", "flow"), [("manageable", "clean"), ("available", "deploy"), ("active", "service")]
)
def test_steps_are_taken_as_recorded(request, state, flow):
    lab = Lab(state)
    wanted = (*WRONG, *KNOWN, *(OF_DEPLOYMENTS if flow == "deploy" else ()))
    target = {"deploy": "active"}.get(flow, flow)
    found = {}
    for steps in wanted:
        found[str(steps)] = lab.outcome(target=target, **{f"{flow}_steps": steps})
    if flow != "deploy":
        for steps in KNOWN:
            more = {f"{flow}_steps": steps, "disable_ramdisk": True}
            found[f"without ramdisk {steps}"] = lab.outcome(target=target, **more)
    recorded.check(request, RECORD, flow, found)


@pytest.mark.parametrize("state", ["manageable", "active"])
def test_arguments_are_for_their_targets_as_recorded(request, state):
    lab = Lab(state)
    values = {"rescue_password": "p", "disable_ramdisk": True}
    values |= {"deploy_steps": [{**RESET, "args": {}, "priority": 1}]}
    found = {}
    for target in TARGETS:
        for name in KINDS:
            wanted = {name: values.get(name, [RESET])}
            found[f"{target} {name}"] = lab.outcome(target=target, **wanted)
            found[f"{target} {name}, a runbook"] = lab.outcome(
                target=target, runbook="CUSTOM_BOOK", **wanted
            )
        for book in ("CUSTOM_BOOK", "CUSTOM_OTHER", "x", "", None, 5):
            found[f"{target} runbook {book}"] = lab.outcome(target=target, runbook=book)
        for password in (None, "", " ", 5, ["p"]):
            found[f"{target} {password!r}"] = lab.outcome(target=target, rescue_password=password)
    recorded.check(request, RECORD, f"arguments, {state}", found)


@pytest.mark.parametrize("target", ["active", "rebuild", "provide"])
@pytest.mark.parametrize("state", ["available", "active"])
def test_drives_are_taken_as_recorded(request, state, target):
    lab = Lab(state)
    found = {repr(drive): lab.outcome(target=target, configdrive=drive) for drive in DRIVES}
    recorded.check(request, RECORD, f"drives, {state}, {target}", found)


@pytest.mark.parametrize("state", STATES)
def test_versions_know_what_is_recorded(request, state):
    lab = Lab(state)
    found = {
        f"{wanted} {version}": lab.outcome(version, **wanted)
        for wanted in OF_VERSIONS
        for version in VERSIONS
    }
    recorded.check(request, RECORD, f"versions, {state}", found)
