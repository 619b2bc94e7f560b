"""An interruption while a node is off only for a change of its volumes: its power is put back."""

from __future__ import annotations

import time

import pytest

from baremetalclient import declare
from baremetalclient.client import get_client
from baremetalclient.tests.unit.declare.labs import TARGET
from fake_server.server import FakeServer
from fake_server.settings import Settings

NODE = {
    "name": "n",
    "driver": "fake-hardware",
    "provision_state": "available",
    "power_state": "power on",
}
WANTED = [{**TARGET, "volume_id": "other"}]
#: Seconds that the command may take after a signal, with a little more for a busy machine.
A_SECOND = 1.0 + 1.5


class Interrupted:
    """A plan that is interrupted as soon as a power action was asked for.

    :param wanted: what the plan wants of the node, beside another volume.
    """

    def __init__(self, server, **wanted):
        self.server = server
        self.client = get_client(1, endpoint=server.url, os_ironic_api_version="1.90")
        node = {"name": "n", "driver": "fake-hardware", "volume_targets": WANTED, **wanted}
        self._plan = declare.plan(self.client, {"nodes": [node]})
        self.faults = []
        self.at = None

    def _stop(self):
        if self.at is None and self.server.requests.find(method="PUT", path="*/states/power"):
            for match in self.faults:
                self.server.faults.add(match, {"delay": 20})
            self.at = time.monotonic()
        return self.at is not None

    def apply(self):
        results = self._plan.apply(allow_interruptions=True, stop=self._stop)
        self.took = time.monotonic() - self.at
        self.server.faults.clear()
        return results

    @property
    def asked(self):
        changes = [one for one in self.server.requests.find() if one.method != "GET"]
        return [(one.method, one.path.rpartition("/")[2]) for one in changes]


@pytest.fixture
def server():
    with FakeServer(
        Settings(delay=0.3), seed={"nodes": [{**NODE, "volume_targets": [TARGET]}]}
    ) as server:
        yield server


def test_power_is_put_back(server):
    interrupted = Interrupted(server)
    assert [one.result for one in interrupted.apply()] == ["done"]
    node = interrupted.client.node.get("n")
    assert (node.power_state, node.maintenance) == ("power on", False)


def test_nothing_is_begun_after_that(server):
    interrupted = Interrupted(server, provision_state="active")
    results = {one.kind: one for one in interrupted.apply()}
    assert results["volume target"].result == "done"
    assert results["node"].error == "Not all of it was done before the interruption."
    node = interrupted.client.node.get("n")
    assert (node.power_state, node.maintenance) == ("power on", False)
    assert node.provision_state == "available"
    assert interrupted.asked[-1] == ("DELETE", "maintenance")


@pytest.mark.parametrize(
    ("silent", "told"),
    [
        ({"path": "/v1/*"}, "may still be off and in maintenance"),
        ({"method": "PATCH"}, "interrupted before the server responded"),
        ({"method": "PUT"}, "the node is not as it was before: interrupted before"),
        ({"method": "DELETE"}, "the node is not as it was before: interrupted before"),
    ],
    ids=str,
)
def test_a_server_that_is_silent_is_not_waited_for(server, silent, told):
    interrupted = Interrupted(server)
    interrupted.faults.append(silent)
    (result,) = interrupted.apply()
    # What comes before the silent request are two actions of 0.3 s at most, each with a poll more.
    assert interrupted.took < A_SECOND + (0.0 if "path" in silent else 2.0)
    assert told in str(result.error)
