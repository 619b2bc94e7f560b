"""Work that fails in a way that nobody foresaw fails its node alone, and the log says why."""

from __future__ import annotations

import logging

import pytest

from fake_server.baremetal.conductor import allocations
from fake_server.baremetal.conductor.due import power_sync
from fake_server.baremetal.drivers.base import InspectInterface
from fake_server.baremetal.drivers.networks.noop import NoopNetwork
from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.baremetal.hardware_types import TYPES
from fake_server.baremetal.models import nodes
from fake_server.baremetal.models.ports import PORTS
from fake_server.db.store import ConflictError
from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

IMAGE = {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32}
READERS = (
    "/v1/nodes",
    "/v1/nodes/detail",
    "/v1/nodes/n",
    "/v1/nodes/other",
    "/v1/allocations",
    "/networking/v2.0/ports",
    "/placement/resource_providers",
    "/volume/v3/volumes",
    "/compute/v2.1/servers",
)


def crash(*arguments):
    raise RuntimeError("boom")


def assert_readable(api):
    for path in READERS:
        assert api("GET", path)[0] == 200, path
    assert "nodes" in api.app.control.seeds.export()


@pytest.mark.parametrize("delay", [0, 60])
@pytest.mark.parametrize(
    ("method", "verbs", "failed"),
    [
        ("add_provisioning_network", ("manage", "provide", "active"), "deploy failed"),
        ("add_cleaning_network", ("manage", "provide"), "clean failed"),
        ("unconfigure_tenant_networks", ("manage", "provide", "active", "deleted"), "error"),
    ],
)
def test_a_network_interface_that_crashes_fails_its_node(
    monkeypatch, caplog, delay, method, verbs, failed
):
    monkeypatch.setattr(NoopNetwork, method, crash)
    # The error stays for as long as the test takes.
    periodic = {"sync_power_state_interval": 0}
    api = Api(delay=delay, automated_clean=True, agent="simulated", periodic=periodic)
    api.enrol("other")
    api.enrol(deploy_interface="direct", instance_info=IMAGE)
    for verb in verbs:
        assert api.provision(verb) == (202, None)
        for _ in range(30):
            api.clock.advance(100)
            api.node()
    assert_readable(api)
    node = api.node()
    assert node["provision_state"] == failed
    assert "boom" in node["last_error"]
    assert (node["reservation"], node["target_power_state"]) == (None, None)
    assert "Traceback" in caplog.text
    assert api("PUT", "/v1/nodes/other/states/provision", {"target": "manage"})[0] == 202


def test_what_crashed_work_did_is_undone(monkeypatch):
    def inspect(self, task):
        PORTS.create(task.session, {"address": "52:54:00:00:00:01", "node_id": task.node["id"]})
        crash()

    monkeypatch.setattr(InspectInterface, "inspect", inspect)
    api = Api(delay=60)
    api.enrol()
    for verb in ("manage", "inspect"):
        api.provision(verb)
        api.clock.advance(100)
    assert api.state() == "inspect failed"
    assert api("GET", "/v1/ports")[1] == {"ports": []}


@pytest.mark.parametrize(
    ("field", "key", "value", "kind", "text"),
    [
        ("properties", "capabilities", 5, "deploy", "must be text"),
        ("properties", "capabilities", {"a": 1}, "deploy", "must be text"),
        ("properties", "root_device", 5, "deploy", "must be an object"),
        ("properties", "root_device", [{"a": 1}], "deploy", "must be an object"),
        ("instance_info", "root_device", ["size"], "deploy", "must be an object"),
        ("instance_info", "rescue_password", 5, "rescue", "must be a non-empty string"),
    ],
)
def test_values_that_ironic_fails_at_are_refused_with_the_reason(field, key, value, kind, text):
    interfaces = {
        **ENABLED_INTERFACES,
        "boot": ("ipxe",),
        "deploy": ("direct",),
        "rescue": ("agent",),
    }
    api = Api(agent="simulated", interfaces=interfaces)
    images = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
    values = {"driver_info": dict.fromkeys(images, "http://192.0.2.1/x"), "instance_info": IMAGE}
    api.enrol(**{**values, field: {**values.get(field, {}), key: value}})
    api("POST", "/v1/ports", {"node_uuid": api.node()["uuid"], "address": "52:54:00:00:00:01"})
    _, validated = api("GET", "/v1/nodes/n/validate")
    assert validated[kind]["result"] is False
    assert text in validated[kind]["reason"]
    api.provision("manage", "provide")
    status, answer = api.provision("active")
    if kind == "deploy":
        assert status == 400
        assert text in answer
        assert api.state() == "available"


STEPS = [{"step": "erase_devices", "interface": "deploy"}]
FAILED = "Async execution of {work} failed with error: RuntimeError('boom')"


@pytest.fixture
def logged(caplog):
    """Return the levels and the texts that the Bare Metal service has logged, and the causes."""

    def read():
        return [
            (
                record.levelname,
                record.getMessage(),
                record.exc_text and record.exc_text.rpartition(": ")[2],
            )
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
    monkeypatch.setattr(InspectInterface, "inspect", crash)
    monkeypatch.setattr(InspectInterface, "clean_up", crash)
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
    monkeypatch.setattr(power_sync, "look", crash)
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


def test_a_conflict_over_the_locks_of_a_refused_request_does_not_repeat_it(monkeypatch):
    api = Api()
    api.enrol()
    lock, touch, locked, conflicts = nodes.lock, nodes.touch, [], []

    def noted_lock(session, node):
        locked.append(node["uuid"])
        lock(session, node)

    def touch_at_last(session, ids):
        if conflicts:
            raise conflicts.pop()
        touch(session, ids)

    monkeypatch.setattr(nodes, "lock", noted_lock)
    monkeypatch.setattr(nodes, "touch", touch_at_last)
    api.patch("instance_uuid", "5a7f6ac9-d840-4dc2-b18c-9bb8777484b5")
    locked.clear()
    conflicts.append(ConflictError())
    assert api("DELETE", "/v1/nodes/n")[0] == 409
    assert len(locked) == 1
    assert not conflicts
    assert api.node()["updated_at"] is not None
