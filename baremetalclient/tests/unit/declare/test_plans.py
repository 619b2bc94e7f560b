"""Plans, and how they get around what Ironic refuses."""

from __future__ import annotations

import pytest

from baremetalclient import declare, exc
from baremetalclient.declare.temporary import POWERED_ON
from baremetalclient.tests.unit.declare.conftest import Lab
from fake_server.server import FakeServer
from fake_server.settings import Settings

MAC = "52:54:00:00:00:01"
TARGET = {"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
CONNECTOR = {"type": "iqn", "connector_id": "i"}
UUID = "00000000-0000-4000-8000-000000000001"


def node(**fields):
    return {"nodes": [{"name": "n", **fields}]}


def new(**fields):
    return node(driver="fake-hardware", **fields)


def apply(lab, wanted, **options):
    results = declare.plan(lab.client, wanted).apply(**options)
    assert [one for one in results if one.result != "done"] == []
    return lab.client.node.get("n")


def steps(lab, wanted, **options):
    return [
        (step.kind, step.id, step.action, step.fields)
        for step in declare.plan(lab.client, wanted, **options).steps
    ]


def refused(lab, wanted):
    return {
        (step.kind, *step.fields): step.reason
        for step in declare.plan(lab.client, wanted).steps
        if step.action == "refused"
    }


def change(old, new_value):
    return {"old": old, "new": new_value}


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


def test_the_order_of_steps_matters_and_can_be_changed(lab):
    def wanted(*kinds):
        made = [{"interface": kind, "step": "s", "args": {}, "priority": 1} for kind in kinds]
        return {"deploy_templates": [{"name": "CUSTOM_T", "steps": made}]}

    apply_all(lab, wanted("bios", "raid", "deploy"))
    assert len(steps(lab, wanted("raid", "deploy", "bios"))) == 1
    apply_all(lab, wanted("raid", "deploy", "bios"))
    assert steps(lab, wanted("raid", "deploy", "bios")) == []


def apply_all(lab, wanted):
    assert {one.result for one in declare.plan(lab.client, wanted).apply()} == {"done"}


def test_runbooks_rules_and_allocations(lab):
    wanted = {
        "runbooks": [
            {
                "name": "CUSTOM_R",
                "owner": "o",
                "traits": ["CUSTOM_A"],
                "steps": [{"interface": "bios", "step": "s", "args": {}, "order": 1}],
            }
        ],
        "inspection_rules": [
            {"description": "r", "actions": [{"op": "fail", "args": {"msg": "m"}}], "priority": 1}
        ],
        "allocations": [{"name": "a", "resource_class": "none", "extra": {"a": 1}}],
    }
    apply_all(lab, wanted)
    assert steps(lab, wanted) == []
    wanted["runbooks"][0] |= {"traits": ["CUSTOM_B"], "public": True, "owner": None}
    wanted["inspection_rules"][0]["priority"] = None
    wanted["allocations"][0]["extra"] = {"a": None, "b": 1}
    apply_all(lab, wanted)
    assert steps(lab, wanted) == []
    wanted["allocations"][0]["resource_class"] = "other"
    assert list(refused(lab, wanted)) == [("allocation", "resource_class")]


def test_nodes_in_chassis_and_parents(lab):
    wanted = {
        "nodes": [
            {"name": "child", "driver": "fake-hardware", "parent_node": "parent"},
            {"name": "parent", "driver": "fake-hardware"},
        ],
        "chassis": [
            {"description": "c", "nodes": [{"name": "n", "driver": "fake-hardware"}]},
        ],
    }
    apply_all(lab, wanted)
    assert lab.client.node.get("child").parent_node == lab.client.node.get("parent").uuid
    assert lab.client.node.get("n").chassis_uuid == lab.client.chassis.list()[0].uuid
    assert steps(lab, wanted) == []


def test_what_a_new_resource_needs_is_known_before_any_write(lab):
    for wanted in (node(), new(ports=[{"uuid": UUID}]), new(volume_targets=[{"boot_index": 0}])):
        with pytest.raises(exc.ValidationError, match=r"a new .* needs "):
            declare.plan(lab.client, wanted)
    assert lab.writes() == []


def test_a_name_that_another_node_has(lab):
    apply(lab, new())
    with pytest.raises(exc.ValidationError, match=f"and not {UUID}"):
        declare.plan(lab.client, new(uuid=UUID))


def test_a_mac_address_of_another_case_is_the_same_port(lab):
    apply(lab, new(ports=[{"address": "52:54:00:00:00:AA"}]))
    assert steps(lab, node(ports=[{"address": "52:54:00:00:00:aA"}])) == []


@pytest.mark.parametrize("state", ["enroll", "manageable", "available", "active"])
@pytest.mark.parametrize("before", ["manageable", "available", "active"])
def test_provision_states(lab, before, state):
    apply(lab, new(provision_state=before))
    if state == "enroll":
        reasons = refused(lab, node(provision_state=state))
        assert "Ironic has no way back to enroll" in reasons["node", "provision_state"]
    else:
        assert apply(lab, node(provision_state=state)).provision_state == state


def test_the_last_transition_is_not_waited_for_without_wait():
    lab = Lab(FakeServer(Settings(delay=3600)))
    (result,) = declare.plan(lab.client, new(provision_state="manageable")).apply(wait=False)
    assert result.result == "done"
    assert lab.client.node.get("n").provision_state == "verifying"
    lab.writes()
    # It is on its way.
    (result,) = declare.plan(lab.client, node(provision_state="manageable")).apply(wait=False)
    assert (result.result, lab.writes()) == ("done", [])
    (result,) = declare.plan(lab.client, node(provision_state="manageable")).apply(timeout=0.01)
    assert result.result == "failed"
    assert "did not reach" in result.error
    assert lab.writes() == []


def test_a_failed_transition_is_told_with_its_reason(lab):
    (result,) = declare.plan(lab.client, node(driver="ipmi", provision_state="manageable")).apply()
    assert result.result == "failed"
    assert "It is in enroll, and not in manageable: Failed to validate power driver" in result.error


@pytest.mark.parametrize("state", ["available", "active"])
def test_ports_are_connected_in_maintenance(lab, state):
    apply(lab, new(provision_state=state, ports=[{"address": MAC}]))
    lab.writes()
    apply(lab, node(ports=[{"address": MAC, "pxe_enabled": False}]))
    found = lab.client.node.get("n")
    assert (found.maintenance, found.maintenance_reason) == (False, None)
    (path,) = {path for _, path in lab.writes() if "maintenance" in path}
    assert path == f"/v1/nodes/{found.uuid}/maintenance"


def test_maintenance_of_others_stays(lab):
    apply(lab, new(provision_state="available", ports=[{"address": MAC}]))
    lab.client.node.set_maintenance("n", True, "mine")
    found = apply(lab, node(ports=[{"address": MAC, "pxe_enabled": False}], extra={"a": 1}))
    assert (found.maintenance, found.maintenance_reason) == (True, "mine")
    assert (
        "it is in maintenance: mine"
        in refused(lab, node(provision_state="active"))["node", "provision_state"]
    )


def test_a_node_in_maintenance_is_deployed_and_maintained_again(lab):
    wanted = new(maintenance=True, maintenance_reason="why", provision_state="available")
    apply(lab, wanted)
    wanted["nodes"][0]["provision_state"] = "active"
    found = apply(lab, wanted)
    assert (found.provision_state, found.maintenance_reason) == ("active", "why")


@pytest.mark.parametrize("owned", [{}, {"power_state": "power on"}])
def test_volumes_change_while_the_power_is_off(lab, owned):
    apply(lab, new(provision_state="available", power_state="power on", volume_targets=[TARGET]))
    wanted = node(volume_targets=[{**TARGET, "volume_id": "w"}], **owned)
    found = apply(lab, wanted)
    assert (found.power_state, found.maintenance) == ("power on", False)
    assert steps(lab, wanted) == []


def test_power_that_a_broken_off_plan_left_off_is_put_back(lab):
    apply(lab, new(power_state="power off"))
    lab.client.node.set_maintenance("n", True, POWERED_ON)
    assert steps(lab, node()) == [
        (
            "node",
            "n",
            "change",
            {"maintenance": change(True, False), "power_state": change("power off", "power on")},
        )
    ]
    assert apply(lab, node()).power_state == "power on"


def test_what_an_active_node_does_not_let_be_changed(lab):
    apply(lab, new(provision_state="active", resource_class="gold", volume_targets=[TARGET]))
    target = {**TARGET, "volume_id": "w"}
    wanted = node(resource_class="silver", volume_targets=[target], extra={"a": 1})
    assert set(refused(lab, wanted)) == {
        ("node", "resource_class"),
        ("volume target", "volume_id"),
    }
    results = {one.action: one.result for one in declare.plan(lab.client, wanted).apply()}
    assert results == {"change": "done", "refused": "skipped"}
    # It can once the instance is gone.
    wanted["nodes"][0]["provision_state"] = "manageable"
    assert refused(lab, wanted) == {}
    assert apply(lab, wanted).resource_class == "silver"


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"protected": True, "provision_state": "available"}, "protected"),
        ({"retired": True, "provision_state": "available"}, "provision_state"),
        ({"maintenance_reason": "why"}, "maintenance_reason"),
        ({"vifs": ["v"], "network_interface": "noop"}, "vifs"),
        ({"bios_settings": {"a": "b"}}, "bios_settings/a"),
    ],
)
def test_what_ironic_would_refuse_is_refused_with_the_reason(lab, fields, name):
    reasons = refused(lab, new(**fields))
    assert any(key == ("node", name) for key in reasons), reasons


