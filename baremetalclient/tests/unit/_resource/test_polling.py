from __future__ import annotations

import pytest

from baremetalclient import exc
from baremetalclient._resource.polling import Polls


class Clock:
    """Stands for the event that stops polls, and counts how long they wait."""

    def __init__(self, waits=12):
        self.waits = []
        self._limit = waits

    def is_set(self):
        return len(self.waits) >= self._limit

    def wait(self, seconds):
        self.waits.append(seconds)


def test_the_wait_grows_up_to_a_limit():
    clock = Clock()
    assert list(Polls(lambda passed: "x", stop=clock)) == ["x"] * 12
    assert clock.waits[:3] == [0.25, 0.375, 0.5625]
    assert clock.waits == sorted(clock.waits)
    assert clock.waits[-2:] == [5.0, 5.0]


def test_the_wait_is_short_again_when_something_happens():
    clock = Clock()
    polls = Polls(lambda passed: None, stop=clock)
    for number, _ in enumerate(polls):
        if number == 8:
            polls.hurry()
    assert clock.waits[7] > 4
    assert clock.waits[8:10] == [0.25, 0.375]


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

    assert list(Polls(fetch, stop=Clock(6))) == [1, 2, 3]
    assert caplog.text.count("Still waiting") == 2

    def fail(passed):
        raise exc.ConnectionRefused("nobody")

    with pytest.raises(exc.ConnectionRefused):
        list(Polls(fail, stop=Clock()))


def test_other_errors_end_the_polls():
    def fail(passed):
        raise exc.Forbidden

    with pytest.raises(exc.Forbidden):
        list(Polls(fail, stop=Clock()))


@pytest.mark.parametrize("timeout", [-1, "5", True, float("nan")])
def test_a_time_has_to_be_a_number(timeout):
    with pytest.raises(exc.ValidationError, match="number of seconds"):
        Polls(lambda passed: None, timeout)
