from __future__ import annotations

import time
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baremetalclient import exc
from baremetalclient._http.retry import Deadline, RetryPolicy, parse_retry_after
from baremetalclient.client import use_clock

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
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", None),
        ("Mon, 01 Jan 2026 00:00:00 +99999999999999999999", None),
        ("", None),
        ("٣", None),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header, seconds):
    assert parse_retry_after(header, NOW) == seconds


def policy(retries, interval=1.0, jitter=0.0, **more):
    return RetryPolicy(retries, interval, jitter=lambda: jitter, **more)


def delays(policy, count, header=None, deadline=None):
    return [policy.delay(attempt + 1, header, deadline) for attempt in range(count)]


def test_delays_double_up_to_eightfold_and_end():
    assert delays(policy(6), 7) == [1, 2, 4, 8, 8, 8, None]
    assert delays(policy(5, 60), 6) == [60, 120, 240, 480, 480, None]


def test_delays_are_shortened_at_random():
    assert delays(policy(3, jitter=0.5), 3) == [0.75, 1.5, 3]
    default = RetryPolicy(1, 1)
    found = {default.delay(1, None) for _ in range(20)}
    assert len(found) > 1
    assert all(0.5 <= wait <= 1 for wait in found)


def test_retry_after_takes_precedence_unless_it_is_very_long():
    assert delays(policy(2, jitter=1), 2, "7") == [7, 7]
    assert delays(policy(2), 1, "120") == [120]
    assert delays(policy(2), 1, "121") == [None]


def test_the_deadline_ends_the_tries():
    now = [0.0]
    patient = policy(9, deadline=4)
    with use_clock(time.sleep, lambda: now[0]):
        deadline = patient.start_deadline()
        assert delays(patient, 1, deadline=deadline) == [1]
        assert delays(patient, 1, "5", deadline) == [None]
        now[0] = 3.5
        assert delays(patient, 1, deadline=deadline) == [None]


def test_a_call_may_have_its_own_deadline():
    patient = policy(9, deadline=4)
    assert delays(patient, 1, "5", patient.start_deadline(60)) == [5]


def test_the_requests_of_a_call_share_its_deadline():
    deadline = policy(9).start_deadline(4)
    assert policy(9, deadline=60).start_deadline(deadline) is deadline


@pytest.mark.parametrize("wrong", [{"max_retries": -1}, {"interval": -1}, {"deadline": -1}])
def test_negative_numbers_are_refused(wrong):
    with pytest.raises(exc.ValidationError):
        RetryPolicy(**wrong)


@given(st.text() | st.from_regex(r"\w{3}, \d+ \w{3} \d+ \d+:\d+:\d+ ([+-]\d+|GMT)"))
def test_retry_after_may_be_anything(header):
    found = parse_retry_after(header)
    assert found is None or found >= 0


@given(st.datetimes(datetime(1900, 1, 1), datetime(2900, 1, 1), timezones=st.just(UTC)))
def test_retry_after_may_be_any_date(moment):
    moment = moment.replace(microsecond=0)
    wanted = max(0.0, (moment - NOW).total_seconds())
    assert parse_retry_after(format_datetime(moment, usegmt=True), NOW) == wanted


@pytest.mark.parametrize(("given", "seconds"), [(None, 60), (30, 30), (90, 60)])
def test_no_call_goes_beyond_the_deadline_of_all_calls(given, seconds):
    with use_clock(time.sleep, lambda: 0.0):
        of_all = policy(1, deadline=Deadline(60))
        assert of_all.start_deadline(given).remaining() == seconds
