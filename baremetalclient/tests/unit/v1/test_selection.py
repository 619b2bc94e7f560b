"""Selections of nodes: what they mean, and what of them the server is asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from baremetalclient.v1.node import Node
from baremetalclient.v1.node.selection import KEYS, Selection

NODE = {
    "uuid": "3f9a7a9e-1111-4222-8333-444455556666",
    "name": "rack1-07",
    "provision_state": "available",
    "power_state": "power off",
    "resource_class": "gold",
    "traits": ["CUSTOM_A", "HW_CPU"],
    "driver": "redfish",
    "owner": None,
    "lessee": "",
    "conductor_group": "rack1",
    "description": "one, two \\ three",
    "maintenance": False,
    "retired": True,
    "protected": False,
    "instance_uuid": None,
}


def matches(*expressions, **changes):
    return Selection.parse(expressions).matches(Node(None, {**NODE, **changes}))


@given(st.sampled_from(["name", "owner", "description", "driver"]), st.text(max_size=30))
def test_any_value_can_be_written(key, value):
    written = value.replace("\\", "\\\\").replace(",", "\\,")
    assert matches(f"{key}={written}", **{key: value})
    assert not matches(f"{key}={written}", **{key: value + "x"})


def test_fields_that_lists_cannot_have_need_a_detailed_list():
    # Ironic fails at a list with fields=conductor.
    assert Selection.parse(["conductor~=rack.*"]).detailed
    assert not Selection.parse(["conductor=rack1.example.com"]).detailed


def test_a_second_value_for_one_filter_is_compared_here():
    selection = Selection.parse(["conductor=a,conductor=b"])
    assert selection.detailed
    assert not selection.matches(Node(None, {"conductor": "a"}))


def test_all_keys_are_fields_of_nodes():
    assert {key.field for key in KEYS.values()} <= set(Node.resource_type.by_name)
