"""Descriptions of resources are sound, and arguments are read."""

from __future__ import annotations

import pytest

from baremetalclient import exc
from baremetalclient._resource import arguments
from baremetalclient.microversion import CLIENT_MAX
from baremetalclient.tests import calls
from baremetalclient.v1 import volume_connector
from baremetalclient.v1.node.traits_and_vifs import Vif

RESOURCES = [
    *(one.resource_type for one in calls.managers().values()),
    Vif.resource_type,
]
CONNECTOR = volume_connector.VolumeConnector.resource_type


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.name)
def test_descriptions_are_sound(resource):
    names = [field.name for field in resource.fields]
    assert len(set(names)) == len(names)
    assert len(set(resource.labels.values())) == len(names)
    assert set(resource.listed) <= set(names)
    assert resource.identifier in names
    assert set(resource.listed) <= {field.name for field in resource.long_columns}
    assert all(field.since <= CLIENT_MAX for field in resource.fields)
    assert {rule.field for rule in resource.filters} - {None} <= set(names)


def test_an_unknown_field_is_reported_with_the_known_ones():
    with pytest.raises(exc.InvalidAttribute, match=r"'colour'.*connector_id"):
        CONNECTOR.field("colour")


@pytest.mark.parametrize("text", [True, "true", "On", "yes", "1", " T "])
def test_what_is_true(text):
    assert arguments.boolean(text, "state") is True


@pytest.mark.parametrize("text", [False, "false", "OFF", "no", "0", "f"])
def test_what_is_false(text):
    assert arguments.boolean(text, "state") is False


@pytest.mark.parametrize("wrong", ["", "maybe", None, 2])
def test_what_is_neither(wrong):
    with pytest.raises(exc.InvalidAttribute, match=r"'state'.*neither true nor false"):
        arguments.boolean(wrong, "state")


@pytest.mark.parametrize("wrong", ["", "  ", None, 3, b"x"])
def test_what_is_no_text(wrong):
    with pytest.raises(exc.ValidationError, match="'vif_id'"):
        arguments.text(wrong, "vif_id")
