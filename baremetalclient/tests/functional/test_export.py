"""``declare.export()`` and ``baremetal export``."""

from __future__ import annotations

import copy
import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from baremetalclient import client as clients
from baremetalclient import declare, exc
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS, Cli
from baremetalclient.tests.unit.declare.conftest import Lab
from baremetalclient.tests.unit.declare.test_convergence import LABS
from fake_server.server import FakeServer
from fake_server.settings import Settings

RACK = "00000000-0000-4000-8000-00000000c001"
STEP = {"interface": "bios", "step": "s", "args": {"a": 1}}
KEPT = {
    "deploy_templates": [{"name": "CUSTOM_T", "steps": [{**STEP, "priority": 5}]}],
    "runbooks": [{"name": "r", "traits": ["CUSTOM_R"], "steps": [{**STEP, "order": 1}]}],
    "inspection_rules": [
        {"description": "Racks", "actions": [{"op": "fail", "args": {"msg": "{node.x}"}}]}
    ],
}
"""What is exported as it is."""
NODE = {
    "name": "b",
    "driver": "fake-hardware",
    "provision_state": "available",
    "power_state": "power on",
    "resource_class": "gold",
    "description": "No: 1",
    "extra": {"rack": {"row": [1, None]}},
    "ports": [{"address": "52:54:00:00:00:01"}],
}
SECRET = {"driver_info": {"ipmi_address": "h", "ipmi_password": "top", "snmp_community": "pub"}}
WITHOUT_SECRETS = {
    "driver_info": {"ipmi_address": "h"},
    "provision_state": ["available", "active"],
}
LAB = {
    "chassis": [{"uuid": RACK, "description": "Rack 1"}, {"description": "Rack 2"}],
    "nodes": [
        {**NODE, **SECRET, "chassis_uuid": RACK},
        {"name": "a", "driver": "fake-hardware", "provision_state": "clean failed"},
        {"name": "c", "driver": "fake-hardware", "parent_node": "a"},
    ],
    "allocations": [{"name": "taken", "node": "b"}],
    **KEPT,
}
WITHOUT_UUIDS = {
    "chassis": [
        {"description": "Rack 1", "nodes": [{**NODE, **WITHOUT_SECRETS}]},
        {"description": "Rack 2"},
    ],
    "nodes": [
        {"name": "a", "driver": "fake-hardware", "provision_state": "manageable"},
        {"name": "c", "driver": "fake-hardware", "provision_state": "enroll", "parent_node": "a"},
    ],
    "allocations": [{"name": "taken", "resource_class": "gold", "candidate_nodes": ["b"]}],
    **KEPT,
}


def connect(server):
    return clients.get_client(1, endpoint=server.url, retry_interval=0)


@pytest.fixture
def server():
    with FakeServer(seed=LAB) as server:
        yield server


def test_some_nodes_and_their_chassis(server):
    client = connect(server)
    found = declare.export(client, "resource-class=gold")
    assert [node["name"] for node in found["nodes"]] == ["b"]
    assert [chassis["description"] for chassis in found["chassis"]] == ["Rack 1"]
    assert set(found) == {"nodes", "chassis"}
    assert declare.export(client, ["name=a", "name=b"])["nodes"][0]["name"] == "a"
    assert set(declare.export(client, nodes=["a"])) == {"nodes"}
    server.requests.clear()
    with pytest.raises(exc.ValidationError):
        declare.export(client, "colour=red")
    assert server.requests.find() == []


@settings(max_examples=4, deadline=None)
@given(lab=LABS, uuids=st.booleans())
def test_an_exported_lab_makes_the_same_lab(lab, uuids):
    """The fixed point: export, apply to an empty Ironic, and export again."""
    first, second = Lab(FakeServer(seed=LAB)), Lab(FakeServer())
    declare.plan(first.client, lab).apply(allow_interruptions=True)
    exported = declare.export(first.client, uuids=uuids)
    results = declare.plan(second.client, copy.deepcopy(exported)).apply()
    assert [one for one in results if one.result != "done"] == []
    assert declare.export(second.client, uuids=uuids) == exported
    assert declare.plan(second.client, exported).steps == []
    second.writes()
    declare.plan(second.client, exported).apply()
    assert second.writes() == []


