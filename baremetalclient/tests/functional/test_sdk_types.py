"""Each value that a server sends is of the type that the client declares for it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from baremetalclient import exc
from baremetalclient.tests import declared
from baremetalclient.v1 import objects

STEP = {"interface": "bios", "step": "factory_reset", "args": {}}


def check(*resources):
    """Compare resources with what their classes declare; missing fields are not looked at."""
    for resource in resources:
        fields = declared.fields(type(resource))
        found = resource.to_dict()
        assert found
        assert set(found) <= set(fields)
        reasons = [declared.mismatch(value, fields[name], name) for name, value in found.items()]
        assert list(filter(None, reasons)) == []


def move(client, uuid, verb, state, **arguments):
    client.node.set_provision_state(uuid, verb, **arguments)
    check(client.node.get(uuid))
    client.node.wait_for_provision_state(uuid, state, timeout=60, poll_interval=0.1)
    check(client.node.get(uuid))


@pytest.mark.since(115)
def test_nodes_in_several_states(client, node, newest):
    uuid = node.uuid
    check(node)
    move(client, uuid, "manage", "manageable")
    wrong = {**STEP, "step": "no_such_step"}
    with pytest.raises(exc.StateTransitionFailed):
        move(client, uuid, "clean", "manageable", cleansteps=[wrong])
    failed = client.node.get(uuid)
    check(failed)
    assert failed.last_error
    events = client.node.get_history_list(uuid, detail=True)
    assert events
    client.node.set_maintenance(uuid, False)
    for verb, state in (("manage", "manageable"), ("inspect", "manageable")):
        move(client, uuid, verb, state)
    raid = {"logical_disks": [{"raid_level": "1", "size_gb": "MAX"}]}
    client.node.set_target_raid_config(uuid, raid)
    client.node.add_trait(uuid, "CUSTOM_GOLD")
    move(client, uuid, "provide", "available")
    fields = {"extra": {"a": [1]}, "properties": {"cpus": 4}, "resource_class": "gold"}
    fields |= {"instance_info": {"image_source": "http://x/y"}, "retired": None}
    fields |= {"protected_reason": None, "disable_power_off": None}
    patch = [{"op": "add", "path": f"/{name}", "value": value} for name, value in fields.items()]
    check(client.node.update(uuid, patch))
    for verb, state in (("active", "active"), ("deleted", "available")):
        move(client, uuid, verb, state)
    client.node.set_maintenance(uuid, True, "broken")
    check(client.node.get(uuid), client.node.states(uuid))
    check(*client.node.list(limit=0, detail=True))
    check(*client.node.iterate(fields=["uuid", "power_state", "traits"]))
    for minor in (31, 50, newest.minor):
        check(client.node.validate(uuid, os_ironic_api_version=f"1.{minor}"))
    for found, kind in (
        (events, objects.HistoryEvent),
        ([client.node.get_boot_device(uuid)], objects.CurrentBootDevice),
        ([client.node.get_supported_boot_devices(uuid)], objects.SupportedBootDevices),
        ([client.node.get_console(uuid)], objects.Console),
        (client.node.list_bios_settings(uuid, detail=True), objects.BIOSSetting),
        (client.node.list_firmware_components(uuid), objects.FirmwareComponent),
    ):
        for one in found:
            declared.check_object(one, kind)


@pytest.mark.since(96)
def test_other_resources(client, node):
    name = f"CUSTOM_{uuid4().hex[:12].upper()}"
    mac = "52:54:00:" + ":".join(name[n : n + 2] for n in (8, 10, 12))
    switch = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "1", "switch_info": "s"}
    fields = {
        "port": {"address": mac},
        "portgroup": {"address": mac, "mode": "802.3ad"},
        "volume_connector": {"type": "iqn", "connector_id": name},
        "volume_target": {"volume_type": "iscsi", "volume_id": name, "boot_index": 0},
        "chassis": {},
        "deploy_template": {"name": name, "steps": [{**STEP, "priority": 1}]},
        "runbook": {"name": name, "steps": [{**STEP, "order": 1}]},
        "inspection_rule": {
            "actions": [{"op": "fail", "args": {"msg": "no"}}],
            "conditions": [{"op": "is-true", "args": {"value": False}}],
        },
        "allocation": {"resource_class": name},
    }
    for number, (kind, given) in enumerate(fields.items()):
        manager = getattr(client, kind)
        of_node = {"node_uuid": node.uuid} if number < 4 else {}
        made = manager.create(**given, **of_node)
        try:
            check(made, manager.get(made.uuid), *manager.list(limit=0))
            if of_node:
                check(*manager.list(limit=0, detail=True))
        finally:
            if not of_node:
                manager.delete(made.uuid)
    values = {"local_link_connection": switch, "is_smartnic": None}
    patch = [{"op": "add", "path": f"/{key}", "value": value} for key, value in values.items()]
    check(client.port.update(client.port.get_by_address(mac).uuid, patch))
    check(*client.driver.list(), *client.driver.list(detail=True), *client.shard.list())
    check(client.driver.get("fake-hardware"), *client.conductor.list(detail=True))
