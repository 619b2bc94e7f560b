"""``baremetal create FILE``."""

import json
import threading

import pytest

from baremetalclient.declare import kinds
from baremetalclient.tests.unit.scripted import Reply, fault
from baremetalclient.v1.node import Node, NodeManager
from fake_server.seeds import schema, services

CONTENT = {
    "chassis": [{"description": "c", "nodes": [{"name": "in-chassis", "driver": "d"}]}],
    "nodes": [
        {
            "name": "n",
            "driver": "d",
            "ports": [{"address": "p"}],
            "portgroups": [{"name": "g", "ports": [{"address": "in-group"}]}],
        }
    ],
}


def created(*uuids):
    return tuple(Reply({"uuid": uuid}, 201) for uuid in uuids)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "lab.json"
    path.write_text(json.dumps(CONTENT))
    return str(path)


def test_everything_is_created_in_its_place(run, path):
    done = run("create", path, script=created("C", "NC", "N", "G", "GP", "P"))
    assert done.code == 0
    assert [(request.path, request.json) for request in done.requests] == [
        ("/v1/chassis", {"description": "c"}),
        ("/v1/nodes", {"name": "in-chassis", "driver": "d", "chassis_uuid": "C"}),
        ("/v1/nodes", {"name": "n", "driver": "d"}),
        ("/v1/portgroups", {"name": "g", "node_uuid": "N"}),
        ("/v1/ports", {"address": "in-group", "node_uuid": "N", "portgroup_uuid": "G"}),
        ("/v1/ports", {"address": "p", "node_uuid": "N"}),
    ]
    assert "Created node N" in done.err


def test_patterns_without_a_count_are_created_as_they_are(run, tmp_path):
    node = {"name": "n", "driver": "d", "extra": {"motd": "{index}"}}
    file = tmp_path / "lab.json"
    file.write_text(json.dumps({"nodes": [node]}))
    done = run("create", str(file), script=created("N"))
    assert done.code == 0, done.err
    assert [request.json for request in done.requests] == [node]


def test_the_rest_is_created_after_a_failure(run, path):
    script = (fault("No chassis.", 400), *created("N", "G", "GP", "P"))
    done = run("create", path, script=script)
    assert done.code == 1
    assert len(done.requests) == 5
    assert "Failed to create chassis without a name: No chassis." in done.err


def test_a_wrong_value_anywhere_creates_nothing(run, path, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    port = "{address: 52:54:00:12:34:56, local_link_connection: {switch_id: 10:00:00:12:34:56}}"
    wrong.write_text(f"nodes: [{{driver: d, ports: [{port}, {{address: p, node_uuid: x}}]}}]")
    done = run("create", path, str(wrong))
    assert (done.code, done.requests) == (1, [])
    for message in (
        "nodes[0].ports[0].address is the number",
        "nodes[0].ports[0].local_link_connection.switch_id is the number",
        "node_uuid is 'x'",
    ):
        assert message in done.err
    assert f"{wrong}: " in done.err
    assert "Nothing was created." in done.err


def test_the_uuid_of_the_resource_around_may_be_repeated(run, tmp_path):
    path = tmp_path / "lab.json"
    node = {"uuid": "N", "driver": "d", "ports": [{"address": "p", "node_uuid": "N"}]}
    path.write_text(json.dumps({"nodes": [node]}))
    done = run("create", str(path), script=created("N", "P"))
    assert (done.code, done.requests[1].json) == (0, {"address": "p", "node_uuid": "N"})


def test_what_ironic_cannot_be_given_is_told_in_one_line(run, tmp_path):
    content = {
        "nodes": [{"name": "n", "provision_state": "active", "machine": {}, "history": []}],
        "allocations": [
            {"name": "a", "node": "n"},
            {"name": "b", "state": "error"},
            {"name": "c", "resource_class": "x", "last_error": "e"},
        ],
        "networks": [{"name": "x"}],
        "servers": [],
    }
    path = tmp_path / "seed.json"
    path.write_text(json.dumps(content))
    done = run("create", "--parallel", "1", str(path), script=created("N", "C"))
    assert [(request.path, request.json) for request in done.requests] == [
        ("/v1/nodes", {"name": "n"}),
        ("/v1/allocations", {"name": "c", "resource_class": "x"}),
    ]
    (line,) = [line for line in done.err.splitlines() if "left out" in line]
    assert line.endswith(
        "seed.json: left out, because Ironic does not accept it: provision_state of nodes, machine "
        "of nodes, history of nodes, allocations that are no longer open, last_error of "
        "allocations, networks"
    )


def test_what_is_below_a_node_is_created_though_its_traits_are_refused(run, tmp_path):
    path = tmp_path / "seed.json"
    content = {"nodes": [{"name": "n", "traits": ["CUSTOM_A"], "ports": [{"address": "p"}]}]}
    path.write_text(json.dumps(content))
    done = run("create", str(path), script=(*created("N"), fault("No.", 400), *created("P")))
    assert (done.code, len(done.requests)) == (1, 3)
    assert "Failed to complete node n: No." in done.err


def test_the_fake_server_knows_the_same_lists():
    """A seed is a file for ``create``, and such a file is a seed."""
    ironic = {kind.key: kind for kind in schema.LISTS}
    assert set(kinds.LISTS) == set(ironic)
    assert set(kinds.OTHER_LISTS) == {kind.key for kind in services.LISTS}
    nested = dict(ironic)
    while nested:
        key, kind = nested.popitem()
        ours = kinds.KINDS[key]
        below = {child.key: child for child in kind.children if child.key not in ours.seed_only}
        assert set(ours.nested) == set(below)
        nested |= below
        known = {*kind.fields, *kind.links, *(["traits"] if kind.traits is not None else [])}
        # A name that only the documents have.
        assert set(ours.schema.creatable_names) - known <= {"network_provider"}
        assert known <= {*ours.schema.by_name, *ours.known, *ours.seed_only, "node_uuid"}


def test_several_resources_are_created_at_a_time(run, tmp_path, monkeypatch):
    meeting = threading.Barrier(2)

    def create(self, **fields):
        meeting.wait(timeout=10)
        return Node(self, {"uuid": fields["name"]})

    monkeypatch.setattr(NodeManager, "create", create)
    path = tmp_path / "lab.yml"
    path.write_text("nodes: [{name: 'n{index}', count: 4}]")
    done = run("create", str(path), "--parallel", "2")
    assert done.code == 0
    assert {line for line in done.err.splitlines() if "Created" in line} == {
        f"Created node n{number}" for number in range(4)
    }


@pytest.mark.parametrize("bounds", [("--on-error", "stop"), ("--max-failures", "1")])
def test_nothing_more_is_created_after_failures(run, tmp_path, bounds):
    path = tmp_path / "lab.yaml"
    path.write_text("nodes: [{name: 'n{index}', count: 4}]")
    script = (fault("No.", 400),)
    done = run("create", str(path), "--parallel", "1", *bounds, script=script)
    assert (done.code, len(done.requests)) == (1, 1)
