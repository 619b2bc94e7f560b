"""What the log says of work that crashes: whole lines, with their levels."""

from __future__ import annotations

import logging

import pytest

from fake_server.baremetal.conductor import allocations, periodic_tasks
from fake_server.baremetal.drivers.fake import FakeInspect
from fake_server.baremetal.drivers.networks.noop import NoopNetwork
from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.test_crashes import crash

STEPS = [{"step": "erase_devices", "interface": "deploy"}]
FAILED = "Async execution of {work} failed with error: RuntimeError('boom')"


@pytest.fixture
def logged(caplog):
    """Return the levels and the texts that the Bare Metal service has logged, and the causes."""

    def read():
        return [
            (record.levelname, record.getMessage(), record.exc_info and str(record.exc_info[1]))
            for record in caplog.records
            if record.name.startswith("fake_server.baremetal")
        ]

    caplog.set_level(logging.DEBUG)
    return read


@pytest.mark.parametrize("cleans_up", [True, False])
def test_network_interfaces_that_crash_are_logged(monkeypatch, logged, cleans_up):
    monkeypatch.setattr(NoopNetwork, "add_cleaning_network", crash)
    if not cleans_up:
        monkeypatch.setattr(NoopNetwork, "remove_cleaning_network", crash)
    api = Api(agent="simulated")
    uuid = api.enrol(deploy_interface="direct")
    api.provision("manage")
    assert api.provision("clean", clean_steps=STEPS) == (202, None)
    text = f"Failed to prepare node {uuid} for cleaning: RuntimeError: boom"
    lines = ["add_cleaning_network of network interface noop failed"]
    if not cleans_up:
        text += f". Also Failed to tear down cleaning on node {uuid}, reason: RuntimeError: boom"
        lines.append("remove_cleaning_network of network interface noop failed")
    node = api.node()
    assert (node["provision_state"], node["last_error"]) == ("clean failed", text)
    assert logged() == [("ERROR", line, "boom") for line in lines]


def test_a_crash_of_what_cleans_up_is_logged(monkeypatch, logged):
    monkeypatch.setattr(FakeInspect, "inspect", crash)
    monkeypatch.setattr(FakeInspect, "clean_up", crash)
    api = Api()
    uuid = api.enrol()
    api.provision("manage", "inspect")
    node = api.node()
    assert (node["provision_state"], node["last_error"]) == (
        "inspect failed",
        FAILED.format(work="inspect_hardware"),
    )
    assert logged() == [
        ("ERROR", f"inspect_hardware crashed on node {uuid}", "boom"),
        ("ERROR", f"Cleaning up after inspect_hardware crashed on node {uuid}", "boom"),
    ]


def test_a_periodic_task_that_crashes_is_logged(monkeypatch, logged):
    monkeypatch.setattr(periodic_tasks, "look", crash)
    api = Api(hardware_types=tuple(TYPES), interfaces={})
    uuid = api.enrol(driver="redfish", driver_info={"redfish_address": "a"})
    api.provision("manage")
    assert api("PATCH", "/_fake/machines/n", {"power_state": "power on"})[0] == 200
    api.clock.advance(121)
    assert api.node()["power_state"] == "power off"
    lines = [("ERROR", f"A periodic task crashed on node {uuid}", "boom")]
    assert logged() == lines


def test_a_search_for_a_node_that_crashes_is_logged(monkeypatch, logged):
    monkeypatch.setattr(allocations, "_filters", crash)
    api = Api()
    made = api("POST", "/v1/allocations", {"name": "a", "resource_class": "x"})[1]
    found = api("GET", "/v1/allocations/a")[1]
    assert (found["state"], found["last_error"]) == (
        "error",
        "Unexpected exception during allocation: RuntimeError('boom')",
    )
    line = f"Looking for a node for allocation {made['uuid']} crashed"
    assert logged() == [("ERROR", line, "boom")]


def test_work_that_succeeds_is_not_logged(logged):
    api = Api()
    api.enrol()
    api.provision("manage", "inspect", "provide", "active", "deleted")
    assert (api.state(), logged()) == ("available", [])


def test_a_network_interface_that_asks_for_what_there_is_not_is_logged(monkeypatch, logged):
    monkeypatch.setattr(NoopNetwork, "validate", lambda self, task: task.node.colour)
    api = Api()
    api.enrol()
    text = "AttributeError: Node has no attribute colour."
    said = api("GET", "/v1/nodes/n/validate")[1]["network"]
    assert said["reason"].endswith(text)
    line = "validate of network interface noop failed"
    assert logged() == [("ERROR", line, "Node has no attribute colour.")]


@pytest.mark.parametrize(("flow", "state"), [("clean", "manageable"), ("service", "active")])
def test_a_network_interface_that_changes_its_mind_fails_the_flow(monkeypatch, flow, state):
    answers = []

    def validate(self, task):
        if answers and answers.pop():
            raise InvalidParameterValue("No network.")

    monkeypatch.setattr(NoopNetwork, "validate", validate)
    api = Api()
    uuid = api.enrol()
    api.provision("manage")
    if state == "active":
        api.provision("adopt")
    answers += [True, False]
    assert api.provision(flow, **{f"{flow}_steps": STEPS}) == (202, None)
    doing = "cleaning" if flow == "clean" else "service"
    node = api.node()
    assert (node["provision_state"], node["last_error"]) == (
        f"{flow} failed",
        f"Validation of node {uuid} for {doing} failed: No network.",
    )
    assert answers == []


@pytest.mark.parametrize("locked", [True, False])
def test_a_child_waits_for_its_parent(locked):
    api = Api()
    parent = api.enrol("parent")
    uuid = api.enrol(parent_node=parent)
    if locked:
        api("PUT", "/_fake/delays", {"transitions": {"verifying": 600}})
        api.provision("manage", ident="parent")
    assert api("PUT", "/v1/nodes/n/states/power", {"target": "power on"}) == (202, None)
    text = (
        "Failed to change power state to 'power on' by 'power on': Node "
        f"{uuid} parent_node {parent} is presently locked and we are unable to perform any action "
        "on it at this time. Please retry after the current operation is completed."
    )
    node = api.node()
    assert (node["power_state"], node["last_error"]) == (
        (None, text) if locked else ("power on", None)
    )
    assert api.node("parent")["power_state"] == (None if locked else "power on")
