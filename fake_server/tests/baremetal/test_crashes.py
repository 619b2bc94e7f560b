"""Work that fails in a way that nobody foresaw fails its node, and nobody else's request."""

from __future__ import annotations

import pytest

from fake_server.baremetal import tables
from fake_server.baremetal.drivers.fake import FakeInspect
from fake_server.baremetal.drivers.networks.noop import NoopNetwork
from fake_server.baremetal.models import ports
from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api

IMAGE = {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32}
DELAYS = pytest.mark.parametrize("delay", [0, 60])
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


@DELAYS
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


def test_planned_work_that_there_is_no_more_fails_its_node():
    api = Api(delay=60)
    api.enrol()
    api.provision("manage")
    with api.app.store.transaction() as tx:
        event = {"work": "work_of_an_older_release", "arguments": {}}
        tx.update(tables.nodes, [tables.nodes.c.name == "n"], {"due_event": event})
    api.clock.advance(100)
    node = api.node()
    assert node["provision_state"] == "enroll"
    assert "work_of_an_older_release" in node["last_error"]
    assert node["reservation"] is None


def test_what_crashed_work_did_is_undone(monkeypatch):
    def inspect(self, task):
        ports.create(task.session, {"address": "52:54:00:00:00:01", "node_id": task.node["id"]})
        crash()

    monkeypatch.setattr(FakeInspect, "inspect", inspect)
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
