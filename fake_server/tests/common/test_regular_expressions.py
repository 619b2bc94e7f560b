"""Regular expressions of requests."""

from __future__ import annotations

import time

import pytest

from fake_server.common import regular_expressions
from fake_server.common.regular_expressions import RegularExpressionError, occurs
from fake_server.tests.baremetal import test_inspection_rules as rules

ENDLESS = "^(.*?,){25}P"
TEXT = "1," * 60


api = rules.api


@pytest.fixture(autouse=True)
def little_time(monkeypatch):
    monkeypatch.setattr(regular_expressions, "SECONDS", 0.05)


@pytest.mark.parametrize(
    ("expression", "text", "at_start", "expected"),
    [
        ("b", "abc", False, True),
        ("b", "abc", True, False),
        ("a.c$", "abc", True, True),
        ("(?i)B", "abc", False, True),
    ],
)
def test_what_is_found(expression, text, at_start, expected):
    assert occurs(expression, text, at_start=at_start) is expected


def test_what_takes_for_ever_is_given_up():
    start = time.monotonic()
    with pytest.raises(RegularExpressionError, match=r"it takes longer than 0\.05 s"):
        occurs(ENDLESS, TEXT)
    assert time.monotonic() - start < 30


def test_what_is_invalid_is_told_as_python_does():
    with pytest.raises(RegularExpressionError, match="missing \\), unterminated subpattern"):
        occurs("(", "")


def test_a_server_with_such_a_rule_goes_on(api):
    rules.create(api, [rules.FAIL], [rules.operation("contains", value=TEXT, regex=ENDLESS)])
    assert "it takes longer than 0.05 s" in rules.inspect(api)["last_error"]
