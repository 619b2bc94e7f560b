"""Integers and booleans as clients write them."""

from __future__ import annotations

import pytest
from oslo_utils import strutils

from fake_server.common.parsing import FALSE, TRUE, parse_boolean, parse_integer

MANY_DIGITS = "1" * 5000


def test_booleans_are_spelled_as_oslo_utils_knows_them():
    assert (set(TRUE), set(FALSE)) == (set(strutils.TRUE_STRINGS), set(strutils.FALSE_STRINGS))
    for value in (*TRUE, *FALSE, " Yes ", "OFF", True, False, 0, 1):
        assert parse_boolean(value) is strutils.bool_from_string(value, strict=True)
    for value in (None, "", "none", "truth", 2, 1.0, [], {}):
        assert parse_boolean(value) is None


@pytest.mark.parametrize(
    ("value", "loose", "strict"),
    [
        (5, 5, 5),
        (-5, -5, -5),
        ("007", 7, 7),
        (" +5 ", 5, None),
        ("-5", -5, None),
        ("٣", 3, None),
        (5.7, 5, None),
        (True, 1, None),
        (float("inf"), None, None),
        (MANY_DIGITS, None, None),
        ("5.0", None, None),
        ("", None, None),
        (None, None, None),
        (["5"], None, None),
    ],
)
def test_integers_are_those_of_python_or_digits_only(value, loose, strict):
    assert parse_integer(value) == loose
    assert parse_integer(value, strict=True) == strict


def test_integers_beyond_a_bound_are_none():
    assert [parse_integer(str(n), minimum=1, maximum=3) for n in range(5)] == [None, 1, 2, 3, None]
