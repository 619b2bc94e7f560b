from __future__ import annotations

from itertools import islice

import pytest

from baremetalclient import exc
from baremetalclient._resource import polling
from baremetalclient._resource.polling import Polls


def test_the_wait_grows_up_to_a_limit():
    waits = []
    assert list(islice(Polls(lambda passed: "x", sleep=waits.append), 13)) == ["x"] * 13
    assert waits[:3] == [0.25, 0.375, 0.5625]
    assert waits == sorted(waits)
    assert waits[-2:] == [5.0, 5.0]


def test_the_wait_is_short_again_when_something_happens():
    waits = []
    polls = Polls(lambda passed: None, sleep=waits.append)
    for number, _ in enumerate(islice(polls, 11)):
        if number == 8:
            polls.hurry()
    assert waits[7] > 4
    assert waits[8:10] == [0.25, 0.375]


def test_a_slow_server_is_polled_less_often(monkeypatch):
    now = 0.0
    monkeypatch.setattr(polling.time, "monotonic", lambda: now)
    waits = []

    def fetch(passed):
        nonlocal now
        now += seconds

    seconds = 3.0
    polls = Polls(fetch, sleep=waits.append)
    for _ in islice(polls, 3):
        polls.hurry()
    seconds = 60.0
    list(islice(Polls(fetch, sleep=waits.append), 2))
    assert waits == [3.0, 3.0, 5.0]


def test_a_stop_ends_the_wait_early():
    waits = []
    polls = Polls(lambda passed: "x", stop=lambda: len(waits) > 40, sleep=waits.append)
    assert 3 < len(list(polls)) < 10
    assert max(waits) == 0.2
    assert len(waits) == 41


def test_the_last_poll_is_at_the_end_of_the_time():
    seen = list(Polls(lambda passed: passed, timeout=0.3))
    assert seen[0] < 0.3 <= seen[-1]


def test_an_outage_is_reported_once_but_not_at_the_beginning(caplog):
    answers = iter([1, exc.ConnectionError("cut"), exc.BadGateway(), 2, exc.GatewayTimeout(), 3])

    def fetch(passed):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert list(islice(Polls(fetch, sleep=lambda seconds: None), 3)) == [1, 2, 3]
    assert caplog.text.count("Still waiting") == 2

    def fail(passed):
        raise exc.ConnectionRefused("nobody")

    with pytest.raises(exc.ConnectionRefused):
        list(Polls(fail, sleep=print))


def test_other_errors_end_the_polls():
    def fail(passed):
        raise exc.Forbidden

    with pytest.raises(exc.Forbidden):
        list(Polls(fail, sleep=print))


@pytest.mark.parametrize("timeout", [-1, "5", True, float("nan")])
def test_a_time_has_to_be_a_number(timeout):
    with pytest.raises(exc.ValidationError, match="number of seconds"):
        Polls(lambda passed: None, timeout)
