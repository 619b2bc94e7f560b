"""The versions and the types in the client's descriptions, held against what the server does."""

from __future__ import annotations

from uuid import uuid4

import pytest

from baremetalclient import exc
from baremetalclient.microversion import CLIENT_MAX, Version
from baremetalclient.tests import declared
from baremetalclient.tests.declared import check
from baremetalclient.v1 import objects

#: Field of allocations that is only written.
ONLY_WRITTEN = {"node"}
#: Field of nodes that a dialect doesn't have.
UNKNOWN = {"ironic": {"network_provider"}, "spec": {"network_interface"}}
NAME = f"CUSTOM_{uuid4().hex[:12].upper()}"
STEP = {"interface": "bios", "step": "factory_reset", "args": {}}
OF_NODE = {
    "port": {"address": "52:54:00:" + ":".join(NAME[n : n + 2] for n in (8, 10, 12))},
    "portgroup": {},
    "volume_connector": {"type": "iqn", "connector_id": NAME},
    "volume_target": {"volume_type": "iscsi", "volume_id": NAME, "boot_index": 0},
}
OF_NO_NODE = {
    "allocation": {"resource_class": NAME, "name": NAME},
    "chassis": {"description": "a rack"},
    "deploy_template": {"name": NAME, "steps": [{**STEP, "priority": 1}]},
    "inspection_rule": {
        "actions": [{"op": "fail", "args": {"msg": "no"}}],
        "conditions": [{"op": "is-true", "args": {"value": False}}],
    },
    "runbook": {"name": NAME, "steps": [{**STEP, "order": 1}]},
}
KINDS = ["node", "conductor", *OF_NODE, *OF_NO_NODE]


@pytest.fixture
def unknown(request):
    """Return the fields that the server calls otherwise."""
    return UNKNOWN[request.config.getoption("--dialect")]


@pytest.fixture
def manager(client, newest, kind):
    manager = getattr(client, kind)
    if manager.resource_type.since > newest:
        pytest.skip(f"This Ironic doesn't know version {manager.resource_type.since}.")
    return manager


@pytest.fixture
def ident(client, manager, kind, node):
    """Return what one resource of a kind is fetched by; it goes afterwards."""
    if kind in OF_NO_NODE:
        made = manager.create(**OF_NO_NODE[kind])
        yield made.uuid
        manager.delete(made.uuid)
    elif kind in OF_NODE:
        yield manager.create(node_uuid=node.uuid, **OF_NODE[kind]).uuid
    elif kind == "conductor":
        yield client.conductor.list()[0].hostname
    else:
        yield {"node": node.uuid, "driver": "fake-hardware"}[kind]


@pytest.mark.parametrize("kind", [*KINDS, "driver"])
def test_each_version_has_the_fields_that_the_description_says(
    manager, ident, kind, unknown, newest
):
    resource = manager.resource_type
    minors = {newest.minor - 1, newest.minor}
    for field in resource.fields:
        minors |= {field.since.minor - 1, field.since.minor}
    versions = [Version(1, minor) for minor in sorted(minors)]
    problems = []
    for version in versions:
        if not resource.since <= version <= newest:
            continue
        described = {one.name for one in resource.fields if one.since <= version}
        described -= ONLY_WRITTEN
        answered = set(manager.get(ident, os_ironic_api_version=version).to_dict())
        if newest < CLIENT_MAX and kind not in OF_NO_NODE:
            # Older releases had some fields a version too early.
            answered &= described
        if answered != described - unknown:
            problems.append((version, answered ^ (described - unknown)))
    assert problems == []


@pytest.mark.parametrize("kind", [*KINDS, "driver"])
def test_values_are_of_the_types_that_the_client_declares(manager, ident):
    check(manager.get(ident), *manager.list())


@pytest.mark.parametrize("kind", KINDS)
def test_lists_are_sorted_by_the_fields_that_the_description_says(manager, unknown, newest):
    known = [field for field in manager.resource_type.shown_fields if field.since <= newest]
    sortable = set()
    for field in known:
        try:
            manager.list(sort_key=field.name, sort_dir="desc", limit=1)
        except (exc.BadRequest, exc.InternalServerError):
            continue
        sortable.add(field.name)
    expected = set(manager.resource_type.sortable_names) & {field.name for field in known}
    assert sortable == expected - unknown


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
