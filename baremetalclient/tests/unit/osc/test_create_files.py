"""``baremetal create FILE``."""

import json

import pytest

from baremetalclient.tests.unit.scripted import Reply, fault

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


def test_the_rest_is_created_after_a_failure(run, path):
    script = (fault("No chassis.", 400), *created("N", "G", "GP", "P"))
    done = run("create", path, script=script)
    assert done.code == 1
    assert len(done.requests) == 5
    assert "Failed to create chassis without a name: No chassis." in done.err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("nodes: [{driver: d, ports: [{address: p, node_uuid: x}]}]", "node_uuid is 'x'"),
        ("nodes: [{driver: d, ports: [{address: 52:54:00:12:34:56}]}]", "'52:54:00:12:34:56'"),
        ("nodes: [{driver: d, ports: [{address: 52:54:00:12:34:56}]}]", "Quote it"),
        (
            "nodes: [{driver: d, ports: [{address: p, local_link_connection: "
            "{switch_id: 10:00:00:12:34:56}}]}]",
            "nodes[0].ports[0].local_link_connection.switch_id is the number",
        ),
        ("nodes: [{name: 1234, driver: d}]", "nodes[0].name has to be text, not 1234. Quote it"),
        ("nodes: [{driver: d, extra: [1]}]", "nodes[0].extra has to be an object, not [1]"),
        ("nodes: [{driver: d, drivr: x}]", "nodes[0].drivr is unknown"),
        ("nodes: [{driver: d, ports: {address: p}}]", "nodes[0].ports has to be a list of objects"),
        ("chassis: [{nodes: [1]}]", "chassis[0].nodes has to be a list of objects"),
    ],
)
def test_a_wrong_value_anywhere_creates_nothing(run, path, tmp_path, given, message):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(given)
    done = run("create", path, str(wrong))
    assert (done.code, done.requests) == (1, [])
    assert message in done.err
    assert f"{wrong}: " in done.err
    assert "Nothing was created." in done.err


def test_the_uuid_of_the_resource_around_may_be_repeated(run, tmp_path):
    path = tmp_path / "lab.json"
    node = {"uuid": "N", "driver": "d", "ports": [{"address": "p", "node_uuid": "N"}]}
    path.write_text(json.dumps({"nodes": [node]}))
    done = run("create", str(path), script=created("N", "P"))
    assert (done.code, done.requests[1].json) == (0, {"address": "p", "node_uuid": "N"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lab.txt", "{}"),
        ("lab.json", "["),
        ("lab.yaml", "[]"),
        ("lab.json", '{"ports": []}'),
        ("lab.json", '{"nodes": [1]}'),
    ],
)
def test_wrong_files_create_nothing(run, path, tmp_path, name, text):
    wrong = tmp_path / "more"
    wrong.mkdir()
    (wrong / name).write_text(text)
    done = run("create", path, str(wrong / name))
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert done.requests == []


def test_a_missing_file(run):
    assert run("create", "/nowhere.yaml").code == 1
