"""Nodes, and what is planned for them, from programs."""

from __future__ import annotations

from uuid import uuid4

import pytest

from baremetalclient import exc
from baremetalclient.tests.listening import Seen


def test_errors_are_those_of_the_server(client, node):
    with pytest.raises(exc.Conflict, match="already exists") as caught:
        client.node.create(driver="fake-hardware", name=node.name)
    assert caught.value.request_id.startswith("req-")
    with pytest.raises(exc.NotFound, match="Node no-such-node could not be found"):
        client.node.get("no-such-node")
    with pytest.raises(exc.BadRequest, match='"provide"'):
        client.node.set_provision_state(node.uuid, "provide")
    with pytest.raises(exc.StateTransitionFailed, match="is in the stable state 'enroll'"):
        client.node.wait_for_provision_state(node.uuid, "active", timeout=60)
    with pytest.raises(exc.StateTransitionTimeout, match="now 'enroll'"):
        client.node.wait_for_provision_state(
            node.uuid, "active", 0.2, 0.05, fail_on_unexpected_state=False
        )


def test_traits(client, node):
    assert client.node.get_traits(node.uuid) == []
    client.node.add_trait(node.name, "CUSTOM_A")
    client.node.set_traits(node.uuid, ["CUSTOM_B", "HW_CPU_X86_VMX"])
    assert sorted(client.node.get_traits(node.uuid)) == ["CUSTOM_B", "HW_CPU_X86_VMX"]
    client.node.remove_trait(node.uuid, "CUSTOM_B")
    with pytest.raises(exc.NotFound, match="CUSTOM_B"):
        client.node.remove_trait(node.uuid, "CUSTOM_B")
    with pytest.raises(exc.BadRequest):
        client.node.set_traits(node.uuid, ["CUSTOM_C", "not-a-trait"])
    assert client.node.get_traits(node.uuid) == ["HW_CPU_X86_VMX"]
    client.node.remove_all_traits(node.uuid)
    assert client.node.get_traits(node.uuid) == []


def test_identifiers_do_not_reach_elsewhere(client, node):
    client.node.add_trait(node.uuid, "CUSTOM_KEPT")
    for trait in ("", "CUSTOM_A/B", ".."):
        for call in (client.node.add_trait, client.node.remove_trait):
            with pytest.raises(exc.ValidationError):
                call(node.uuid, trait)
    with pytest.raises(exc.ValidationError):
        client.volume_connector.delete(f"../../nodes/{node.uuid}")
    with pytest.raises(exc.ValidationError):
        client.node.delete(f"{node.uuid}/traits")
    assert client.node.get_traits(node.uuid) == ["CUSTOM_KEPT"]


def test_lists_by_traits(client, make_node):
    group = f"test-{uuid4().hex[:8]}"
    nodes = {}
    for name, traits in {"none": [], "a": ["A"], "b": ["B"], "ab": ["A", "B"]}.items():
        nodes[name] = make_node(resource_class=group).uuid
        if traits:
            client.node.set_traits(nodes[name], [f"CUSTOM_{trait}" for trait in traits])

    def found(**filters):
        named = {name: [f"CUSTOM_{trait}" for trait in traits] for name, traits in filters.items()}
        uuids = {node.uuid for node in client.node.list(resource_class=group, **named)}
        return {name for name, uuid in nodes.items() if uuid in uuids}

    assert found(traits=["A"]) == {"a", "ab"}
    assert found(traits=["A", "B"]) == {"ab"}
    assert found(traits_any=["A", "B"]) == {"a", "b", "ab"}
    assert found(not_traits=["A", "B"]) == {"none", "a", "b"}
    assert found(not_traits_any=["A", "B"]) == {"none"}
    assert found(traits=["A"], not_traits=["B"]) == {"a"}
    assert len(client.node.list(resource_class=group, traits_any=["CUSTOM_A"], limit=1)) == 1


