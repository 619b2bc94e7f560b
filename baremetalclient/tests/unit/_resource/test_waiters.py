from __future__ import annotations

import pytest

from baremetalclient import client as clients
from baremetalclient._resource.waiters import poll_deadline
from baremetalclient.tests.unit.scripted import Reply


def state(now, target=None, error=None):
    return Reply({"provision_state": now, "target_provision_state": target, "last_error": error})


def wait(client, **options):
    waits, polls = [], []
    client.node.wait_for_provision_state(
        "n",
        "Active",
        poll_delay_function=waits.append,
        progress=lambda name, now, target, seconds: polls.append((name, now, target)),
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


def test_a_poll_may_take_what_remains_but_enough_for_a_response():
    assert poll_deadline(60, 20) == 40
    assert poll_deadline(0, 20) is None
    assert 0 < poll_deadline(60, 59.99) == poll_deadline(60, 60) == poll_deadline(60, 99) < 60
