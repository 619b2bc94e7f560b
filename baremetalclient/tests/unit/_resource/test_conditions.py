from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import exc
from baremetalclient._resource.conditions import Condition

NODE = {
    "name": "n-0",
    "provision_state": "deploy failed",
    "power_state": "power on",
    "maintenance": False,
    "instance_uuid": None,
    "description": "",
    "last_error": "No agent: timed out",
    "traits": ["CUSTOM_A", "HW_CPU_X86_VMX"],
    "extra": {"rack": {"row": 4}, "ok": "yes and no", "weight": 1.5, "list": [1, 2]},
}


@pytest.mark.parametrize(
    "text",
    [
        "power_state=power on",
        "  power_state = power on  ",
        'power_state="power on"',
        "provision_state!=active",
        "maintenance=false",
        "maintenance!=True",
        "instance_uuid=",
        "instance_uuid=null",
        'instance_uuid=""',
        "description=",
        "name!=",
        "traits contains CUSTOM_A",
        "last_error contains timed out",
        "extra contains rack",
        "extra/rack/row=4",
        "extra/rack/row!=5",
        "extra/rack/row/deep=",
        "extra/missing=",
        "extra/weight=1.5",
        "extra/list contains 2",
        'extra/rack={"row": 4}',
        'extra/ok="yes and no"',
        "name=x and name=y or name=n-0",
        "name=n-0 or name=x and name=y",
        "name=n-0 and power_state=power on",
        "name= and name=x or name=n-0",
        "deleted or name=n-0",
    ],
)
def test_what_holds(text):
    assert Condition.parse(text).holds(NODE)


@pytest.mark.parametrize(
    "text",
    [
        "power_state=power",
        "power_state=Power on",
        "traits contains CUSTOM",
        "traits=CUSTOM_A",
        "maintenance=maybe",
        "extra/rack/row=true",
        "name=",
        "name!=n-0",
        "name=n-0 and name=x",
        "name=x or name=y",
        "deleted",
        "deleted and name=n-0",
        "extra/ok=yes and extra/ok=no",
    ],
)
def test_what_does_not_hold(text):
    assert not Condition.parse(text).holds(NODE)


def test_only_deletion_holds_for_what_is_deleted():
    for text in ("deleted", "deleted or name=x", "name=x or deleted"):
        assert Condition.parse(text).holds(None)
    for text in ("name=x", "name!=x", "name=", "deleted and name=x", "traits contains X"):
        assert not Condition.parse(text).holds(None)


def test_several_texts_have_to_hold_together():
    texts = ("name=n-0 or name=x", "power_state=power on")
    assert Condition.parse(*texts).holds(NODE)
    assert not Condition.parse(*texts, "maintenance=true").holds(NODE)
    assert Condition.parse("extra/a=1 or deleted", *texts).fields == (
        "extra",
        "name",
        "power_state",
    )


def test_states_that_a_condition_names():
    condition = Condition.parse("provision_state=deploy failed or provision_state!=error")
    assert condition.names_state("deploy failed")
    assert condition.names_state("error")
    assert not condition.names_state("clean failed")
    assert Condition.parse("provision_state contains failed").names_state("clean failed")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "at its end"),
        ("active", "at 'active' (character 1)"),
        ("name", "at 'name' (character 1)"),
        ("=x", "at '=x' (character 1)"),
        ("name==x", "at 'name==x' (character 1)"),
        ("name=x and", "at its end"),
        ("name=x or ", "at its end"),
        ("and name=x", "at 'and name=x' (character 1)"),
        ('name="x', "at '\"x' (character 6)"),
        ('name="x" y', "at 'y' (character 9)"),
        ("traits contains", "at its end"),
        ("traits contains and name=x", "at 'and name=x' (character 16)"),
        ("deleted x", "at 'deleted x' (character 1)"),
    ],
)
def test_what_is_no_condition(text, place):
    with pytest.raises(exc.ValidationError) as caught:
        Condition.parse(text)
    assert place in str(caught.value)
    assert "FIELD contains VALUE" in str(caught.value)


def test_a_field_has_to_be_known():
    assert Condition.parse("extra/a=1 or deleted", known=("extra",))
    with pytest.raises(exc.ValidationError, match=r"unknown field 'extras'.*fields: name, extra"):
        Condition.parse("extras/a=1", known=("name", "extra"))


def _quoted(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


FIELDS = st.sampled_from(["name", "extra/a", "traits"])
COMPARISONS = st.tuples(FIELDS, st.sampled_from(["=", "!=", " contains "]), st.text(min_size=1))


@given(st.lists(st.lists(COMPARISONS, min_size=1, max_size=3), min_size=1, max_size=3))
def test_a_written_condition_is_read_again(alternatives):
    text = " or ".join(
        " and ".join(f"{field}{operator}{_quoted(value)}" for field, operator, value in part)
        for part in alternatives
    )
    read = Condition.parse(text)._parts[0]
    assert [
        [("/".join(one.path), one.operator, one.value) for one in comparisons]
        for comparisons in read
    ] == [[(field, operator.strip(), value) for field, operator, value in p] for p in alternatives]


@given(st.text(st.characters(exclude_characters='"\\'), min_size=1))
def test_a_plain_value_goes_on_to_the_next_comparison(value):
    words = value.split()
    if not words or {"and", "or"} & set(words) or words[0].startswith("="):
        return
    plain = value.strip()
    read = Condition.parse(f"name={value} and extra/a={value} or traits contains {value}")
    found = [one.value for comparisons in read._parts[0] for one in comparisons]
    assert found == [plain] * 3


@given(st.text())
def test_any_text_is_a_condition_or_an_error(text):
    with contextlib.suppress(exc.ValidationError):
        assert Condition.parse(text).fields or "deleted" in text