def test_vifs_are_attached_again():
    vif = "11111111-0000-4000-8000-000000000001"
    cloud = Settings(
        interfaces={"network": ("noop", "flat")},
        provisioning_network="provisioning",
        cleaning_network="cleaning",
    )
    networks = [{"name": "tenant", "ports": [{"id": vif}]}]
    node = {
        "name": "n",
        "driver": "fake-hardware",
        "network_interface": "flat",
        "provision_state": "available",
        "ports": [{"address": "52:54:00:00:00:01"}],
    }
    seed = {"networks": networks, "nodes": [node]}
    with FakeServer(cloud, seed=seed) as one, FakeServer(cloud, seed={"networks": networks}) as two:
        first, second = connect(one), connect(two)
        first.node.vif_attach("n", vif)
        exported = declare.export(first, uuids=False)
        assert exported["nodes"][0]["vifs"] == [vif]
        declare.plan(second, exported).apply()
        assert [found.id for found in second.node.vif_list("n")] == [vif]
        assert declare.export(second, uuids=False) == exported


def test_the_same_on_the_ironic_under_test(client, make_node):
    """On a real Ironic, too: a node is exported, deleted, applied and exported again."""
    node = make_node(
        resource_class="gold", extra={"rack": [1, {"row": None}]}, properties={"cpus": "8"}
    )
    client.node.set_traits(node.uuid, ["CUSTOM_B", "CUSTOM_A"])
    group = client.portgroup.create(node_uuid=node.uuid, name=f"{node.name}-bond")
    for last, fields in (("01", {"portgroup_uuid": group.uuid}), ("02", {"pxe_enabled": False})):
        client.port.create(node_uuid=node.uuid, address=f"52:54:00:0e:0e:{last}", **fields)
    client.volume_connector.create(node_uuid=node.uuid, type="iqn", connector_id=node.name)
    for verb, state in (("manage", "manageable"), ("provide", "available")):
        client.node.set_provision_state(node.uuid, verb)
        client.node.wait_for_provision_state(node.uuid, state, timeout=60, poll_interval=0.1)
    for uuids in (True, False):
        exported = declare.export(client, f"name={node.name}", uuids=uuids)
        assert [one["name"] for one in exported["nodes"]] == [node.name]
        client.node.delete(node.name)
        results = declare.plan(client, exported).apply(timeout=120)
        assert {one.result for one in results} == {"done"}, results
        assert declare.export(client, f"name={node.name}", uuids=uuids) == exported
    client.node.delete(node.name)


@BOTH_PROGRAMS
def test_the_command(server, program, tmp_path):
    cli = Cli(program, server.url)
    done = cli("export", "--no-uuids")
    assert yaml.safe_load(done.out) == WITHOUT_UUIDS
    assert "'52:54:00:00:00:01'" in done.out
    for told in (
        "node a: its state 'clean failed' is exported as 'manageable'.",
        "node b: driver_info/ipmi_password is left out, because it is secret. Refer to it with",
        "node b: driver_info/snmp_community is left out, because it is secret.",
    ):
        assert told in done.err
    assert "top" not in done.out + done.err
    assert json.loads(cli("export", "--no-uuids", "-f", "json").out) == WITHOUT_UUIDS
    file = tmp_path / "lab.yaml"
    file.write_text("old")
    written = cli("export", "--no-uuids", "--output", str(file), "b")
    assert written.out == ""
    assert [one["name"] for one in yaml.safe_load(file.read_text())["chassis"][0]["nodes"]] == ["b"]
