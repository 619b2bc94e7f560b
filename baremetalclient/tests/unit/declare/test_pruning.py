"""What is removed, and where a plan stops."""

from __future__ import annotations

import pytest

from baremetalclient import declare
from baremetalclient.declare.exporting import export
from baremetalclient.tests.unit.declare.labs import CONNECTOR, MAC, apply, apply_all, new, node


@pytest.mark.parametrize("selected", ["name=n", "name~=.*"])
def test_pruning(lab, selected):
    port, other = {"address": MAC}, {"address": "52:54:00:00:00:02"}
    gone = {"name": "gone", "driver": "fake-hardware", "ports": [{"address": "52:54:00:00:00:03"}]}
    wanted = new(ports=[port, other], portgroups=[{"name": "g"}], volume_connectors=[CONNECTOR])
    wanted["nodes"].append(gone)
    apply_all(lab, wanted)
    fewer = node(ports=[port], portgroups=[])
    assert declare.plan(lab.client, fewer).steps == []
    plan = declare.plan(lab.client, fewer, prune=selected)
    removed = [(step.kind, step.id, step.node) for step in plan.steps]
    assert removed[:2] == [("port", other["address"], "n"), ("portgroup", "g", "n")]
    assert removed[2:] == ([("node", "gone", "gone")] if "~" in selected else [])
    assert {step.action for step in plan.steps} == {"remove"}
    assert {one.result for one in plan.apply()} == {"done"}
    assert [one.address for one in lab.client.port.list(node="n")] == [MAC]
    assert len(lab.client.volume_connector.list(node="n")) == 1
    assert declare.plan(lab.client, fewer, prune=selected).steps == []


def test_nothing_starts_once_it_is_to_stop(lab):
    (result,) = declare.plan(lab.client, new()).apply(stop=lambda: True)
    assert (result.result, lab.writes()) == ("skipped", [])


def test_a_port_group_that_is_still_used_is_not_pruned(lab):
    port = {"address": MAC, "portgroup": "g"}
    apply(lab, new(portgroups=[{"name": "g"}], ports=[port]))
    fewer = node(portgroups=[], ports=[{"address": MAC}])
    (step,) = declare.plan(lab.client, fewer, prune="name=n").steps
    assert (step.kind, step.reason) == ("portgroup", f"port {MAC} belongs to it")
    fewer["nodes"][0]["ports"][0]["portgroup"] = None
    results = declare.plan(lab.client, fewer, prune="name=n").apply()
    assert [(one.kind, one.result) for one in results] == [("port", "done"), ("portgroup", "done")]


def test_what_was_begun_is_completed_after_failures_of_others(lab):
    wanted = {
        "nodes": [
            {"name": "a", "driver": "fake-hardware", "provision_state": "available"},
            {"name": "b", "driver": "no-such-driver"},
            {"name": "c", "driver": "fake-hardware"},
        ]
    }
    plan = declare.plan(lab.client, wanted)
    results = [one.result for one in plan.apply(parallel=1, max_failures=1)]
    assert results == ["done", "failed", "skipped"]
    assert lab.client.node.get("a").provision_state == "available"


def test_a_list_that_is_null_is_no_list(lab):
    apply(lab, new(ports=[{"address": MAC}]))
    assert declare.plan(lab.client, node(ports=None), prune="name=n").steps == []
    assert len(declare.plan(lab.client, node(ports=[]), prune="name=n").steps) == 1


def test_allocations_that_cannot_be_made_again_are_left_out(lab):
    node = {"name": "n", "resource_class": "gold", "provision_state": "available"}
    lab.server.seed({"nodes": [node]})
    lab.client.allocation.create(resource_class="gold", name="taken")
    for name in (None, "failed"):
        lab.client.allocation.create(resource_class="none", name=name)
    (nameless,) = (one.uuid for one in lab.client.allocation.list() if one.name is None)
    told = []
    found = export(lab.client, tell=told.append)
    assert [one["name"] for one in found["allocations"]] == ["taken"]
    assert sorted(told) == sorted(
        [
            f"allocation {nameless}: it is left out, because it has no name.",
            "allocation failed: it is left out, because its allocation failed.",
        ]
    )


def test_a_wanted_raid_configuration_is_exported(lab):
    wanted = {"logical_disks": [{"size_gb": 10, "raid_level": "1"}]}
    lab.server.seed({"nodes": [{"name": "n"}, {"name": "other"}]})
    lab.client.node.set_target_raid_config("n", wanted)
    found = {one["name"]: one.get("target_raid_config") for one in export(lab.client)["nodes"]}
    assert found == {"n": wanted, "other": None}
