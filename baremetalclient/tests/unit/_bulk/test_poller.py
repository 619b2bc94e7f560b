"""How a wait polls, and how long."""

from __future__ import annotations

from itertools import islice

import pytest

from baremetalclient import _clock, exc
from baremetalclient import client as clients
from baremetalclient._bulk.poller import Poller
from baremetalclient.tests.listening import Seen
from baremetalclient.tests.unit.scripted import Reply


def test_the_wait_grows_up_to_a_limit():
    waits = []
    assert list(islice(Poller(lambda limit: "x", sleep=waits.append), 13)) == ["x"] * 13
    assert waits[:3] == [0.25, 0.375, 0.5625]
    assert waits == sorted(waits)
    assert waits[-2:] == [5.0, 5.0]


def test_the_wait_is_short_again_when_something_happens():
    waits = []
    polls = Poller(lambda limit: [], sleep=waits.append)
    for number, _ in enumerate(islice(polls, 11)):
        if number == 8:
            polls.hurry()
    assert waits[7] > 4
    assert waits[8:10] == [0.25, 0.375]


def test_a_slow_server_is_polled_less_often(monkeypatch):
    now = 0.0
    monkeypatch.setattr(_clock.time, "monotonic", lambda: now)
    waits = []

    def fetch(limit):
        nonlocal now
        now += seconds
        return now

    seconds = 3.0
    polls = Poller(fetch, sleep=waits.append)
    for _ in islice(polls, 3):
        polls.hurry()
    seconds = 60.0
    list(islice(Poller(fetch, sleep=waits.append), 2))
    assert waits == [3.0, 3.0, 5.0]


def test_a_stop_ends_the_wait_early():
    waits = []
    polls = Poller(lambda limit: "x", stop=lambda: len(waits) > 40, sleep=waits.append)
    assert 3 < len(list(polls)) < 10
    assert max(waits) == 0.2
    assert len(waits) == 41


def test_the_last_poll_is_at_the_end_of_the_time():
    polls = Poller(lambda limit: [polls.seconds], timeout=0.3)
    seen = [seconds for (seconds,) in polls]
    assert seen[0] < 0.3 <= seen[-1]


def test_an_outage_is_reported_once_but_not_at_the_beginning(caplog):
    answers = iter([1, exc.ConnectionError("cut"), exc.BadGateway(), 2, exc.GatewayTimeout(), 3])

    def fetch(limit):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert list(islice(Poller(fetch, sleep=lambda seconds: None), 3)) == [1, 2, 3]
    assert caplog.text.count("Still waiting") == 2

    def fail(limit):
        raise exc.ConnectionRefused("nobody")

    with pytest.raises(exc.ConnectionRefused):
        list(Poller(fail, sleep=print))


def test_other_errors_end_the_polls():
    def fail(limit):
        raise exc.Forbidden

    with pytest.raises(exc.Forbidden):
        list(Poller(fail, sleep=print))


@pytest.mark.parametrize("timeout", [-1, "5", True, float("nan")])
def test_a_time_has_to_be_a_number(timeout):
    with pytest.raises(exc.ValidationError, match="number of seconds"):
        Poller(lambda limit: 1, timeout=timeout)


def state(now, target=None, error=None):
    return Reply({"provision_state": now, "target_provision_state": target, "last_error": error})


def wait(client, **options):
    waits, polls = [], []
    client.node.wait_for_provision_state(
        "n",
        "Active",
        poll_delay_function=waits.append,
        listener=Seen(lambda *look: polls.append(look)),
        **options,
    )
    return waits, polls


def test_a_wait_ends_when_the_state_is_reached(scripted):
    client, server = scripted(state("deploying", "active"), state("active"))
    waits, polls = wait(client, poll_interval=7)
    assert waits == [7]
    assert polls == [("n", "deploying", "active"), ("n", "active", None)]
    assert server.requests[0].query["fields"] == "provision_state,target_provision_state,last_error"


def test_no_wait_is_longer_than_the_time_left(scripted):
    client, _ = scripted(state("deploying", "active"), state("active"))
    (waited,), _ = wait(client, timeout=5, poll_interval=600)
    assert waited <= 5


def test_nodes_are_waited_for_as_they_were_returned(scripted):
    node = {"uuid": "u", "name": "n", "provision_state": "active", "target_provision_state": None}
    client, server = scripted(Reply(node))
    found = client.node.get("n")
    client.node.wait_for_provision_state(found, "active")
    client.node.wait_for_provision_state([found, "m"], "active")
    assert [request.path for request in server.requests[1:]] == [
        "/v1/nodes/u",
        "/v1/nodes/u",
        "/v1/nodes/m",
    ]


@pytest.mark.parametrize(("timeout", "most"), [(1, 10), (60, 60), (0, 120)])
def test_a_poll_takes_no_longer_than_the_wait(requests_mock, timeout, most):
    found = {
        "uuid": "a",
        "provision_state": "active",
        "target_provision_state": None,
        "state": "active",
    }
    requests_mock.get("http://ironic/v1/nodes/n", json=found)
    requests_mock.get("http://ironic/v1/allocations/a", json=found)
    client = clients.get_client(1, endpoint="http://ironic")
    client.node.wait_for_provision_state("n", "active", timeout=timeout)
    client.allocation.wait("a", timeout=timeout)
    for request in requests_mock.request_history:
        assert most - 5 < request.timeout <= most


def test_a_poll_may_take_what_remains_but_enough_for_a_response(monkeypatch):
    clock, limits = [0.0], []
    monkeypatch.setattr(_clock.time, "monotonic", lambda: clock[0])

    def fetch(limit):
        limits.append(limit)
        return 1

    polls = Poller(fetch, timeout=60)
    for clock[0] in (20.0, 59.99, 60.0, 99.0):
        polls.poll()
    assert limits[0] == 40
    assert 0 < limits[1] == limits[2] == limits[3] < 60
    Poller(fetch).poll()
    assert limits[-1] is None


def test_an_outage_after_an_action_is_no_end():
    answers = iter([exc.ConnectionError("cut"), 1])

    def fetch(limit):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    polls = Poller(fetch, responded=True, sleep=lambda seconds: None)
    assert next(iter(polls)) == 1
