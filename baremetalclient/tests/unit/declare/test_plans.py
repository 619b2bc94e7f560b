"""What a plan compares, what it makes of the differences, what it removes, and where it stops."""

from __future__ import annotations

import copy

import pytest

from baremetalclient import declare, exc
from baremetalclient.declare.export import export
from baremetalclient.declare.lab_kinds import KINDS
from baremetalclient.tests.unit.declare.labs import (
    CONNECTOR,
    MAC,
    TARGET,
    UUID,
    apply,
    apply_all,
    change,
    new,
    node,
    refused,
    steps,
)


def test_only_what_a_file_names_is_owned(lab):
    apply(lab, new(extra={"a": 1}, description="d", ports=[{"address": MAC}]))
    lab.client.node.update("n", [{"op": "add", "path": "/extra/b", "value": 2}])
    lab.client.node.set_traits("n", ["CUSTOM_A"])
    assert steps(lab, new(extra={"a": 1})) == []
    assert steps(lab, node(extra={"a": {"b": 1}})) == [
        ("node", "n", "change", {"extra/a": change(1, {"b": 1})})
    ]
    assert apply(lab, node(extra={"a": None}, description=None)).extra == {"b": 2}
    assert lab.client.node.get("n").description is None
    assert steps(lab, node(traits=[])) == [
        ("node", "n", "change", {"traits": change(["CUSTOM_A"], [])})
    ]


def test_types_are_told_apart_and_the_order_of_lists_is_not(lab):
    apply(lab, new(extra={"a": 1, "b": [1, {"c": [2, 3]}]}))
    assert steps(lab, node(extra={"b": [{"c": [3, 2]}, 1]})) == []
    assert len(steps(lab, node(extra={"a": True}))) == 1
    assert len(steps(lab, node(extra={"a": "1"}))) == 1


def test_what_a_new_resource_needs_is_known_before_any_write(lab):
    for wanted in (node(), new(ports=[{"uuid": UUID}]), new(volume_targets=[{"boot_index": 0}])):
        with pytest.raises(exc.ValidationError, match=r"a new .* needs "):
            declare.plan(lab.client, wanted)
    assert lab.writes() == []


def test_a_mac_address_of_another_case_is_the_same_port(lab):
    apply(lab, new(ports=[{"address": "52:54:00:00:00:AA"}]))
    assert steps(lab, node(ports=[{"address": "52:54:00:00:00:aA"}])) == []


def test_few_requests_tell_what_there_is(lab):
    wanted = new(ports=[{"address": MAC}], portgroups=[], volume_targets=[TARGET])
    wanted["nodes"] += [{"name": f"m{number}", "driver": "d"} for number in range(20)]
    lab.client.negotiate_api_version()
    lab.server.requests.clear()
    declare.plan(lab.client, wanted)
    assert sorted(one.path for one in lab.server.requests.find()) == [
        "/v1/nodes/detail",
        "/v1/portgroups/detail",
        "/v1/ports/detail",
        "/v1/volume/targets",
    ]


def test_sensitive_inspection_rules(lab):
    rule = {
        "description": "r",
        "sensitive": True,
        "actions": [{"op": "fail", "args": {"msg": "hunter22"}}],
    }
    (step,) = declare.plan(lab.client, {"inspection_rules": [rule]}).steps
    assert "hunter22" not in repr(step)
    apply_all(lab, {"inspection_rules": [rule]})
    assert steps(lab, {"inspection_rules": [rule]}) == []
    rule["sensitive"] = False
    assert list(refused(lab, {"inspection_rules": [rule]})) == [("inspection rule", "sensitive")]


def test_conditions_of_inspection_rules_are_compared_as_they_are_shown(lab):
    condition = {"op": "eq", "args": {"values": ["{item}", 1]}, "loop": [1, 2]}
    action = {"op": "fail", "args": {"msg": "m"}, "loop": []}
    rule = {"description": "r", "conditions": [condition], "actions": [action]}
    apply_all(lab, {"inspection_rules": [rule]})
    assert steps(lab, {"inspection_rules": [rule]}) == []


def test_names_differ_by_their_case(lab):
    apply(lab, new())
    (step,) = declare.plan(lab.client, {"nodes": [{"name": "N", "driver": "d"}]}).steps
    assert step.action == "create"


def test_null_says_nothing_of_a_state(lab):
    apply(lab, new(provision_state="manageable", power_state="power on"))
    assert steps(lab, node(uuid=None, provision_state=None, power_state=None)) == []


STEP = {"interface": "bios", "step": "s", "args": {}}
NEW = {
    "chassis": {"chassis": [{"description": "c"}]},
    "nodes": new(),
    "portgroups": new(portgroups=[{"name": "g"}]),
    "ports": new(ports=[{"address": MAC}]),
    "volume_connectors": new(volume_connectors=[{"type": "iqn", "connector_id": "i"}]),
    "volume_targets": new(volume_targets=[TARGET]),
    "deploy_templates": {
        "deploy_templates": [{"name": "CUSTOM_T", "steps": [{**STEP, "priority": 1}]}]
    },
    "runbooks": {"runbooks": [{"name": "CUSTOM_R", "steps": [{**STEP, "order": 1}]}]},
    "inspection_rules": {
        "inspection_rules": [
            {"description": "r", "actions": [{"op": "fail", "args": {"msg": "m"}}]}
        ]
    },
    "allocations": {"allocations": [{"name": "a", "resource_class": "none"}]},
}


@pytest.mark.parametrize("key", KINDS)
def test_null_is_what_a_new_resource_has(lab, key):
    apply_all(lab, NEW[key])
    wanted = copy.deepcopy(NEW[key])
    (item,) = wanted.get(key) or wanted["nodes"][0][key]
    item |= {name: None for name in KINDS[key].known if name not in item}
    assert steps(lab, wanted) == []


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
    assert {one.result for one in plan.apply(allow_interruptions=True)} == {"done"}
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
    results = declare.plan(lab.client, fewer, prune="name=n").apply(allow_interruptions=True)
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
