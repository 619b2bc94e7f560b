"""What is said of steps that are asked for: of cleaning, deployments and servicing.

Recorded from the fake server, so that no change goes unnoticed.
"""

from __future__ import annotations

import re

import pytest

from fake_server.tests.baremetal.facts import by_fact, changes, line
from fake_server.tests.baremetal.hardware_nodes import managed
from fake_server.tests.baremetal.test_deploy_interfaces import HTTP

pytestmark = pytest.mark.rows

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
    *([], {}, "x", [5], [None], [{}], [step("deploy", "")], [step("x", "y")], [{"step": "y"}]),
    *([step("deploy", None)], [{"interface": "deploy"}], [{**ERASE, "colour": "red"}]),
    *([{**ERASE, "args": value}] for value in (None, [], {"a": 1, "b": 2})),
    *([{**ERASE, "order": value}] for value in (None, -1, 0, 1.5, "1", "x")),
    *([{**ERASE, "execute_on_child_nodes": value}] for value in (None, "true", 1, False)),
    *(
        [{**ERASE, **CHILDREN, "limit_child_node_execution": value}]
        for value in (None, "x", [], [5], [ABSENT], [CHILD], [CHILD, "x"])
    ),
    [{**ERASE, "limit_child_node_execution": ["x"]}],
)
KNOWN = (
    *([ERASE], [APPLY], [RESET], [step("deploy", "bogus")]),
    [step("deploy", "bogus"), step("raid", "bogus", args={"a": 1})],
    *([step("bios", "apply_configuration")], [{**RESET, "args": {"b": 1, "a": 2}}]),
    *([step("power", name)] for name in ("reboot", "hold", "wait", "x")),
    *(
        [step("power", "hold"), ERASE],
        [step("vendor", "x")],
        [{**step("bios", "bogus"), **CHILDREN}],
    ),
)
PRIORITIES = (None, -1, 0, 1, "1", MAX + 1)
OF_DEPLOYMENTS = (
    *([{**RESET, "args": {}, "priority": value}] for value in PRIORITIES),
    *([{**step("deploy", "deploy"), "args": {}, "priority": value}] for value in (0, 1, "1")),
    *(
        [{**step("deploy", name), "args": args, "priority": value}]
        for name in ("write_image", "bogus")
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
TARGETS = ("clean", "service", "rebuild", "provide", "x")
KINDS = ("clean_steps", "deploy_steps", "service_steps", "rescue_password", "disable_ramdisk")
DRIVES = (
    *(None, "", "x", "é", "aGVsbG8=", "http://192.0.2.1/d", 5, [], True),
    *({}, {"meta_data": {}}, {"meta_data": 5}, {"vendor_data": None}, {"colour": "red"}),
    *({"user_data": value} for value in ({}, "x", 5)),
)
STATES = {
    "manageable": (),
    "available": ("provide",),
    "active": ("provide", "active"),
    "wait call-back": ("provide", "active"),
    "inspect wait": ("inspect",),
}
SHOWN = ("provision_state", "target_provision_state", "last_error", "maintenance", "fault")


def named(steps):
    """Return a short name of steps."""
    text = re.sub(r"\{'interface': '(\w+)', 'step': '(\w+)'(, )?", r"\1.\2 {", str(steps))
    return (
        text.replace(" {}", "").replace("'args': {}, ", "").replace(str(SETTINGS), "SETTINGS")[1:-1]
    )


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

    def outcome(self, **wanted):
        """Return the answer to a request for a provision state, and what becomes of the node."""
        answer = self.api("PUT", "/v1/nodes/n/states/provision", wanted)
        found = [f"{answer[0]} {answer[1] or ''}".rstrip()]
        if answer[0] == 202:
            node = self.api.node()
            for flow in ("clean", "deploy", "service"):
                kept = node["driver_internal_info"].get(f"{flow}_steps") or []
                names = [f"{one['interface']}.{one['step']}" for one in kept]
                found.append(f"{flow}s {' '.join(names)}"[:120] if names else "")
            now = {name: node[name] for name in SHOWN if node[name]}
            found = [*line("then", [*found, *changes({}, now)])]
            self.api.app.control.snapshots.restore("before")
        return [fact.replace(self._uuid, "UUID") for fact in found]


@pytest.mark.parametrize(
    ("state", "flow"), [("manageable", "clean"), ("available", "deploy"), ("active", "service")]
)
def test_steps_are_taken_as_recorded(recorded, state, flow):
    lab = Lab(state)
    wanted = (
        *(WRONG if flow == "clean" else ()),
        *(KNOWN[:6] if flow == "service" else KNOWN),
        *(OF_DEPLOYMENTS if flow == "deploy" else ()),
    )
    target = {"deploy": "active"}.get(flow, flow)
    found = {}
    for steps in wanted:
        found[named(steps)] = lab.outcome(target=target, **{f"{flow}_steps": steps})
    if flow == "clean":
        for steps in KNOWN[:8]:
            more = {f"{flow}_steps": steps, "disable_ramdisk": True}
            found[f"without ramdisk {named(steps)}"] = lab.outcome(target=target, **more)
    recorded(by_fact(found))


@pytest.mark.parametrize("state", ["manageable", "active"])
def test_arguments_are_for_their_targets_as_recorded(recorded, state):
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
        for book in ("CUSTOM_BOOK", "x", "", 5):
            found[f"{target} runbook {book}"] = lab.outcome(target=target, runbook=book)
        for password in (None, "", 5):
            found[f"{target} {password!r}"] = lab.outcome(target=target, rescue_password=password)
    recorded(by_fact(found))


@pytest.mark.parametrize(("state", "target"), [("available", "active"), ("active", "provide")])
def test_drives_are_taken_as_recorded(recorded, state, target):
    lab = Lab(state)
    found = {repr(drive): lab.outcome(target=target, configdrive=drive) for drive in DRIVES}
    recorded(by_fact(found))
