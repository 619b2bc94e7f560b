"""The versions in the client's descriptions, held against what the server does."""

from __future__ import annotations

from uuid import uuid4

import pytest

from baremetalclient import exc
from baremetalclient.microversion import CLIENT_MAX, Version
from baremetalclient.tests.declared import check

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
        described = {field.name for field in resource.fields_in(version)} - ONLY_WRITTEN
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
