"""Several processes on one database act as one Ironic: one winner each, nothing lost.

``FAKE_SERVER_ROUNDS`` says how often each conflict is tried (default: 3).
"""

from __future__ import annotations

import http.client
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fake_server.cli import workers
from fake_server.tests import databases
from fake_server.tests.cli.running import started

CLIENTS = 12
ROUNDS = int(os.environ.get("FAKE_SERVER_ROUNDS", "3"))
HEADERS = {"X-OpenStack-Ironic-API-Version": "1.99", "Content-Type": "application/json"}
WORKERS = ("--port", "0", "--workers")


@pytest.fixture(scope="module", params=["file", *databases.params()[1:2]])
def server(request, tmp_path_factory):
    """The process of a server with workers, and its address."""
    directory = tmp_path_factory.mktemp("lab")
    db = f"sqlite:///{directory}/lab.db" if request.param == "file" else databases.new("postgresql")
    seed = directory / "lab.json"
    seed.write_text('{"nodes": [{"name": "n{index}", "count": 4}]}')
    with started(*WORKERS, "3", "--db", db, "--seed", str(seed), "--delay", "1000") as process:
        yield process.pid, process.stdout.readline().strip().removeprefix("http://")
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0


def send(address, method, path, body=None):
    # A connection of its own each time, so that any of the processes answers.
    connection = http.client.HTTPConnection(address, timeout=30)
    try:
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, HEADERS)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None
    finally:
        connection.close()


@pytest.fixture
def ask(server):
    def call(*request):
        return send(server[1], *request)

    yield call
    assert call("POST", "/_fake/reset")[0] == 204
    assert call("PUT", "/_fake/clock", {"mode": "real"})[0] == 200


