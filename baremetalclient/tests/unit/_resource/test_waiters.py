from __future__ import annotations

import logging

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient._resource.waiters import poll_deadline
from baremetalclient.tests.unit.scripted import CUT, Reply, fault


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


@pytest.mark.parametrize("failed", ["deploy failed", "error"])
def test_a_failure_says_why(scripted, failed):
    client, _ = scripted(state("deploying", "active"), state(failed, "active", "No boot device."))
    with pytest.raises(exc.StateTransitionFailed, match=f"'{failed}', because of: No boot device"):
        wait(client)


def test_a_failed_state_can_be_waited_for(scripted):
    client, _ = scripted(state("clean failed"))
    client.node.wait_for_provision_state("n", "clean failed")


def test_another_stable_state_can_be_allowed(scripted):
    client, _ = scripted(state("available"), state("active"))
    assert wait(client, fail_on_unexpected_state=False)[0] == [2.0]


def test_the_time_is_over(scripted):
    client, server = scripted(state("deploying", "active"))
    with pytest.raises(exc.StateTransitionTimeout, match=r"in 0\.5 seconds: n \(now 'deploying'\)"):
        client.node.wait_for_provision_state("n", "active", timeout=0.5, poll_interval=0.1)
    assert len(server.requests) > 1


def test_no_wait_is_longer_than_the_time_left(scripted):
    client, _ = scripted(state("deploying", "active"), state("active"))
    (waited,), _ = wait(client, timeout=5, poll_interval=600)
    assert waited <= 5


def test_several_nodes_are_waited_for(scripted):
    client, server = scripted(
        state("active"), state("deploying", "active"), state("deploying", "active"), state("active")
    )
    client.node.wait_for_provision_state(["a", "b"], "active", poll_interval=0)
    assert [request.path for request in server.requests] == [f"/v1/nodes/{name}" for name in "abbb"]


@pytest.mark.parametrize("wrong", [{"timeout": -1}, {"timeout": "5"}, {"poll_interval": -1}])
def test_invalid_times_are_refused(scripted, wrong):
    client, server = scripted()
    with pytest.raises(ValueError, match="number of seconds"):
        client.node.wait_for_provision_state("n", "active", **wrong)
    assert not server.requests


def test_the_delay_function_has_to_be_callable(scripted):
    client, _ = scripted()
    with pytest.raises(TypeError):
        client.node.wait_for_provision_state("n", "active", poll_delay_function=5)


def test_an_allocation_is_waited_for(scripted):
    client, _ = scripted(
        Reply({"uuid": "a", "state": "allocating"}), Reply({"state": "active", "uuid": "a"})
    )
    assert client.allocation.wait("a", poll_interval=0).uuid == "a"


def test_an_allocation_that_fails_says_why(scripted):
    client, _ = scripted(Reply({"uuid": "a", "state": "error", "last_error": "No node."}))
    with pytest.raises(exc.StateTransitionFailed, match=r"No node\."):
        client.allocation.wait("a")


def outages(caplog):
    return [record for record in caplog.records if "Still waiting" in record.getMessage()]


@pytest.mark.parametrize("lost", [CUT, fault("Restarting.", 503), fault("No backend.", 502)])
def test_a_wait_goes_on_during_an_outage_with_one_warning(scripted, caplog, lost):
    client, _ = scripted(
        state("deploying", "active"),
        lost,
        lost,
        state("deploying", "active"),
        lost,
        state("active"),
        max_retries=0,
    )
    with caplog.at_level(logging.WARNING):
        waits, polls = wait(client, poll_interval=7)
    assert waits == [7] * 5
    assert [look[1] for look in polls] == ["deploying", "deploying", "active"]
    assert len(outages(caplog)) == 2


def test_a_wait_goes_on_while_the_server_is_down(scripted, caplog):
    client, server = scripted(state("deploying", "active"), state("active"))
    up, waits = server.url, []

    def restart(seconds):
        waits.append(seconds)
        if len(waits) == 1:
            client.http_client._endpoint = "http://127.0.0.1:1"
        elif len(waits) == 4:
            client.http_client._endpoint = up

    with caplog.at_level(logging.WARNING):
        client.node.wait_for_provision_state("n", "active", poll_delay_function=restart)
    assert len(waits) == 4
    assert len(outages(caplog)) == 1


def test_a_wait_for_a_server_that_stays_down_ends_in_time(scripted):
    client, _ = scripted(CUT, max_retries=0)
    with pytest.raises(exc.StateTransitionTimeout, match=r"in 0\.05 seconds"):
        client.node.wait_for_provision_state("n", "active", timeout=0.05, poll_interval=0.01)


def test_other_errors_end_a_wait(scripted):
    client, server = scripted(fault("Gone.", 404))
    with pytest.raises(exc.NotFound):
        wait(client)
    assert len(server.requests) == 1


def test_an_allocation_is_waited_for_through_an_outage(scripted):
    client, _ = scripted(
        Reply({"uuid": "a", "state": "allocating"}),
        CUT,
        Reply({"uuid": "a", "state": "active"}),
        max_retries=0,
    )
    found = client.allocation.get("a")
    assert client.allocation.wait(found, poll_interval=0).state == "active"


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
