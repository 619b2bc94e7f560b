"""The verbs of the old ``ironic`` command."""

import pytest

from baremetalclient.tests.unit.scripted import Reply

OK = Reply({"uuid": "x", "links": []})
CONNECTORS = Reply({"connectors": [{"uuid": "x", "type": "ip"}]})
TARGETS = Reply({"targets": [{"uuid": "x"}]})
NODE = "1be26c0b-03f2-4d2e-ae87-c02d7f33c781"


@pytest.mark.parametrize(
    ("line", "reply", "method", "target"),
    [
        (
            f"volume-connector-create --node {NODE} --type ip --connector_id i -e k=v -u {NODE}",
            OK,
            "POST",
            "/v1/volume/connectors",
        ),
        ("volume-connector-delete a", Reply(status=204), "DELETE", "/v1/volume/connectors/a"),
        ("volume-connector-show a", OK, "GET", "/v1/volume/connectors/a"),
        (
            "volume-connector-list --detail --type ip --connector_id i --limit 2 --marker m"
            " --sort-key type --sort-dir desc",
            CONNECTORS,
            "GET",
            "/v1/volume/connectors",
        ),
        (
            "node-volume-connector-list --fields uuid type -- n1",
            CONNECTORS,
            "GET",
            "/v1/volume/connectors",
        ),
        (
            "volume-connector-update a replace extra/k=1 type=ip",
            OK,
            "PATCH",
            "/v1/volume/connectors/a",
        ),
        (
            f"volume-target-create --node {NODE} --volume_type iscsi --volume_id v"
            " --properties k=v --boot_index 0 -e k=v",
            OK,
            "POST",
            "/v1/volume/targets",
        ),
        ("volume-target-delete a", Reply(status=204), "DELETE", "/v1/volume/targets/a"),
        ("volume-target-show --fields uuid extra -- a", OK, "GET", "/v1/volume/targets/a"),
        (
            "volume-target-list --volume_type iscsi --volume_id v --boot_index 0",
            TARGETS,
            "GET",
            "/v1/volume/targets",
        ),
        ("node-volume-target-list --detail n1", TARGETS, "GET", "/v1/volume/targets"),
        ("volume-target-update a remove boot_index", OK, "PATCH", "/v1/volume/targets/a"),
        ("node-vif-list n1", Reply({"vifs": []}), "GET", "/v1/nodes/n1/vifs"),
        ("node-vif-attach n1 v", Reply(status=204), "POST", "/v1/nodes/n1/vifs"),
        ("node-vif-detach n1 v", Reply(status=204), "DELETE", "/v1/nodes/n1/vifs/v"),
    ],
)
def test_an_old_verb_asks_what_it_always_asked(run, line, reply, method, target):
    done = run(*line.split(), script=(reply,))
    assert (done.code, done.err.replace("Attached", "").count("rror")) == (0, 0)
    assert (done.requests[0].method, done.requests[0].path) == (method, target)


def test_updates_are_patches(run):
    done = run(*["volume-connector-update", "a", "replace", "extra/k=1", "type=ip"], script=(OK,))
    assert done.requests[0].json == [
        {"op": "replace", "path": "/extra/k", "value": 1},
        {"op": "replace", "path": "/type", "value": "ip"},
    ]
    done = run(*["volume-target-update", "a", "remove", "boot_index"], script=(OK,))
    assert done.requests[0].json == [{"op": "remove", "path": "/boot_index"}]


def test_lists_of_a_node(run):
    done = run(*["node-volume-target-list", "--sort-key", "boot_index", "n1"], script=(TARGETS,))
    assert done.requests[0].query == {
        "node": "n1",
        "sort_key": "boot_index",
        "sort_dir": "asc",
    }


def test_old_verbs_are_hidden(run):
    assert "volume-connector-create" not in run("--help").out
    assert "volume-connector-create" not in run("complete", "--candidates", "words", "volume").out
