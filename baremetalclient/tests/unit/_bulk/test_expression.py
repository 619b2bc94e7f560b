"""The language of selections and conditions."""

from __future__ import annotations

import contextlib
import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import exc
from baremetalclient._bulk.expression import AllOf, Expression
from baremetalclient._bulk.vocabulary import Vocabulary

TYPES = {"name": "string", "extra": "object", "traits": "list", "created_at": "datetime"}
KNOWN = Vocabulary("thing", TYPES, related={"node": lambda: Vocabulary("node", {"state": ""})})


def parsed(text):
    return Expression.any_of([text], KNOWN)


def _quoted(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


FIELDS = st.sampled_from(["name", "extra/a", "traits"])
COMPARISONS = st.tuples(FIELDS, st.sampled_from(["=", " contains "]), st.text(min_size=1))


@given(st.lists(st.lists(COMPARISONS, min_size=1, max_size=3), min_size=1, max_size=3))
def test_a_written_expression_is_read_again(alternatives):
    text = " or ".join(
        " and ".join(f"{field}{operator}{_quoted(value)}" for field, operator, value in part)
        for part in alternatives
    )
    assert [
        [("/".join(one.place.path), one.sign, one.value) for one in terms]
        for terms in parsed(text).alternatives
    ] == [[(field, operator.strip(), value) for field, operator, value in p] for p in alternatives]


@given(st.text(st.characters(exclude_characters='"\\,'), min_size=1))
def test_a_plain_value_goes_on_to_the_next_comparison(value):
    words = value.split()
    if not words or {"and", "or"} & set(words) or words[0][0] in "=[{":
        return
    read = parsed(f"name={value} and extra/a={value},name={value} or traits contains {value}")
    found = [one.value for terms in read.alternatives for one in terms]
    assert found == [value.strip()] * 4


@given(st.text())
def test_any_text_is_an_expression_or_an_error(text):
    with contextlib.suppress(exc.ValidationError):
        read = parsed(text)
        assert read.fields() or read.fields("node") or "deleted" in text


def _ago(**age):
    return (datetime.now(UTC) - timedelta(**age)).isoformat()


@pytest.mark.parametrize(
    ("text", "found", "holds"),
    [
        ("extra/mb>65535", {"mb": 65536}, True),
        ("extra/mb>65535", {"mb": "65536"}, True),
        ("extra/mb>65536", {"mb": "65536"}, False),
        ("extra/mb>=65536", {"mb": "65536"}, True),
        ("extra/mb<1e3", {"mb": "7"}, True),
        ("extra/mb<=7", {"mb": "many"}, False),
        ("extra/mb>0", {}, False),
        ("extra/mb>0", {"mb": True}, False),
        ("extra/at<-30m", {"at": _ago(hours=1)}, True),
        ("extra/at<-30m", {"at": _ago(minutes=1)}, False),
        ("extra/at>-1.5d", {"at": _ago(hours=30)}, True),
        ("extra/at>-1w", {"at": _ago(days=8)}, False),
        ("extra/at<2026-01-02", {"at": "2026-01-01T23:59:59.999"}, True),
        ("extra/at<2026-01-02T00:00:00Z", {"at": "2026-01-02T01:00:00+02:00"}, True),
        ("extra/at<-30m", {"at": "never"}, False),
        ("!extra/mb>1", {"mb": 1}, True),
        ("not extra/mb>1", {"mb": 2}, False),
        ("extra/x!~=a.*", {"x": "abc"}, False),
        ("extra/x~=a[1\\,2]", {"x": "a,"}, True),
        ('extra/x="a, b" and extra/y', {"x": "a, b", "y": 1}, True),
        ("extra/x=a\\, b", {"x": "a, b"}, True),
        ('extra/x=[1, "a"]', {"x": [1, "a"]}, True),
        ("extra/x=a", {"x": ["a", "b"]}, True),
        ("extra/x!=a", {"x": ["b"]}, True),
        ("extra/x", {"x": False}, False),
        ("!extra/x", {"x": ""}, True),
        ("extra/x,extra/y or extra/z", {"x": 1, "z": 1}, True),
        ("extra/x,extra/y or extra/z", {"x": 1}, False),
        ("!deleted", {}, True),
        ("deleted", {}, False),
    ],
)
def test_what_an_expression_means(text, found, holds):
    assert parsed(text).holds({"extra": found}) is holds


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nmae=x", "Unknown field 'nmae'. Did you mean 'name'"),
        ("name==x", "expected an operator after 'name'"),
        ("name=x,", "expected a comparison at its end"),
        ("name='x' name=y and", "expected a comparison at its end"),
        ('name="x', "the double quotes are not closed"),
        ("name~=(", "not a Python regular expression"),
        ("name contains", "expected a value after 'contains'"),
        ("name<", "expected a value after '<'"),
        ("created_at<12", "compares numbers and times"),
        ("extra/a<b", "compares numbers and times"),
        ("node.colour=red", "Unknown field 'colour'"),
        ("other.state=x", "Unknown field 'other.state'"),
        ("deleted=x", "Unknown field 'deleted'"),
        ("", "expected a comparison"),
    ],
)
def test_what_is_no_expression(text, told):
    with pytest.raises(exc.ValidationError) as caught:
        parsed(text)
    assert str(caught.value).startswith(f"Expression {text!r}: ")
    assert told in str(caught.value)


