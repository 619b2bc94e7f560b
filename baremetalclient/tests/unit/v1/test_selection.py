"""Selections of nodes: what they mean, and what of them the server is asked."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import exc
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


@pytest.mark.parametrize(
    "expression",
    [
        "state=available",
        "provision-state=available",
        "provision_state=available",
        "power-state=power off",
        "name~=rack1-.*",
        "name~=rack1-\\d+",
        "name!~=rack2-.*",
        "name!=rack1-08",
        "trait=CUSTOM_A",
        "trait=CUSTOM_A,trait=HW_CPU",
        "trait~=HW_.*",
        "trait!=CUSTOM_B",
        "trait!~=CUSTOM_[BC]",
        "owner=",
        "lessee=",
        "resource-class!=",
        "!maintenance",
        "retired,!protected,!associated",
        "description=one\\, two \\\\ three",
        "state=available, driver=redfish",
    ],
)
def test_a_node_matches(expression):
    assert matches(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "state=Available",
        "name~=rack1",
        "trait=CUSTOM_A,trait=CUSTOM_B",
        "trait!=CUSTOM_A",
        "trait=",
        "owner!=",
        "resource-class=",
        "maintenance",
        "associated",
        "!retired",
        "state=available,driver=ipmi",
    ],
)
def test_a_node_does_not_match(expression):
    assert not matches(expression)


def test_one_of_several_expressions_suffices():
    assert matches("driver=ipmi", "driver=redfish")
    assert not matches("driver=ipmi", "driver=ilo")


def test_no_expression_selects_all():
    assert matches()


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("colour=red", "unknown key 'colour'"),
        ("state>5", "unknown key"),
        ("state", "needs an operator"),
        ("maintenance=true", "takes no value"),
        ("name~=(", "not a Python regular expression"),
        ("", "cannot be empty"),
        ("state=available,", "cannot be empty"),
        ("!state=available", "unknown key"),
    ],
)
def test_wrong_expressions_are_refused(expression, message):
    with pytest.raises(exc.ValidationError, match=re.escape(message)):
        Selection.parse([expression])


@given(st.sampled_from(["name", "owner", "description", "driver"]), st.text(max_size=30))
def test_any_value_can_be_written(key, value):
    written = value.replace("\\", "\\\\").replace(",", "\\,")
    assert matches(f"{key}={written}", **{key: value})
    assert not matches(f"{key}={written}", **{key: value + "x"})


@pytest.mark.parametrize(
    ("expressions", "filters", "here"),
    [
        (["state=active,name~=a.*"], {"provision_state": "active"}, ["name~=a.*"]),
        (["trait=A,trait=B"], {"traits": ["A", "B"]}, []),
        (["shard=s1,!maintenance"], {"shards": ["s1"], "maintenance": False}, []),
        (["state=active,owner=x", "owner=x"], {"owner": "x"}, ["state=active"]),
        (["owner=,state!=active"], {}, ["owner=", "state!=active"]),
        (["chassis=nonsense"], {}, ["chassis=nonsense"]),
        (["conductor=a,conductor=b"], {"conductor": "a"}, ["conductor=b"]),
        (["parent-node=x"], {"include_children": True}, ["parent-node=x"]),
        (["associated,protected"], {"associated": True}, ["protected"]),
    ],
)
def test_what_the_server_is_asked(expressions, filters, here):
    selection = Selection.parse(expressions)
    assert selection.filters == filters
    assert selection.filtered_here == here


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
