"""Allocations, runbooks and inspection rules, from their creation to their end."""

from __future__ import annotations

from uuid import uuid4

import pytest

from baremetalclient import exc

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