def test_a_deleted_resource_has_no_fields():
    for text, holds in (("deleted", True), ("!deleted", False), ("name=", False), ("!name", False)):
        assert parsed(text).holds(None) is holds


def test_all_of_several_have_to_hold_or_any():
    both = ["name=x or extra/a", "name=y or extra/b"]
    item = {"name": "x", "extra": {"b": 1}}
    assert AllOf(both, KNOWN).holds(item)
    assert Expression.any_of(both, KNOWN).holds(item)
    item = {"name": "x", "extra": {}}
    assert not AllOf(both, KNOWN).holds(item)
    assert Expression.any_of(both, KNOWN).holds(item)
    assert Expression.any_of([], KNOWN).holds({})


def test_many_conditions_with_alternatives_do_not_multiply():
    texts = [f"name=x or extra/{number}" for number in range(1000)]
    assert AllOf(texts, KNOWN).holds({"name": "x"})
    assert not AllOf(texts, KNOWN).holds({"name": "y", "extra": {"0": 1}})
    assert AllOf(texts, KNOWN).fields() == ("name", "extra")


def test_a_related_resource_that_is_not_there_matches_nothing():
    for text in ("node.state=x", "!node.state=x", "node.state!=x"):
        assert not parsed(text).holds({"name": "n", "node": None})
    assert parsed("!node.state=x").holds({"node": {"state": "y"}})


#: Texts that grow with a number, each in another way.
GROWING = {
    "blanks before a value": lambda n: f"name={' ' * n}x",
    "blanks in a value": lambda n: f"name=a{' ' * n}b",
    "blanks after a value": lambda n: f"name=a{' ' * n}",
    "blanks before a field": lambda n: f"{' ' * n}name",
    "blanks before an operator": lambda n: f"traits{' ' * n}contains a",
    "words": lambda n: f"name={'a ' * n}",
    "backslashes": lambda n: f"name={chr(92) * n}",
    "escapes": lambda n: f'name="{chr(92)}"' * n,
    "no end": lambda n: f'name="{"a" * n}',
    "alternatives": lambda n: " or ".join(["name=a"] * (n // 10)),
    "comparisons": lambda n: ",".join(["name=a"] * (n // 10)),
    "a list": lambda n: f"extra={'[' * n}",
    "a whole list": lambda n: f"extra={'[' * n}{']' * n}",
    "an object": lambda n: "extra=" + '{"a":' * n,
    "negations": lambda n: f"{'!' * n}name",
    "a field": lambda n: "a" * n,
    "a path": lambda n: f"extra{'/a' * n}=1",
    "operators": lambda n: f"name{'=' * n}",
    "groups": lambda n: f"name~={'(' * n}{')' * n}",
    "digits": lambda n: f"created_at<{'1' * n}",
    "an age": lambda n: f"created_at<-{'1' * n}m",
}


def seconds_of(text):
    """Return the CPU time of parsing a text, which is one or ends with a short sentence."""
    told = ""
    begun = time.process_time()
    try:
        parsed(text)
    except exc.ValidationError as error:
        told = str(error)
    spent = time.process_time() - begun
    assert len(told) < 2000
    assert "recursion" not in told
    return spent


@pytest.mark.parametrize("shape", GROWING)
def test_time_grows_no_faster_than_the_text(shape):
    # Where each character is compared with each other one, it takes 256 times as long.
    few, many = (
        min(seconds_of(GROWING[shape](length)) for _ in range(3)) for length in (4000, 64000)
    )
    assert many < 64 * max(few, 0.001)
