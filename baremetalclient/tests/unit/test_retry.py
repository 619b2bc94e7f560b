from __future__ import annotations

from datetime import UTC, datetime

import pytest

from baremetalclient import exc
from baremetalclient.retry import RetryPolicy, seconds_of

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        (" 0 ", 0),
        ("Sat, 21 Nov 2026 12:00:30 GMT", 30),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0),
        ("Sat, 21 Nov 2026 12:00:30", 30),
        ("9" * 5000, 999999999999),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        ("٣", None),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header, seconds):
    assert seconds_of(header, NOW) == seconds


def delays(budget, count, header=None):
    found = []
    for _ in range(count):
        budget.attempts += 1
        found.append(budget.delay(header))
    return found


def test_delays_double_up_to_eightfold_and_end():
    assert delays(RetryPolicy(6, 1).budget(), 7) == [1, 2, 4, 8, 8, 8, None]


def test_the_server_knows_better_how_long_it_takes():
    assert delays(RetryPolicy(2, 1).budget(), 2, "7") == [7, 7]


def test_an_absurd_wait_is_not_begun():
    assert delays(RetryPolicy(2, 1).budget(), 1, "86400") == [None]


def test_the_deadline_ends_the_tries():
    now = [0.0]
    budget = RetryPolicy(9, 1, deadline=4, clock=lambda: now[0]).budget()
    assert delays(budget, 1) == [1]
    now[0] = 2.5
    assert delays(budget, 1) == [None]
    assert delays(RetryPolicy(9, 1, deadline=4).budget(), 1, "5") == [None]


def test_a_call_may_have_its_own_deadline():
    assert delays(RetryPolicy(9, 1, deadline=4).budget(deadline=60), 1, "5") == [5]


@pytest.mark.parametrize("wrong", [{"max_retries": -1}, {"interval": -1}, {"deadline": -1}])
def test_negative_numbers_are_refused(wrong):
    with pytest.raises(exc.ValidationError):
        RetryPolicy(**wrong)
