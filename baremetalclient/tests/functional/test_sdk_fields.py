"""The versions in the client's descriptions, held against what the server does."""

from __future__ import annotations

from uuid import uuid4

import pytest

from baremetalclient import exc
from baremetalclient.microversion import CLIENT_MAX, Version
from baremetalclient.v1 import (
    allocation,
    chassis,
    conductor,
    deploy_template,
    driver,
    inspection_rule,
    port,
    portgroup,
    runbook,
    volume_connector,
    volume_target,
)
from baremetalclient.v1.node import schema

#: Field of allocations that is only written.
ONLY_WRITTEN = {"node"}
#: Field of nodes that a dialect doesn't have.
UNKNOWN = {"ironic": {"network_provider"}, "spec": {"network_interface"}}


@pytest.fixture
def unknown(request):
    """Return the fields that the server calls otherwise."""
    return UNKNOWN[request.config.getoption("--dialect")]


@pytest.fixture
def versions(newest):
    """Return a function that lists the versions of the API before and with each new field."""

    def around(resource):
        skip_newer(resource, newest)
        minors = {newest.minor - 1, newest.minor}
        for field in resource.fields:
            minors |= {field.since.minor - 1, field.since.minor}
        found = [Version(1, minor) for minor in sorted(minors)]
        return [version for version in found if resource.since <= version <= newest]

    return around


def skip_newer(resource, newest):
    if resource.since > newest:
        pytest.skip(f"This Ironic doesn't know version {resource.since}.")


@pytest.fixture
def existing(client, node):
    """Return a function that fetches one resource of a kind, given options of the call."""
    suffix = uuid4().hex

    def make(resource):
        if resource is port.RESOURCE_TYPE:
            address = "52:54:00:" + ":".join(suffix[n : n + 2] for n in (0, 2, 4))
            made = client.port.create(node_uuid=node.uuid, address=address)
            return lambda **call: client.port.get(made.uuid, **call)
        if resource is portgroup.RESOURCE_TYPE:
            made = client.portgroup.create(node_uuid=node.uuid)
            return lambda **call: client.portgroup.get(made.uuid, **call)
        if resource is volume_connector.RESOURCE_TYPE:
            made = client.volume_connector.create(
                node_uuid=node.uuid, type="iqn", connector_id=suffix
            )
            return lambda **call: client.volume_connector.get(made.uuid, **call)
        if resource is volume_target.RESOURCE_TYPE:
            made = client.volume_target.create(
                node_uuid=node.uuid, volume_type="iscsi", volume_id=suffix, boot_index=0
            )
            return lambda **call: client.volume_target.get(made.uuid, **call)
        if resource is driver.RESOURCE_TYPE:
            return lambda **call: client.driver.get("fake-hardware", **call)
        if resource is conductor.RESOURCE_TYPE:
            host = client.conductor.list()[0].hostname
            return lambda **call: client.conductor.get(host, **call)
        return lambda **call: client.node.get(node.uuid, **call)

    return make


@pytest.fixture
def planned(client):
    """Return a function that fetches one of what is there without nodes; it goes afterwards."""
    name = f"CUSTOM_{uuid4().hex.upper()}"
    step = {"interface": "bios", "step": "factory_reset", "args": {}}
    fields = {
        "allocation": {"resource_class": name, "name": name},
        "deploy_template": {"name": name, "steps": [{**step, "priority": 1}]},
        "runbook": {"name": name, "steps": [{**step, "order": 1}]},
        "inspection_rule": {
            "actions": [{"op": "fail", "args": {"msg": "no"}}],
            "conditions": [{"op": "is-true", "args": {"value": False}}],
        },
    }
    made = []

    def make(resource):
        manager = getattr(client, resource.name.replace(" ", "_"))
        made.append((manager, manager.create(**fields[resource.path.removesuffix("s")]).uuid))
        return lambda **call: manager.get(made[0][1], **call)

    yield make
    for manager, uuid in made:
        manager.delete(uuid)


@pytest.mark.parametrize(
    "resource",
    [
        allocation.RESOURCE_TYPE,
        deploy_template.RESOURCE_TYPE,
        inspection_rule.RESOURCE_TYPE,
        runbook.RESOURCE_TYPE,
    ],
    ids=lambda resource: resource.name,
)
def test_plans_have_the_fields_that_the_description_says(planned, versions, resource):
    known = versions(resource)
    fetch = planned(resource)
    for version in known:
        answered = set(fetch(os_ironic_api_version=version).to_dict())
        described = {field.name for field in resource.fields_in(version)} - ONLY_WRITTEN
        assert answered == described, f"in version {version}"


@pytest.mark.parametrize(
    "resource",
    [
        schema.RESOURCE_TYPE,
        port.RESOURCE_TYPE,
        portgroup.RESOURCE_TYPE,
        volume_connector.RESOURCE_TYPE,
        volume_target.RESOURCE_TYPE,
        driver.RESOURCE_TYPE,
        conductor.RESOURCE_TYPE,
    ],
    ids=lambda resource: resource.name,
)
def test_each_version_has_the_fields_that_the_description_says(
    existing, versions, resource, unknown, newest
):
    fetch = existing(resource)
    for version in versions(resource):
        described = {field.name for field in resource.fields_in(version)}
        answered = set(fetch(os_ironic_api_version=version).to_dict())
        if newest < CLIENT_MAX:
            # Older releases had some fields a version too early.
            answered &= described
        assert answered == described - unknown, f"in version {version}"


def test_the_fields_of_chassis(client):
    made = client.chassis.create(description="a rack")
    answered = set(client.chassis.get(made.uuid).to_dict())
    client.chassis.delete(made.uuid)
    assert answered == set(chassis.RESOURCE_TYPE.by_name)


@pytest.mark.parametrize(
    "name",
    [
        "node",
        "port",
        "portgroup",
        "chassis",
        "conductor",
        "volume_connector",
        "volume_target",
        "allocation",
        "deploy_template",
        "inspection_rule",
        "runbook",
    ],
)
def test_lists_are_sorted_by_the_fields_that_the_description_says(client, name, unknown, newest):
    manager = getattr(client, name)
    skip_newer(manager.resource_type, newest)
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
