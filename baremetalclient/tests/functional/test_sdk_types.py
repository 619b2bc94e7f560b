"""Each value that a server sends is of the type that the client declares for it."""

from __future__ import annotations

import pytest

from baremetalclient import exc
from baremetalclient.tests import declared
from baremetalclient.tests.declared import check
from baremetalclient.v1 import objects


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
    wrong = {"interface": "bios", "step": "no_such_step", "args": {}}
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
