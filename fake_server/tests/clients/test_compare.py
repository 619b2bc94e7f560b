"""``compare``: what differs between an Ironic and the fake server, here between two fake ones."""

from __future__ import annotations

import json
import re

import pytest
import requests

from fake_server.baremetal.conductor_hosts import ConductorHost
from fake_server.baremetal.microversions import MAXIMUM
from fake_server.clients.capture import CaptureError
from fake_server.clients.comparison.sides import Comparison
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.baremetal.played_services import JsonHandler, played
from fake_server.tests.cli.running import run
from fake_server.tests.clients.test_capture import LAB

NEWEST = f"1.{MAXIMUM}"

SLOW = pytest.mark.night("compares hundreds of answers again")
#: Each has a resource in the lab, which is asked for.
KINDS = (
    *("ports", "portgroups", "chassis", "volume/connectors", "volume/targets", "allocations"),
    *("deploy_templates", "runbooks", "inspection_rules"),
)


def compare(*words):
    return run("compare", *words)


def compared(server, **options):
    """Compare all that there is to read, and then to write; return what was compared."""
    session = requests.Session()
    session.auth = ("admin", "secret")
    comparison = Comparison(server.url, session, **options)
    found = [*comparison.read(), *comparison.write()]
    comparison.close()
    assert len(found) > 100
    return found


def differing(server, **options):
    """Return what differs, with nothing left out."""
    return {
        (one.method, one.path, place)
        for one in compared(server, **options)
        for place, *_ in one.differences
    }


@pytest.mark.rows
@pytest.mark.parametrize(
    ("options", "seed"),
    [
        ({}, LAB),
        pytest.param({"max_minor": 30}, LAB, marks=SLOW),
        pytest.param(
            {"hardware_types": ("redfish", "ipmi")},
            {"nodes": [{"name": "n", "driver": "ipmi"}]},
            marks=SLOW,
        ),
        ({"auth": "http_basic"}, {}),
        pytest.param(
            {"conductors": (ConductorHost("a"), ConductorHost("b"), ConductorHost("c", "rack1"))},
            {"nodes": [{"count": 8}, {"conductor_group": "rack1"}]},
            marks=SLOW,
        ),
    ],
)
def test_two_alike_answer_alike(options, seed):
    with FakeServer(Settings(**options), seed=seed) as server:
        before = server.export_seed()
        found = compared(server)
        assert [one for one in found if one.differences] == []
        assert server.export_seed() == before


def test_reading_asks_for_each_resource_and_changes_nothing():
    with FakeServer(seed=LAB) as server:
        comparison = Comparison(server.url, requests.Session())
        paths = {one.path for one in comparison.read() if "dead" not in one.path}
        comparison.close()
        assert {request.method for request in server.requests.find()} == {"GET"}
    for kind in KINDS:
        one = re.compile(rf"/v1/{kind}/[0-9a-f-]{{36}}")
        assert any(map(one.fullmatch, paths)), kind


@pytest.mark.night("compares hundreds of answers four times")
def test_another_dialect_differs():
    with FakeServer(Settings(dialect="spec"), seed=LAB) as server:
        found = differing(server)
        assert ("GET", "/v1/volume/connectors", "body.volume_connectors") in found
        assert differing(server, dialect="spec") == set()


@pytest.mark.slow("asks all that it compares three times")
def test_the_command():
    with FakeServer(seed={"nodes": [{"name": "n"}]}) as server:
        done = compare(server.url, "--write")
        assert (done.returncode, done.stderr) == (0, "")
        number = done.stdout.split()[0]
        assert done.stdout == f"{number} of {number} responses are the same.\n"
        server.faults.add({"path": "/v1/shards"}, {"status": 503, "message": "Down."})
        done = compare(server.url)
        assert done.returncode == 1
        assert done.stdout.startswith(
            f"GET /v1/shards ({NEWEST})\n  status: 503, the fake server: 200\n"
        )
        done = compare(server.url, "-f", "json")
        assert done.returncode == 1
        shown = json.loads(done.stdout)["requests"]
        (one,) = [request for request in shown if request["differences"]]
        assert (one["method"], one["path"], one["version"]) == ("GET", "/v1/shards", NEWEST)
        assert {"place": "status", "ironic": 503, "fake": 200} in one["differences"]


def test_what_cannot_be_compared():
    with FakeServer() as server:
        url = server.url
        done = compare(f"{url}/nowhere")
        assert (done.returncode, done.stdout) == (2, "")
        assert "No Ironic found" in done.stderr
    assert compare(url).returncode == 2
    done = compare()
    assert done.returncode == 2
    assert "Give the URL of the Bare Metal API, or --os-cloud." in done.stderr


def test_an_interrupted_comparison_leaves_no_node():
    with FakeServer() as server:
        comparison = Comparison(server.url, requests.Session())
        compared = comparison.write()
        while not server.export_seed():
            next(compared)
        (node,) = server.export_seed()["nodes"]
        assert node["name"].startswith("fake-server-compare-")
        with pytest.raises(KeyboardInterrupt):
            compared.throw(KeyboardInterrupt())
        comparison.close()
        assert server.export_seed() == {}


def test_a_lab_that_cannot_be_made():
    with FakeServer() as server:
        server.faults.add({"path": "/v1/nodes/detail"}, {"status": 500, "message": "Broken."})
        with pytest.raises(CaptureError, match="responded with 500"):
            Comparison(server.url, requests.Session())


class Odd(JsonHandler):
    """An Ironic with a node in a state that there isn't."""

    def get(self):
        uuid = "00000000-0000-4000-8000-000000000001"
        node = {"uuid": uuid, "name": "n", "driver": "fake-hardware", "provision_state": "odd"}
        found = {"nodes": [node]} if "nodes/detail" in self.path else {}
        self.answer(found, **{"X-OpenStack-Ironic-API-Version": "1.30"})

    post = get


def test_an_ironic_that_cannot_be_imitated():
    with played(Odd) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        with pytest.raises(CaptureError) as caught:
            Comparison(url, requests.Session())
    assert str(caught.value).startswith(
        "No fake Ironic can be made like this one: Invalid seed: nodes[0].provision_state: has to "
        "be one of active, "
    )
