"""Each value that a server sends is of the type that the client declares for it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from baremetalclient import exc
from baremetalclient.tests import declared
from baremetalclient.v1 import objects


def check(resource):
    """Compare a resource with what its class declares; missing fields are not looked at."""
    fields = declared.fields(type(resource))
    found = resource.to_dict()
    assert found
    assert set(found) <= set(fields)
    for name, value in found.items():
        reason = declared.mismatch(value, fields[name], name)
        assert reason is None, reason


def mac():
    return "52:54:00:" + ":".join(uuid4().hex[n : n + 2] for n in (0, 2, 4))


def test_nodes_in_several_states(client, node, make_node):
    check(node)
    check(make_node(properties={"cpus": 4}, extra={"a": [1]}, resource_class="gold"))
    for verb, state in (("manage", "manageable"), ("inspect", "manageable")):
        client.node.set_provision_state(node.uuid, verb)
        check(client.node.get(node.uuid))
        client.node.wait_for_provision_state(node.uuid, state, timeout=60, poll_interval=0.1)
        check(client.node.get(node.uuid))
    check(client.node.states(node.uuid))
    for listed in client.node.list(limit=0, detail=True):
        check(listed)
    for listed in client.node.iterate(fields=["uuid", "power_state", "traits"]):
        check(listed)


@pytest.mark.since(95)
def test_nodes_through_cleaning_and_deployment(client, available_node):
    uuid = available_node.uuid
    check(available_node)
    client.node.set_target_raid_config(
        uuid, {"logical_disks": [{"raid_level": "1", "size_gb": "MAX"}]}
    )
    client.node.add_trait(uuid, "CUSTOM_GOLD")
    client.node.update(
        uuid,
        [
            {"op": "add", "path": "/instance_info", "value": {"image_source": "http://x/y"}},
            {"op": "add", "path": "/retired", "value": None},
            {"op": "add", "path": "/protected_reason", "value": None},
            {"op": "add", "path": "/disable_power_off", "value": None},
        ],
    )
    check(client.node.get(uuid))
    for verb, state in (("active", "active"), ("deleted", "available")):
        client.node.set_provision_state(uuid, verb)
        check(client.node.get(uuid))
        client.node.wait_for_provision_state(uuid, state, timeout=60, poll_interval=0.1)
        check(client.node.get(uuid))
    client.node.set_maintenance(uuid, True, "broken")
    check(client.node.get(uuid))


def test_what_belongs_to_a_node(client, available_node, newest):
    uuid = available_node.uuid
    for minor in (31, 50, newest.minor):
        check(client.node.validate(uuid, os_ironic_api_version=f"1.{minor}"))
    declared.check_object(client.node.get_boot_device(uuid), objects.CurrentBootDevice)
    declared.check_object(
        client.node.get_supported_boot_devices(uuid), objects.SupportedBootDevices
    )
    declared.check_object(client.node.get_console(uuid), objects.Console)
    for setting in client.node.list_bios_settings(uuid, detail=True):
        declared.check_object(setting, objects.BIOSSetting)
    for component in client.node.list_firmware_components(uuid):
        declared.check_object(component, objects.FirmwareComponent)


@pytest.mark.since(115)
def test_the_history_of_a_node(client, node):
    client.node.set_provision_state(node.uuid, "manage")
    client.node.wait_for_provision_state(node.uuid, "manageable", timeout=60, poll_interval=0.1)
    client.node.set_provision_state(
        node.uuid, "clean", cleansteps=[{"interface": "bios", "step": "no_such_step"}]
    )
    with pytest.raises(exc.StateTransitionFailed):
        client.node.wait_for_provision_state(node.uuid, "manageable", timeout=60, poll_interval=0.1)
    failed = client.node.get(node.uuid)
    check(failed)
    assert failed.last_error
    events = client.node.get_history_list(node.uuid, detail=True)
    assert events
    for event in events:
        declared.check_object(event, objects.HistoryEvent)
    client.node.set_maintenance(node.uuid, False)
    client.node.set_provision_state(node.uuid, "manage")
    client.node.wait_for_provision_state(node.uuid, "manageable", timeout=60, poll_interval=0.1)


def test_resources_of_a_node(client, node):
    port = client.port.create(node_uuid=node.uuid, address=mac())
    check(port)
    switch = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "1", "switch_info": "s"}
    patch = [
        {"op": "add", "path": "/local_link_connection", "value": switch},
        {"op": "add", "path": "/is_smartnic", "value": None},
    ]
    check(client.port.update(port.uuid, patch))
    check(client.port.get(port.uuid))
    check(client.portgroup.create(node_uuid=node.uuid))
    group = client.portgroup.create(node_uuid=node.uuid, address=mac(), mode="802.3ad")
    check(client.portgroup.get(group.uuid))
    check(
        client.volume_connector.create(
            node_uuid=node.uuid, type="iqn", connector_id=f"iqn.2026-11:{uuid4().hex}"
        )
    )
    check(
        client.volume_target.create(
            node_uuid=node.uuid, volume_type="iscsi", volume_id=str(uuid4()), boot_index=0
        )
    )
    for manager in (client.port, client.portgroup, client.volume_connector, client.volume_target):
        for listed in manager.list(detail=True, limit=0):
            check(listed)


@pytest.mark.since(96)
def test_resources_without_a_node(client):
    name = f"CUSTOM_{uuid4().hex.upper()}"
    step: objects.Step = {"interface": "bios", "step": "factory_reset", "args": {}}
    rule: objects.RuleCondition = {"op": "is-true", "args": {"value": False}}
    made = [
        (client.chassis, client.chassis.create()),
        (
            client.deploy_template,
            client.deploy_template.create(name=name, steps=[{**step, "priority": 1}]),
        ),
        (client.runbook, client.runbook.create(name=name, steps=[{**step, "order": 1}])),
        (
            client.inspection_rule,
            client.inspection_rule.create(
                actions=[{"op": "fail", "args": {"msg": "no"}}], conditions=[rule]
            ),
        ),
        (client.allocation, client.allocation.create(resource_class=name)),
    ]
    try:
        for manager, resource in made:
            check(resource)
            check(manager.get(resource.uuid))
    finally:
        for manager, resource in made:
            manager.delete(resource.uuid)


def test_resources_of_the_service(client):
    for resource in [
        *client.driver.list(),
        *client.driver.list(detail=True),
        client.driver.get("fake-hardware"),
        *client.conductor.list(detail=True),
        *client.shard.list(),
    ]:
        check(resource)
