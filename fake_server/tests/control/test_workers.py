"""The controls of several processes on one database are those of one."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from fake_server.tests import databases

CLIENTS = 12
HEADERS = {"X-OpenStack-Ironic-API-Version": "1.99", "Content-Type": "application/json"}


@pytest.fixture(scope="module", params=["file", *databases.params()[1:2]])
def address(request, tmp_path_factory):
    directory = tmp_path_factory.mktemp("lab")
    db = f"sqlite:///{directory}/lab.db" if request.param == "file" else databases.new("postgresql")
    seed = directory / "lab.json"
    seed.write_text('{"nodes": [{"name": "n{index}", "count": 4}]}')
    command = [sys.executable, "-m", "fake_server.cli", "--port", "0", "--workers", "3"]
    command += ["--db", db, "--seed", str(seed), "--delay", "1000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().strip().removeprefix("http://")
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
def ask(address):
    def call(method, path, body=None):
        return send(address, method, path, body)

    yield call
    assert call("POST", "/_fake/reset")[0] == 204
    assert call("PUT", "/_fake/clock", {"mode": "real"})[0] == 200


@pytest.fixture
def together(address):
    """Let clients send the same request at the same time; return the answers."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        yield lambda method, path, body=None: list(
            pool.map(lambda _: send(address, method, path, body), range(CLIENTS))
        )


def test_all_live_in_the_same_time(ask, together):
    moment = ask("PUT", "/_fake/clock", {"mode": "manual", "now": 1_700_000_000})[1]["now"]
    for _ in range(5):
        moment = ask("POST", "/_fake/clock/advance", {"seconds": 60})[1]["now"]
        shown = {answer["now"] for _, answer in together("GET", "/_fake/clock")}
        assert shown == {moment}
    for _ in range(5):
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