def test_a_node_is_deployed_and_undeployed(client, available_node):
    uuid, seen = available_node.uuid, []
    assert client.node.states(uuid).power_state == "power off"
    client.node.set_maintenance(uuid, "yes", maint_reason="test")
    assert client.node.get(uuid).maintenance_reason == "test"
    client.node.set_maintenance(uuid, False)
    assert client.node.get(uuid).maintenance is False
    raid = {"logical_disks": [{"size_gb": 100, "raid_level": "1"}]}
    client.node.set_target_raid_config(uuid, raid)
    assert client.node.get(uuid).target_raid_config["logical_disks"][0]["raid_level"] == "1"
    client.node.set_provision_state(uuid, "active")
    told = Seen(lambda name, state, target: seen.append(state))
    client.node.wait_for_provision_state(
        uuid, "active", timeout=60, poll_interval=0.1, listener=told
    )
    assert seen[-1] == "active"
    client.node.set_provision_state(uuid, "deleted")
    client.node.wait_for_provision_state([uuid], "available", timeout=60, poll_interval=0.1)


def test_vifs(client, node):
    client.node.vif_attach(node.uuid, str(uuid4()))
    assert client.node.vif_list(node.uuid) == []
    with pytest.raises(exc.InvalidAttribute):
        client.node.vif_attach(node.uuid, "v", port_uuid="p", portgroup_uuid="g")


STEP = {"interface": "bios", "step": "factory_reset", "args": {}, "order": 1}
ACTION = {"op": "fail", "args": {"msg": "no"}}


def test_an_allocation_gets_a_node_and_frees_it(client, available_node):
    wanted, node = f"class-{uuid4().hex}", available_node
    client.node.update(node.uuid, [{"op": "add", "path": "/resource_class", "value": wanted}])
    made = client.allocation.create(resource_class=wanted, name=wanted)
    found = client.allocation.wait(made.uuid, timeout=60, poll_interval=0.1)
    assert found.node_uuid == node.uuid
    assert client.node.get(node.uuid).instance_uuid == made.uuid
    assert [item.uuid for item in client.allocation.list(resource_class=wanted)] == [made.uuid]
    second = client.allocation.create(resource_class=wanted)
    with pytest.raises(exc.StateTransitionFailed, match="no available nodes match"):
        client.allocation.wait(second.uuid, timeout=60, poll_interval=0.1)
    for uuid in (made.uuid, second.uuid):
        client.allocation.delete(uuid)
    assert client.node.get(node.uuid).instance_uuid is None


@pytest.mark.since(112)
def test_a_node_is_cleaned_by_a_runbook(client, make_node):
    node = make_node()
    client.node.set_provision_state(node.uuid, "manage")
    client.node.wait_for_provision_state(node.uuid, "manageable", timeout=60)
    name = f"CUSTOM_{uuid4().hex.upper()}"
    made = client.runbook.create(name=name, steps=[STEP])
    try:
        with pytest.raises(exc.BadRequest, match="no traits configured"):
            client.node.set_provision_state(node.uuid, "clean", runbook=name)
        client.runbook.add_trait(made.uuid, "CUSTOM_FAST")
        client.node.add_trait(node.uuid, "CUSTOM_FAST")
        client.node.set_provision_state(node.uuid, "clean", runbook=name)
        client.node.wait_for_provision_state(node.uuid, "manageable", timeout=60)
    finally:
        client.runbook.delete(made.uuid)


@pytest.mark.since(96)
def test_a_rule_without_conditions_spoils_no_list(client):
    made = client.inspection_rule.create(actions=[ACTION])
    assert made.conditions == []
    assert made.uuid in [rule.uuid for rule in client.inspection_rule.list()]
    patch = [{"op": "replace", "path": "/priority", "value": 7}]
    assert client.inspection_rule.update(made.uuid, patch).priority == 7
    client.inspection_rule.delete(made.uuid)