def test_protected_nodes_are_not_torn_down(lab):
    apply(lab, new(provision_state="active", protected=True, protected_reason="why"))
    reasons = refused(lab, node(provision_state="available"))
    assert "it is protected: why" in reasons["node", "provision_state"]
    assert apply(lab, node(provision_state="available", protected=False)).protected is False


def test_bios_settings_are_applied_by_cleaning(lab):
    lab.server.seed(
        {
            "nodes": [
                {
                    "name": "n",
                    "provision_state": "available",
                    "power_state": "power off",
                    "bios": [{"name": "Boot", "value": "a"}, {"name": "Other", "value": "x"}],
                }
            ]
        }
    )
    wanted = node(provision_state="available", bios_settings={"Boot": "b"})
    assert steps(lab, wanted) == [("node", "n", "change", {"bios_settings/Boot": change("a", "b")})]
    found = apply(lab, wanted)
    assert found.provision_state == "available"
    assert ("PUT", f"/v1/nodes/{found.uuid}/states/provision") in lab.writes()


def test_interfaces_are_those_of_the_new_driver(lab):
    apply(lab, new(boot_interface="fake"))
    found = apply(lab, node(driver="ipmi"))
    assert (found.driver, found.boot_interface != "fake") == ("ipmi", True)


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


def test_retired_is_refused_in_available(lab):
    apply(lab, new(provision_state="available"))
    assert list(refused(lab, node(retired=True))) == [("node", "retired")]
    assert apply(lab, node(retired=True, provision_state="manageable")).retired is True


