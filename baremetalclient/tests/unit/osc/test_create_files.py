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


def test_what_belongs_elsewhere_is_not_created(run, tmp_path):
    path = tmp_path / "lab.json"
    node = {"name": "n", "driver": "d", "ports": [{"address": "p", "node_uuid": "other"}]}
    path.write_text(json.dumps({"nodes": [node]}))
    done = run("create", str(path), script=created("N"))
    assert done.code == 1
    assert len(done.requests) == 1
    assert "'other'" in done.err


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
