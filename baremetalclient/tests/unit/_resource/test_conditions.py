from __future__ import annotations

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import exc
from baremetalclient._resource.conditions import Condition


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
