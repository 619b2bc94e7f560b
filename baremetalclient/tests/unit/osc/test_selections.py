"""``--select`` and ``--all`` of resources of each type, against a fake server."""

from __future__ import annotations

import json
import subprocess

import pytest

from baremetalclient import client as clients
from baremetalclient import declare, exc
from baremetalclient.tests.unit.osc.everything import run_here
from fake_server.server import FakeServer

NODE = {"resource_class": "gold", "power_state": "power off"}
SEED = {
    "nodes": [
        {
            **NODE,
            "name": "n-{index}",
            "count": 2,
            "ports": [{"address": "52:54:00:{index:mac}"}],
            "portgroups": [{"name": "g-{index}"}],
            "volume_connectors": [{"type": "iqn", "connector_id": "iqn.{index}"}],
            "volume_targets": [
                {"volume_type": "iscsi", "volume_id": "v-{index}", "boot_index": boot_index}
                for boot_index in (0, 1)
            ],
        },
        {**NODE, "name": "busy", "provision_state": "deploy failed", "maintenance": True},
        {**NODE, "name": "child", "parent_node": "n-0"},
    ],
}


@pytest.fixture
def lab():
    with FakeServer(seed=SEED) as server:
        yield server


@pytest.fixture
def baremetal(lab, monkeypatch, capsys):
    monkeypatch.setenv("OS_ENDPOINT", lab.url)

    def run(*words):
        monkeypatch.setattr("sys.argv", ["baremetal", *words])
        code, out, err = run_here(list(words), capsys)
        return subprocess.CompletedProcess(words, code, out, err)

    return run


@pytest.mark.parametrize(
    ("words", "column", "expected"),
    [
        (("node", "list", "--all"), "name", ["busy", "child", "n-0", "n-1"]),
        (("node", "list", "--select", "maintenance"), "name", ["busy"]),
        (("node", "list", "--select", "state=enroll", "--limit", "2"), "name", ["child", "n-0"]),
        (("node", "list", "--all", "--sort", "name:desc", "--limit", "1"), "name", ["n-1"]),
        (("node", "list", "--all", "--maintenance"), "name", ["busy"]),
        (("port", "list", "--select", "node.name=n-1"), "address", ["52:54:00:00:00:01"]),
        (("port", "list", "--select", "address~=.*:00, node.state=enroll"), "address", [None]),
        (("port", "group", "list", "--select", "name=g-1"), "name", ["g-1"]),
        (
            ("volume", "target", "list", "--select", "boot_index>0,node.name!=n-0"),
            "volume_id",
            ["v-1"],
        ),
        (("volume", "connector", "list", "--select", "node.maintenance"), "connector_id", []),
        (("allocation", "list", "--select", "state=active"), "name", []),
    ],
)
def test_lists(baremetal, words, column, expected):
    done = baremetal(*words, "-f", "json")
    assert done.returncode == 0, done.stderr
    found = [row[column] for row in json.loads(done.stdout)]
    assert found == [one or "52:54:00:00:00:00" for one in expected]


@pytest.mark.parametrize("words", [("node", "list"), ("node", "power", "on")])
def test_a_selection_that_takes_nothing_is_named(baremetal, words):
    done = baremetal(*words, "--select", "name~=usy")
    assert "No nodes match 'name~=usy'." in done.stderr
    assert "has to match the whole value, as '.*rack1.*' does." in done.stderr
    done = baremetal(*words, "--select", "name=usy")
    assert "whole value" not in done.stderr


def test_a_list_that_is_selected_has_no_marker(baremetal):
    done = baremetal("port", "list", "--all", "--marker", "x")
    assert done.returncode == 2
    assert "--marker cannot be used with --select and --all." in done.stderr


@pytest.mark.parametrize("words", [("allocation", "list"), ("allocation", "delete", "--yes")])
def test_states_of_allocations_are_checked(lab, baremetal, words):
    done = baremetal(*words, "--select", "state=actve")
    assert done.returncode == 2
    assert "Unknown state 'actve'. Did you mean 'active'?" in done.stderr
    assert lab.requests.find() == []


def test_resources_of_selected_nodes_are_deleted_after_a_confirmation(lab, baremetal):
    words = ("volume", "target", "delete", "--select", "node.resource_class=gold,boot_index=1")
    refused = baremetal(*words)
    assert refused.returncode == 2
    assert "'volume target delete' for 2 volume targets has to be confirmed" in refused.stderr
    done = baremetal(*words, "--yes")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr.splitlines()[-1] == "Volume targets: 2 done"
    left = clients.get_client(1, endpoint=lab.url).volume_target.list()
    assert [one.boot_index for one in left] == [0, 0]


def test_selected_resources_are_waited_for(baremetal):
    done = baremetal("port", "wait", "--for", "pxe_enabled", "--select", "node.state=enroll")
    assert (done.returncode, done.stderr) == (0, "")
    done = baremetal("port", "wait", "--for", "node.state=enroll", "--all")
    assert done.returncode == 2
    assert "Unknown field 'node.state'" in done.stderr


def test_several_nodes_are_explained_in_a_table_and_in_full_as_json(baremetal):
    done = baremetal("node", "explain", "busy", "n-0")
    assert done.returncode == 0, done.stderr
    heading, *rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in heading.strip("|").split("|")] == [
        "node",
        "severity",
        "problem",
        "next_command",
    ]
    assert [row.split()[1] for row in rows if row.split()[1] != "|"] == ["busy", "n-0"]
    found = json.loads(baremetal("node", "explain", "--all", "-f", "json").stdout)
    assert [one["name"] for one in found] == ["busy", "child", "n-0", "n-1"]
    missing = baremetal("node", "explain", "busy", "ghost")
    assert missing.returncode == 1
    assert "Failed to explain node ghost" in missing.stderr


def test_pruning_leaves_no_children_behind(lab):
    client = clients.get_client(1, endpoint=lab.url)
    kept = {"nodes": [{"name": "n-1"}, {"name": "busy"}]}
    plan = declare.plan(client, kept, prune="resource-class=gold")
    results = plan.apply(allow_interruptions=True)
    assert [one.result for one in results] == ["done"] * len(results)
    assert sorted(node.name for node in client.node.select()) == ["busy", "n-1"]


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.node.wait_for("n-0", "state=active", timeout=5),
        lambda client: client.node.wait_for_provision_state("n-0", "active", timeout=5),
        lambda client: list(client.node.watch(timeout=5)),
        lambda client: client.allocation.wait("a", timeout=5),
    ],
)
def test_an_endpoint_that_never_responds_ends_each_wait(call):
    client = clients.get_client(1, endpoint="http://127.0.0.1:1", max_retries=0)
    with pytest.raises(exc.ConnectionError):
        call(client)


def test_an_action_starts_without_being_iterated(lab):
    client = clients.get_client(1, endpoint=lab.url)
    action = client.node.act_on(["n-0", "n-1"], "set", patch=[])
    client.node.act_on(["busy", "ghost"], "maintenance set", maint_reason="new").wait()
    assert client.node.get("busy").maintenance_reason == "new"
    with pytest.raises(exc.SomeFailed) as caught:
        client.node.act_on(["ghost", "n-1"], "manage", wait=True).raise_for_failures()
    (failed,) = caught.value.results
    assert failed.exception.http_status == 404
    assert (bool(failed), failed.ok, failed.name) == (False, False, "ghost")
    assert [one.name for one in action.wait()] == ["n-0", "n-1"]
    assert [one.name for one in action] != []