@pytest.fixture
def at_once(server):
    """Let clients send a request each at the same time; return the answers in their order."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        yield lambda requests: list(pool.map(lambda request: send(server[1], *request), requests))


@pytest.fixture
def together(at_once):
    """Let clients send the same request at the same time; return the answers."""
    return lambda *request: at_once([request] * CLIENTS)


def test_all_live_in_the_same_time(ask, together):
    moment = ask("PUT", "/_fake/clock", {"mode": "manual", "now": 1_700_000_000})[1]["now"]
    for _ in range(2):
        moment = ask("POST", "/_fake/clock/advance", {"seconds": 60})[1]["now"]
        shown = {answer["now"] for _, answer in together("GET", "/_fake/clock")}
        assert shown == {moment}
    for _ in range(2):
        together("POST", "/_fake/clock/advance", {"seconds": 1})
        moment += CLIENTS
        shown = {answer["now"] for _, answer in together("GET", "/_fake/clock")}
        assert shown == {moment}


def test_a_transition_comes_due_for_all(ask, together):
    ask("PUT", "/_fake/clock", {"mode": "manual"})
    assert ask("PUT", "/v1/nodes/n0/states/provision", {"target": "manage"})[0] == 202
    ask("POST", "/_fake/clock/advance", {"seconds": 999})
    states = {node["provision_state"] for _, node in together("GET", "/v1/nodes/n0")}
    assert states == {"verifying"}
    ask("POST", "/_fake/clock/advance", {"seconds": 1})
    states = {node["provision_state"] for _, node in together("GET", "/v1/nodes/n0")}
    assert states == {"manageable"}


@pytest.mark.parametrize(
    ("match", "times", "met"),
    [({}, 3, 3), ({"nth": 5}, None, 1), ({"every": 4}, None, CLIENTS // 4), ({}, None, CLIENTS)],
)
def test_a_fault_is_met_as_often_as_it_says(ask, together, match, times, met):
    rule = {"match": {"path": "/v1/chassis", **match}, "do": {"status": 503}, "times": times}
    ask("POST", "/_fake/faults", rule)
    statuses = [status for status, _ in together("GET", "/v1/chassis")]
    assert statuses.count(503) == met
    assert statuses.count(200) == CLIENTS - met
    (shown,) = ask("GET", "/_fake/faults")[1]["faults"]
    assert shown["done"] == met
    ask("DELETE", "/_fake/faults")
    assert {status for status, _ in together("GET", "/v1/chassis")} == {200}


def test_snapshots_are_those_of_all(ask, together):
    before = ask("GET", "/_fake/seed")
    ident = ask("POST", "/_fake/snapshots")[1]["id"]
    assert {len(answer["snapshots"]) for _, answer in together("GET", "/_fake/snapshots")} == {1}
    for number in range(4):
        assert ask("DELETE", f"/v1/nodes/n{number}")[0] == 204
    assert ask("GET", "/v1/nodes")[1]["nodes"] == []
    assert ask("POST", f"/_fake/snapshots/{ident}/restore")[0] == 204
    assert all(answer == before for answer in together("GET", "/_fake/seed"))
    assert len({answer["id"] for _, answer in together("POST", "/_fake/snapshots")}) == CLIENTS
    together("POST", f"/_fake/snapshots/{ident}/restore")
    assert ask("GET", "/_fake/seed") == before
    for snapshot in ask("GET", "/_fake/snapshots")[1]["snapshots"]:
        assert ask("DELETE", f"/_fake/snapshots/{snapshot['id']}")[0] == 204


def test_the_fiftieth_trait_is_the_last(at_once, ask):
    traits = [f"CUSTOM_{number}" for number in range(48)]
    assert ask("PUT", "/v1/nodes/n0/traits", {"traits": traits})[0] == 204
    paths = [f"/v1/nodes/n0/traits/CUSTOM_MORE_{number}" for number in range(CLIENTS)]
    assert {status for status, _ in at_once(("PUT", path) for path in paths)} <= {204, 400, 409}
    assert len(ask("GET", "/v1/nodes/n0/traits")[1]["traits"]) == 50


def test_a_node_is_reserved_once(together, ask):
    for _ in range(ROUNDS):
        uuid = ask("POST", "/v1/nodes", {"driver": "fake-hardware"})[1]["uuid"]
        found = together("PUT", f"/v1/nodes/{uuid}/states/provision", {"target": "manage"})
        statuses = sorted(status for status, _ in found)
        assert statuses[0] == 202
        assert set(statuses[1:]) <= {400, 409}


def test_no_change_of_another_key_is_lost(at_once, ask):
    for number in range(ROUNDS):
        keys = [f"k{number}-{client}" for client in range(CLIENTS)]
        answers = at_once(
            ("PATCH", "/v1/nodes/n0", [{"op": "add", "path": f"/extra/{key}", "value": 1}])
            for key in keys
        )
        assert {status for status, _ in answers} <= {200, 409}
        extra = ask("GET", "/v1/nodes/n0")[1]["extra"]
        for key, (status, _) in zip(keys, answers, strict=True):
            assert (key in extra) == (status == 200)


@pytest.mark.slow("kills several workers")
def test_a_killed_worker_loses_nothing_it_acknowledged(server, ask):
    pid, _ = server
    acknowledged = []
    for number in range(10 * ROUNDS):
        if number % 10 == 5:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            os.kill(int(children[number % len(children)]), signal.SIGKILL)
        try:
            status, node = ask("POST", "/v1/nodes", {"driver": "fake-hardware"})
        except (http.client.HTTPException, ConnectionError):
            continue
        assert status == 201
        acknowledged.append(node["uuid"])
    for uuid in acknowledged:
        status, node = ask("GET", f"/v1/nodes/{uuid}")
        assert (status, node["reservation"]) == (200, None)


@pytest.mark.night("forks all that the other tests have imported, eight times")
def test_a_worker_that_crashes_at_once_is_replaced_ever_later(monkeypatch):
    pauses = []

    class Crashing:
        def __getattribute__(self, name):
            os._exit(1)

    def pause(seconds):
        pauses.append(seconds)
        if len(pauses) == 8:
            raise KeyboardInterrupt

    monkeypatch.setattr(workers.time, "sleep", pause)
    assert workers.serve(Crashing(), 1) == 0
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]


@pytest.mark.slow("starts three processes")
def test_workers_end_when_their_parent_is_killed(tmp_path):
    with started(*WORKERS, "2", "--db", f"sqlite:///{tmp_path / 'db'}") as process:
        address = process.stdout.readline().strip().removeprefix("http://")
        assert send(address, "GET", "/v1/nodes")[0] == 200
        process.kill()
        # Workers keep the pipe open as long as they live.
        assert process.stdout.read() == ""
    with pytest.raises(ConnectionRefusedError):
        send(address, "GET", "/")
