"""Labs that a server starts with, is given, and gives back."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from uuid import UUID

import pytest
import requests
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fake_server.seeds import schema
from fake_server.seeds.parsing import SeedError
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.cli.running import run

RACK = "00000000-0000-4000-8000-00000000c001"
LAB = f"""
chassis:
- uuid: {RACK}
  description: Rack 1
nodes:
- name: "node-{{index:03d}}"
  count: 20
  start: 1
  chassis_uuid: {RACK}
  resource_class: baremetal
  provision_state: available
  traits: [HW_CPU_X86_VMX, CUSTOM_GOLD]
  properties: {{memory_mb: 1024, rack: "r{{index}}"}}
  portgroups:
  - name: "Bond-{{index}}"
  ports:
  - address: "52:54:00:{{index:mac}}"
    portgroup: "Bond-{{index}}"
  - address: "52:54:0{{number}}:{{index:mac}}"
    count: 2
    start: 1
  volume_connectors:
  - {{type: iqn, connector_id: "iqn.2026:{{index}}"}}
  volume_targets:
  - {{volume_type: iscsi, volume_id: "v-{{index}}-{{number}}", boot_index: 0, count: 1}}
- name: bench
  provision_state: active
  instance_uuid: 00000000-0000-4000-8000-000000000001
  maintenance: true
  maintenance_reason: being moved
