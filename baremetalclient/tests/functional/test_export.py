"""``declare.export()`` and ``baremetal export``."""

from __future__ import annotations

import copy
import json

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baremetalclient import client as clients
from baremetalclient import declare, exc
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS, Cli
from baremetalclient.tests.functional.exported_labs import labs
from fake_server.server import FakeServer
from fake_server.settings import Settings

RACK = "00000000-0000-4000-8000-00000000c001"
LAB = {
    "chassis": [{"uuid": RACK, "description": "Rack 1"}, {"description": "Rack 2"}],
    "nodes": [
        {
            "name": "b",
            "driver": "fake-hardware",
            "chassis_uuid": RACK,
            "provision_state": "available",
            "power_state": "power on",
            "resource_class": "gold",
            "description": "No: 1",
            "driver_info": {"ipmi_address": "h", "ipmi_password": "top", "snmp_community": "pub"},
            "properties": {"cpus": 8},
            "extra": {"rack": {"row": [1, None]}},
            "traits": ["CUSTOM_B", "CUSTOM_A"],
            "portgroups": [{"name": "bond", "mode": "802.3ad"}],
            "ports": [
                {"address": "52:54:00:00:00:02", "portgroup": "bond", "pxe_enabled": False},
                {"address": "52:54:00:00:00:01"},
            ],
            "volume_connectors": [{"type": "iqn", "connector_id": "iqn.2026-01.com.example:b"}],
            "volume_targets": [
                {
                    "volume_type": "iscsi",
                    "volume_id": "v",
                    "boot_index": 0,
                    "properties": {"auth_password": "top", "target_lun": 1},
                }
            ],
            "history": [{"event": "Broken", "severity": "ERROR"}],
            "instance_info": {"image_type": "whole-disk", "image_url": "http://i", "kept": 1},
        },
        {"name": "a", "driver": "fake-hardware", "provision_state": "clean failed"},
        {"name": "c", "driver": "fake-hardware", "parent_node": "a"},
    ],
    "deploy_templates": [
        {
            "name": "CUSTOM_T",
            "steps": [{"interface": "bios", "step": "s", "args": {"a": 1}, "priority": 5}],
        }
    ],
    "runbooks": [
        {
            "name": "r",
            "traits": ["CUSTOM_R"],
            "steps": [{"interface": "bios", "step": "s", "args": {}, "order": 1}],
        }
    ],
    "inspection_rules": [
        {
            "description": "Racks",
            "actions": [{"op": "set-attribute", "args": {"path": "/extra/r", "value": "{node.x}"}}],
        }
    ],
    "allocations": [{"name": "taken", "node": "b"}],
}
WITHOUT_UUIDS = {
    "chassis": [
        {
            "description": "Rack 1",
            "nodes": [
                {
                    "name": "b",
                    "description": "No: 1",
                    "driver": "fake-hardware",
                    "provision_state": "available",
                    "power_state": "power on",
                    "resource_class": "gold",
                    "driver_info": {"ipmi_address": "h"},
                    "properties": {"cpus": 8},
                    "extra": {"rack": {"row": [1, None]}},
                    "instance_info": {"kept": 1},
                    "traits": ["CUSTOM_A", "CUSTOM_B"],
                    "portgroups": [{"name": "bond", "mode": "802.3ad"}],
                    "ports": [
                        {"address": "52:54:00:00:00:01"},
                        {"address": "52:54:00:00:00:02", "pxe_enabled": False, "portgroup": "bond"},
                    ],
                    "volume_connectors": [
                        {"type": "iqn", "connector_id": "iqn.2026-01.com.example:b"}
                    ],
                    "volume_targets": [
                        {
                            "volume_type": "iscsi",
                            "volume_id": "v",
                            "boot_index": 0,
                            "properties": {"target_lun": 1},
                        }
                    ],
                }
            ],
        },
        {"description": "Rack 2"},
    ],
    "nodes": [
        {"name": "a", "driver": "fake-hardware", "provision_state": "manageable"},
        {
            "name": "c",
            "driver": "fake-hardware",
            "provision_state": "enroll",
            "parent_node": "a",
        },
    ],
    "deploy_templates": LAB["deploy_templates"],
    "runbooks": LAB["runbooks"],
    "inspection_rules": LAB["inspection_rules"],
    "allocations": [{"name": "taken", "resource_class": "gold", "candidate_nodes": ["b"]}],
}


def connect(server):
    return clients.get_client(1, endpoint=server.url, retry_interval=0)


@pytest.fixture
def server():
    with FakeServer(seed=LAB) as server:
        yield server


def test_what_is_exported(server):
    assert declare.export(connect(server), uuids=False) == WITHOUT_UUIDS


def test_with_uuids(server):
    client = connect(server)
    lab = declare.export(client)
    nodes = {node["name"]: node for node in lab["nodes"]}
    assert list(nodes) == ["a", "b", "c"]
    assert {name: node["uuid"] for name, node in nodes.items()} == {
        node.name: node.uuid for node in client.node.list(include_children=True)
    }
    assert nodes["b"]["chassis_uuid"] == RACK
    assert nodes["c"]["parent_node"] == nodes["a"]["uuid"]
    assert [one["candidate_nodes"] for one in lab["allocations"]] == [[nodes["b"]["uuid"]]]
    kinds = [*lab.values(), *(nodes["b"][key] for key in ("ports", "portgroups"))]
    assert all("uuid" in entry for entries in kinds for entry in entries)


