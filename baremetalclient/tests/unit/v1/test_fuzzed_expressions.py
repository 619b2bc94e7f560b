"""An expression is read, or refused in a sentence, and can be asked of whatever a server sends."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import exc
from baremetalclient._bulk.expression import AllOf, Expression
from baremetalclient.tests.unit.hostile import VALUES
from baremetalclient.v1.expressions import vocabulary
from baremetalclient.v1.resources import resource_type

NODES = vocabulary(resource_type("node"))
FIELDS = [
    *("name", "state", "provision_state", "extra/a/b", "traits", "created_at", "maintenance"),
    *("uuid", "boot_index", "node.state", "deleted", "power-state", "properties/cpus", "links"),
]
PIECES = [
    *FIELDS,
    *("=", "!=", "~=", "!~=", "<", "<=", ">", ">=", " contains ", "==", "!", "not ", " not"),
    *(",", " and ", " or ", " ", "  ", "\t", "\n", "(", ")", '"', "\\", "\\,", '\\"', "/", "."),
    *("available", "true", "null", "None", "7", "-30m", "2026-11-24T10:00:00Z", "1e999", "٣"),
    *("[", "]", "{", "}", '{"a": 1}', "[1]", "(a+)+$", "(?P<", "[[:", "*", ".*", "\x00", "\u202e"),
    *("a" * 300, "[" * 500, "(" * 500, "9" * 400),
]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
items = st.dictionaries(
    st.sampled_from(["name", "provision_state", "extra", "traits", "created_at", "maintenance"]),
    st.sampled_from(VALUES) | st.text(max_size=3) | st.integers() | st.floats(),
    max_size=4,
)


@given(texts, items)
def test_an_expression_is_asked_or_refused(text, item):
    begun = time.process_time()
    told = ""
    try:
        for found in (Expression.any_of([text], NODES), AllOf([text], NODES)):
            assert found.holds(item) in (True, False)
            assert found.holds(None) in (True, False)
            assert found.names_state("provision_state", "error") in (True, False)
            assert isinstance(found.fields(), tuple)
    except exc.ValidationError as error:
        told = str(error)
    assert "recursion" not in told
    assert len(told) < 3000
    # A pattern that the user wrote may take its time; (a+)+$ does on what is long.
    assert time.process_time() - begun < 10