"""


@pytest.fixture
def server():
    with FakeServer() as server:
        yield server


@pytest.fixture
def lab(tmp_path):
    path = tmp_path / "lab.yaml"
    path.write_text(LAB)
    return path


def get(server, path):
    headers = {"X-OpenStack-Ironic-API-Version": "1.115"}
    answer = requests.get(server.url + path, headers=headers, timeout=10)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_lab_from_a_file(lab):
    with FakeServer(seed=lab) as server:
        assert len(get(server, "/v1/nodes")["nodes"]) == 21
        node = get(server, "/v1/nodes/node-007")
        assert node["provision_state"] == "available"
        assert node["power_state"] == "power off"
        assert node["chassis_uuid"] == RACK
        assert node["traits"] == ["CUSTOM_GOLD", "HW_CPU_X86_VMX"]
        assert node["properties"] == {"memory_mb": 1024, "rack": "r7"}
        assert node["deploy_interface"] == "fake"
        ports = get(server, f"/v1/ports/detail?node={node['uuid']}")["ports"]
        group = get(server, "/v1/portgroups/Bond-7")
        assert [(port["address"], port["portgroup_uuid"]) for port in ports] == [
            ("52:54:00:00:00:07", group["uuid"]),
            ("52:54:01:00:00:07", None),
            ("52:54:02:00:00:07", None),
        ]
        (target,) = get(server, f"/v1/nodes/{node['uuid']}/volume/targets")["targets"]
        assert target["volume_id"] == "v-7-0"
        assert get(server, "/v1/nodes/bench")["power_state"] == "power on"


PORT = {"address": "52:54:00:00:00:01"}
TARGET = {"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}


def test_templates_and_runbooks(server):
    step = {"interface": "deploy", "step": "deploy", "args": {}, "priority": "5"}
    order = {"interface": "bios", "step": "apply_configuration", "order": 1}
    runbook = {"name": "r{index}", "count": 2, "steps": [order], "traits": ["CUSTOM_B"]}
    seed = {
        "deploy_templates": [{"name": "CUSTOM_A", "steps": [step], "extra": {"a": 1}}],
        "runbooks": [{**runbook, "public": True}],
    }
    server.seed(seed)
    template = get(server, "/v1/deploy_templates/CUSTOM_A")
    assert template["steps"] == [{**step, "priority": 5}]
    shown = get(server, "/v1/runbooks/r1")
    assert (shown["traits"], shown["public"]) == (["CUSTOM_B"], True)
    assert shown["steps"] == [{**order, "args": {}}]


def test_allocations(server):
    node = {"name": "gold-{index}", "count": 3, "resource_class": "gold"}
    server.seed(
        {
            "nodes": [node | {"provision_state": "available", "power_state": "power off"}],
            "allocations": [
                {"name": "given", "node": "gold-1", "traits": ["CUSTOM_A"]},
                {"name": "wanted", "resource_class": "gold"},
                {"name": "failed", "resource_class": "none", "state": "error"},
            ],
        }
    )
    given = get(server, "/v1/allocations/given")
    taken = get(server, "/v1/nodes/gold-1")
    assert (given["state"], given["resource_class"]) == ("active", "gold")
    assert given["uuid"] == taken["instance_uuid"] == taken["allocation_uuid"]
    assert taken["instance_info"]["traits"] == ["CUSTOM_A"]
    # What has no node yet is given one, as if it had just been asked for.
    assert get(server, "/v1/allocations/wanted")["state"] == "active"
    assert get(server, "/v1/allocations/failed")["state"] == "error"
    exported = server.export_seed()
    server.reset()
    server.seed(exported)
    assert server.export_seed() == exported
    path = f"{server.url}/v1/allocations/given"
    headers = {"X-OpenStack-Ironic-API-Version": "1.115"}
    assert requests.delete(path, headers=headers, timeout=10).status_code == 204
    assert get(server, "/v1/nodes/gold-1")["instance_uuid"] is None


names = st.from_regex(r"\A[a-z][a-z0-9._~-]{0,20}\Z")
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
objects = st.dictionaries(
    texts, texts | st.integers(-9, 9) | st.none() | st.lists(texts), max_size=3
)
uuids = st.uuids().map(str)
macs = st.integers(0, 2**48 - 1).map(
    lambda number: ":".join(f"{number:012x}"[place : place + 2] for place in range(0, 12, 2))
)
SOME = {
    "uuid": uuids,
    "owner": texts,
    "description": texts,
    "extra": objects,
    "driver_info": objects,
    "instance_info": st.dictionaries(names, texts, max_size=2).filter(
        lambda info: not any(key.endswith("_interface") for key in info)
    ),
    "provision_state": st.sampled_from(sorted(schema.STATES)),
    "power_state": st.sampled_from(["power on", "power off", None]),
    "maintenance": st.booleans(),
    "retired": st.booleans(),
    "automated_clean": st.none() | st.booleans(),
    "traits": st.lists(st.from_regex(r"\ACUSTOM_[A-Z0-9_]{1,9}\Z"), max_size=3),
    "target_raid_config": objects,
    "network_interface": st.sampled_from(["noop", "flat"]),
}


@st.composite
def labs(draw):
    macs_of_lab = iter(draw(st.lists(macs, min_size=8, max_size=8, unique=True)))
    chassis = draw(st.lists(st.fixed_dictionaries({"uuid": uuids}, optional={"extra": objects}),
                            max_size=2, unique_by=lambda item: item["uuid"]))  # fmt: skip
    nodes = []
    for number, name in enumerate(draw(st.lists(names, max_size=3, unique=True))):
        node = draw(st.fixed_dictionaries({}, optional=SOME)) | {"name": name}
        node.pop("uuid", None) if draw(st.booleans()) else None
        if chassis and draw(st.booleans()):
            node["chassis_uuid"] = draw(st.sampled_from(chassis))["uuid"]
        node["portgroups"] = [{"name": f"g{number}", "mode": "802.3ad"}]
        node["ports"] = [
            {"address": next(macs_of_lab), "extra": draw(objects)},
            {"address": next(macs_of_lab), "portgroup": f"g{number}", "pxe_enabled": False},
        ]
        node["volume_connectors"] = [{"type": "iqn", "connector_id": name}]
        node["volume_targets"] = [
            TARGET | {"boot_index": index, "properties": draw(objects)}
            for index in range(draw(st.integers(0, 2)))
        ]
        nodes.append(node)
    return {"chassis": chassis, "nodes": nodes}


@pytest.fixture(scope="module")
def empty():
    server = FakeServer(Settings())
    yield server
    server.stop()


@given(seed=labs())
def test_what_is_exported_makes_the_same_lab(empty, seed):
    empty.clock.switch("manual")
    empty.reset()
    empty.seed(seed)
    exported = empty.export_seed()
    given_names = {node["name"]: node for node in seed["nodes"]}
    for node in exported.get("nodes", []):
        for name, value in given_names[node["name"]].items():
            if name not in ("portgroups", "ports", "volume_connectors", "volume_targets", "traits"):
                assert node.get(name) == value or (not value and not node.get(name))
        assert node.get("traits", []) == sorted(set(given_names[node["name"]].get("traits", [])))
        assert UUID(node["uuid"])
    empty.reset()
    # As a file, it is the same.
    empty.seed(yaml.safe_load(yaml.safe_dump(json.loads(json.dumps(exported)))))
    assert empty.export_seed() == exported


def test_the_command_fills_a_new_database_only(lab, tmp_path, capfd):
    db = f"sqlite:///{tmp_path}/lab.db"
    script = (
        "import json, os, urllib.request\n"
        "url = os.environ['OS_ENDPOINT'] + '/v1/nodes'\n"
        "print(len(json.load(urllib.request.urlopen(url))['nodes']))\n"
    )
    command = ["exec", "--db", db, "--seed", str(lab), "--", sys.executable, "-c", script]
    first = run(*command)
    assert (first.returncode, capfd.readouterr().out, first.stderr) == (0, "21\n", "")
    again = run(*command)
    assert (again.returncode, capfd.readouterr().out) == (0, "21\n")
    assert "is ignored, because the database is not new." in again.stderr


@pytest.mark.parametrize(
    ("text", "problem"),
    [("nodes: [{name: 5}]", "nodes[0].name"), ("a: [", "parsing"), ("[]", "has to be an object")],
)
def test_the_command_says_what_is_wrong(tmp_path, text, problem):
    path = Path(tmp_path, "lab.yaml")
    path.write_text(text)
    done = run("--port", "0", "--seed", str(path))
    assert done.returncode == 1
    assert done.stdout == ""
    assert problem in done.stderr
    assert "Traceback" not in done.stderr


def test_nested_as_in_files_of_baremetal_create(server):
    uuid = "00000000-0000-4000-8000-000000000007"
    port = {"address": "52:54:00:00:00:01", "node_uuid": uuid}
    group = {"name": "g", "ports": [port, {"address": "52:54:00:00:00:02"}]}
    inner = {"uuid": uuid, "name": "inner", "portgroups": [group]}
    counts = server.seed({"chassis": [{"description": "c", "nodes": [inner, {"name": "other"}]}]})
    assert (counts["nodes"], counts["ports"], counts["portgroups"]) == (2, 2, 1)
    exported = server.export_seed()
    rack = exported["chassis"][0]["uuid"]
    assert [node["chassis_uuid"] for node in exported["nodes"]] == [rack, rack]
    (shown,) = exported["nodes"][0]["portgroups"]
    assert [one["portgroup"] for one in exported["nodes"][0]["ports"]] == [shown["uuid"]] * 2


def test_what_is_nested_belongs_to_what_is_around_it(server):
    for seed, place in (
        ({"nodes": [{"ports": [PORT | {"node_uuid": RACK}]}]}, "nodes[0].ports[0].node_uuid"),
        ({"chassis": [{"nodes": [{"chassis_uuid": RACK}]}]}, "chassis[0].nodes[0].chassis_uuid"),
        (
            {"nodes": [{"portgroups": [{"ports": [PORT | {"portgroup_uuid": RACK}]}]}]},
            "nodes[0].portgroups[0].ports[0].portgroup_uuid",
        ),
    ):
        with pytest.raises(SeedError) as caught:
            server.seed(seed)
        assert f"{place}: is '{RACK}', but it is nested in another" in str(caught.value)


def test_the_first_of_the_states_that_will_do_counts():
    nodes = [{"name": "n", "provision_state": ["available", "active"]}]
    with FakeServer(seed={"nodes": nodes}) as server:
        seed = server.export_seed()
    assert [node["provision_state"] for node in seed["nodes"]] == ["available"]


@pytest.mark.parametrize("state", [[], ["available", "flying"], [["available"]]])
def test_other_lists_of_states_are_refused(state):
    with pytest.raises(SeedError, match=r"nodes\[0\].provision_state: has to be one of"):
        FakeServer(seed={"nodes": [{"name": "n", "provision_state": state}]})


@pytest.mark.parametrize(
    ("seed", "told"),
    [
        ({"nodes": [{"nmae": "n"}]}, "nodes[0].nmae: unknown field. Did you mean name?"),
        (
            {"nodes": [{"provision_state": "avialable"}]},
            "nodes[0].provision_state: can't be 'avialable'. Did you mean available?",
        ),
        (
            {"nodes": [{"driver": "ipmi", "machine": {"reachble": False}}]},
            "nodes[0].machine: unknown field 'reachble'. Did you mean reachable?",
        ),
        ({"nodse": []}, "nodse: unknown list. Did you mean nodes?"),
        ({"nodes": [{"xyzzy": 1}]}, "nodes[0].xyzzy: unknown field. Known fields: uuid, "),
    ],
)
def test_a_slip_of_the_finger_gets_the_names_that_are_near(seed, told):
    with pytest.raises(SeedError) as refused:
        FakeServer(seed=seed)
    assert str(refused.value).startswith(f"Invalid seed: {told}")