def test_what_is_left_out_is_told(server):
    told = []
    declare.export(connect(server), uuids=False, tell=told.append)
    (target,) = connect(server).volume_target.list()
    places = ("node b: driver_info/ipmi_password", "node b: driver_info/snmp_community")
    secret = (*places, f"volume target {target.uuid}: properties/auth_password")
    assert told == [
        "node a: its state 'clean failed' is exported as 'manageable'.",
        *(
            f"{place} is left out, because it is secret. Refer to it with '!secret'."
            for place in secret
        ),
    ]


def test_some_nodes_and_their_chassis(server):
    found = declare.export(connect(server), "resource-class=gold")
    assert [node["name"] for node in found["nodes"]] == ["b"]
    assert [chassis["description"] for chassis in found["chassis"]] == ["Rack 1"]
    assert set(found) == {"nodes", "chassis"}
    assert declare.export(connect(server), ["name=a", "name=c"])["nodes"][0]["name"] == "a"
    assert set(declare.export(connect(server), nodes=["a"])) == {"nodes"}


def test_a_selection_that_is_wrong_sends_nothing(server):
    server.requests.clear()
    with pytest.raises(exc.ValidationError):
        declare.export(connect(server), "colour=red")
    assert server.requests.find() == []


def test_requests_do_not_grow_with_nodes():
    nodes = [{"name": f"n{number}", "driver": "fake-hardware"} for number in range(50)]
    with FakeServer(seed={"nodes": nodes}) as server:
        assert len(declare.export(connect(server))["nodes"]) == 50
        assert len(server.requests.find()) <= 13


def test_what_nothing_else_identifies_keeps_its_uuid():
    twins = [{"description": "Twin"}, {"description": "Twin"}]
    seed = {"nodes": [{"driver": "fake-hardware"}], "chassis": twins}
    with FakeServer(seed=seed) as server:
        told = []
        lab = declare.export(connect(server), uuids=False, tell=told.append)
        assert all("uuid" in entry for entries in lab.values() for entry in entries)
        assert len(told) == 3


def test_what_no_file_can_say_is_told():
    seed = {"nodes": [{"name": "n", "driver": "fake-hardware", "extra": {"a": "{index}", "b": 1}}]}
    with FakeServer(seed=seed) as server:
        told = []
        lab = declare.export(connect(server), tell=told.append)
        assert lab["nodes"][0]["extra"] == {"b": 1}
        assert "node n: extra/a is left out" in told[0]


def test_what_an_old_version_lacks_is_told(server):
    old = clients.get_client(1, endpoint=server.url, os_ironic_api_version="1.31")
    told = []
    lab = declare.export(old, tell=told.append)
    assert [node["name"] for node in lab["nodes"]] == ["a", "b"]
    assert "No volume connectors are exported" in "".join(told)


def test_what_a_user_may_not_see_is_told(server):
    server.faults.add({"path": "/v1/deploy_templates*"}, {"status": 403})
    told = []
    assert "deploy_templates" not in declare.export(connect(server), tell=told.append)
    assert "No deploy templates are exported" in "".join(told)


@pytest.fixture(scope="module")
def pair():
    with FakeServer() as one, FakeServer() as other:
        yield one, other


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lab=labs(), uuids=st.booleans())
def test_an_exported_lab_makes_the_same_lab(pair, lab, uuids):
    """The fixed point: export, apply to an empty Ironic, and export again."""
    first, second = pair
    first.reset()
    second.reset()
    first.seed(copy.deepcopy(lab))
    exported = declare.export(connect(first), uuids=uuids)
    client = connect(second)
    results = declare.plan(client, copy.deepcopy(exported)).apply()
    assert [one for one in results if one.result != "done"] == []
    assert declare.export(client, uuids=uuids) == exported
    assert declare.plan(client, exported).steps == []
    second.requests.clear()
    declare.plan(client, exported).apply()
    assert {one.method for one in second.requests.find()} <= {"GET"}


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
    assert "ipmi_password is left out, because it is secret" in done.err
    assert "top" not in done.out + done.err
    assert json.loads(cli("export", "--no-uuids", "-f", "json").out) == WITHOUT_UUIDS
    file = tmp_path / "lab.yaml"
    file.write_text("old")
    written = cli("export", "--no-uuids", "--output", str(file), "b")
    assert written.out == ""
    assert [one["name"] for one in yaml.safe_load(file.read_text())["chassis"][0]["nodes"]] == ["b"]


def test_a_file_is_written_whole_or_not_at_all(server, tmp_path):
    file = tmp_path / "lab.yaml"
    file.write_text("old")
    done = Cli("baremetal", server.url).run("export", "--output", str(file), "missing")
    assert (done.code, file.read_text()) == (1, "old")
    server.requests.clear()
    done = Cli("baremetal", server.url).run("export", "--output", str(tmp_path / "no" / "lab"))
    assert (done.code, server.requests.find()) == (2, [])


def test_two_sources_are_a_usage_error(server):
    server.requests.clear()
    done = Cli("baremetal", server.url).run("export", "b", "--all")
    assert (done.code, server.requests.find()) == (2, [])


def test_all_nodes_are_a_source_too(server):
    found = json.loads(Cli("baremetal", server.url)("export", "--all", "-f", "json").out)
    assert [node["name"] for node in found["nodes"]] == ["a", "b", "c"]
    assert set(found) == {"chassis", "nodes"}
    assert [chassis["description"] for chassis in found["chassis"]] == ["Rack 1"]


def test_a_selection_of_no_nodes(server):
    done = Cli("baremetal", server.url)("export", "--select", "name=x")
    assert yaml.safe_load(done.out) == {}
    assert "No nodes are selected" in done.err