@pytest.mark.parametrize("state", ["active", "manageable"])
def test_nodes_with_an_instance_are_never_pruned(lab, state):
    apply(lab, new(provision_state=state, instance_uuid=UUID))
    (step,) = declare.plan(lab.client, {}, prune=["name=n"]).steps
    assert (step.action, step.reason) == ("refused", f"it has the instance {UUID}")
    assert [one.result for one in declare.plan(lab.client, {}, prune=["name=n"]).apply()] == [
        "skipped"
    ]


def test_nothing_new_starts_after_too_many_failures(lab):
    wanted = {"nodes": [{"name": f"n{number}", "driver": "no-such-driver"} for number in range(3)]}
    plan = declare.plan(lab.client, wanted)
    results = [one.result for one in plan.apply(parallel=1, max_failures=2)]
    assert results == ["failed", "failed", "skipped"]


def test_nothing_starts_once_it_is_to_stop(lab):
    (result,) = declare.plan(lab.client, new()).apply(stop=lambda: True)
    assert (result.result, lab.writes()) == ("skipped", [])


def test_few_requests_tell_what_there_is(lab):
    wanted = new(ports=[{"address": MAC}], portgroups=[], volume_targets=[TARGET])
    wanted["nodes"] += [{"name": f"m{number}", "driver": "d"} for number in range(20)]
    declare.plan(lab.client, wanted)
    assert sorted(one.path for one in lab.server.requests.find()) == [
        "/v1/nodes/detail",
        "/v1/portgroups/detail",
        "/v1/ports/detail",
        "/v1/volume/targets",
    ]


def test_a_port_group_that_is_still_used_is_not_pruned(lab):
    port = {"address": MAC, "portgroup": "g"}
    apply(lab, new(portgroups=[{"name": "g"}], ports=[port]))
    fewer = node(portgroups=[], ports=[{"address": MAC}])
    (step,) = declare.plan(lab.client, fewer, prune="name=n").steps
    assert (step.kind, step.reason) == ("portgroup", f"port {MAC} is in it")
    fewer["nodes"][0]["ports"][0]["portgroup"] = None
    results = declare.plan(lab.client, fewer, prune="name=n").apply()
    assert [(one.kind, one.result) for one in results] == [("port", "done"), ("portgroup", "done")]


def test_a_port_that_moves_to_a_new_node(lab):
    apply(lab, new(ports=[{"address": MAC}]))
    wanted = {"nodes": [{"name": "m", "driver": "fake-hardware", "ports": [{"address": MAC}]}]}
    apply_all(lab, wanted)
    assert [port.address for port in lab.client.port.list(node="m")] == [MAC]
    assert steps(lab, wanted) == []


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
