"""Actions for many nodes whose states are waited for."""

from __future__ import annotations

import logging
import threading
import time

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.scripted import CUT, Reply, ScriptedServer, fault
from baremetalclient.v1.node.actions import ACTIONS


@pytest.fixture(autouse=True)
def _polls_without_pauses(monkeypatch):
    monkeypatch.setattr("baremetalclient._bulk.poller.SHORTEST", 0)


def node(state, target=None, error=None, name="n"):
    fields = {"provision_state": state, "target_provision_state": target, "last_error": error}
    return Reply({"uuid": f"uuid-of-{name}", "name": name, **fields})


ACCEPTED = Reply({}, 202)
KNOWN = node("enroll")


def acted(client, names=("n",), **options):
    found = client.node.act_on(list(names), "manage", wait=True, parallel=1, **options)
    return [(one.name, one.uuid, one.result, one.state, one.error) for one in found]


def test_a_wait_goes_on_through_outages_with_one_warning_each(scripted, caplog):
    busy = node("verifying", "manageable")
    script = (KNOWN, ACCEPTED, CUT, fault("Busy.", 503), busy, CUT, node("manageable"))
    client, _ = scripted(*script, max_retries=0)
    with caplog.at_level(logging.WARNING):
        assert acted(client) == [("n", "uuid-of-n", "done", "manageable", None)]
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2
    assert all(text.endswith("Still waiting; retrying until the wait times out.") for text in told)


@pytest.mark.parametrize(
    ("options", "results"),
    [
        ({}, ["failed", "failed", "failed"]),
        ({"on_error": "stop"}, ["failed", "skipped", "skipped"]),
        ({"max_failures": 2}, ["failed", "failed", "skipped"]),
    ],
)
def test_failures_keep_the_rest_from_being_started(scripted, options, results):
    known = [node("enroll", name=name) for name in ("a", "b", "c")]
    client, server = scripted(*known, fault("No."))
    found = acted(client, ("a", "b", "c"), **options)
    assert [one[2] for one in found] == results
    assert len(server.requests) == 3 + results.count("failed")
    skipped = {one[4] for one in found if one[2] == "skipped"}
    assert skipped <= {"not started, because others failed"}


def test_a_node_without_its_name_is_acted_on(scripted):
    client, server = scripted(Reply({"nodes": [{"uuid": "u"}]}), node("enroll"), ACCEPTED)
    (one,) = client.node.act_on(client.node.list(fields=["uuid"]), "manage", parallel=1)
    assert (one.name, one.uuid, one.result) == ("u", "u", "done")
    assert server.requests[-1].path == "/v1/nodes/u/states/provision"


NAMES = [f"n-{number}" for number in range(20)]


class Meeting(ScriptedServer):
    """Answers a change only when as many run as are expected; counts those that run."""

    def __init__(self, expected):
        super().__init__()
        self.together = threading.Barrier(expected)
        self.running, self.most = 0, 0

    def reply_to(self, request):
        if request.method == "GET":
            return Reply({"nodes": [node("enroll", name=name).body for name in NAMES]})
        self.running += 1
        self.most = max(self.most, self.running)
        self.together.wait(10)
        # One more would come now.
        time.sleep(0.1)
        self.running -= 1
        return ACCEPTED


def test_ten_requests_run_at_a_time_by_default():
    with Meeting(10) as server:
        client = clients.get_client(1, endpoint=server.url)
        results = list(client.node.act_on(NAMES, "manage"))
    assert {one.result for one in results} == {"done"}
    assert server.most == 10


def test_no_node_is_in_a_chassis_that_does_not_exist(scripted):
    uuid = "11111111-1111-4111-8111-111111111111"
    client, _ = scripted(fault(f"Chassis {uuid} could not be found.", 404))
    assert client.node.select(f"chassis={uuid}") == []
    with pytest.raises(exc.NotFound):
        client.node.select(f"chassis={uuid[::-1]}")


@pytest.mark.parametrize(
    ("node", "in_use"),
    [
        ({}, False),
        ({"provision_state": "available"}, False),
        ({"provision_state": "available", "instance_uuid": "i"}, True),
        ({"provision_state": "deploying", "target_provision_state": "active"}, True),
        ({"provision_state": "cleaning", "target_provision_state": "available"}, False),
        ({"provision_state": "rescue"}, True),
        ({"provision_state": "service hold"}, True),
        ({"provision_state": "of a newer version"}, True),
    ],
)
def test_machines_in_use(node, in_use):
    assert bool(ACTIONS["power off"].interruption(node)) is in_use
    assert ACTIONS["undeploy"].interruption(node)
    assert not ACTIONS["manage"].interruption(node)
