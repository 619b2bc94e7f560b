"""What the log says of work that crashes: whole lines, with their levels."""

from __future__ import annotations

import logging

import pytest

from fake_server.baremetal.conductor import allocations, periodic_tasks
from fake_server.baremetal.drivers.fake import FakeInspect
from fake_server.baremetal.drivers.networks.noop import NoopNetwork
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


def test_work_that_crashes_is_logged(monkeypatch, logged):
    monkeypatch.setattr(FakeInspect, "inspect", crash)
    api = Api()
    uuid = api.enrol()
    api.provision("manage", "inspect")
    node = api.node()
    assert (node["provision_state"], node["last_error"]) == (
        "inspect failed",
        FAILED.format(work="inspect_hardware"),
    )
    assert logged() == [("ERROR", f"inspect_hardware crashed on node {uuid}", "boom")]


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
