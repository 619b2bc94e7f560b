"""Several processes on one PostgreSQL act as one Ironic: one winner each, nothing lost."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fake_server.cli import workers
from fake_server.tests import databases

CLIENTS = 8
#: Rounds of each conflict; CI does 2,000.
ROUNDS = int(os.environ.get("FAKE_SERVER_ROUNDS", "10"))
HEADERS = {"X-OpenStack-Ironic-API-Version": "1.99", "Content-Type": "application/json"}


def request(connection, method, path, body=None):
    data = None if body is None else json.dumps(body)
    connection.request(method, path, data, HEADERS)
    answer = connection.getresponse()
    text = answer.read()
    return answer.status, json.loads(text) if text else None


on_postgresql = pytest.mark.slow("needs PostgreSQL")


@pytest.fixture(scope="module")
def server():
    command = [sys.executable, "-m", "fake_server.cli", "--port", "0", "--workers", "3"]
    command += ["--db", databases.new("postgresql"), "--delay", "1000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip().removeprefix("http://")
        yield process.pid, address
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0


@pytest.fixture
def ask(server):
    connection = http.client.HTTPConnection(server[1])
    yield lambda *arguments: request(connection, *arguments)
    connection.close()


@pytest.fixture
def together(server):
    """Let all clients send requests at the same time; return the answers in their order."""
    connections = [http.client.HTTPConnection(server[1]) for _ in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        yield lambda requests: list(
            pool.map(
                lambda pair: request(pair[0], *pair[1]), zip(connections, requests, strict=True)
            )
        )
    for connection in connections:
        connection.close()


@pytest.fixture
def node(ask):
    status, node = ask("POST", "/v1/nodes", {"driver": "fake-hardware"})
    assert status == 201
    return node["uuid"]


@on_postgresql
def test_the_fiftieth_trait_is_the_last(together, ask, node):
    assert ask("PUT", f"/v1/nodes/{node}/traits", {"traits": [f"CUSTOM_{n}" for n in range(48)]})
    paths = [("PUT", f"/v1/nodes/{node}/traits/CUSTOM_MORE_{n}") for n in range(CLIENTS)]
    assert {status for status, _ in together(paths)} <= {204, 400, 409}
    assert len(ask("GET", f"/v1/nodes/{node}/traits")[1]["traits"]) == 50


@on_postgresql
def test_a_node_is_reserved_once(together, ask):
    for _ in range(ROUNDS):
        uuid = ask("POST", "/v1/nodes", {"driver": "fake-hardware"})[1]["uuid"]
        verb = ("PUT", f"/v1/nodes/{uuid}/states/provision", {"target": "manage"})
        statuses = sorted(status for status, _ in together([verb] * CLIENTS))
        assert statuses[0] == 202
        assert set(statuses[1:]) <= {400, 409}


@on_postgresql
def test_no_change_of_another_key_is_lost(together, ask, node):
    for number in range(ROUNDS):
        answers = together(
            [
                (
                    "PATCH",
                    f"/v1/nodes/{node}",
                    [{"op": "add", "path": f"/extra/k{number}-{client}", "value": client}],
                )
                for client in range(CLIENTS)
            ]
        )
        assert {status for status, _ in answers} <= {200, 409}
        extra = ask("GET", f"/v1/nodes/{node}")[1]["extra"]
        for client, (status, _) in enumerate(answers):
            assert (f"k{number}-{client}" in extra) == (status == 200)


@on_postgresql
def test_a_killed_worker_loses_nothing_it_acknowledged(server, ask):
    pid, address = server
    acknowledged = []
    for number in range(3 * ROUNDS):
        if number % 10 == 5:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            os.kill(int(children[number % len(children)]), signal.SIGKILL)
        connection = http.client.HTTPConnection(address)
        try:
            status, node = request(connection, "POST", "/v1/nodes", {"driver": "fake-hardware"})
        except (http.client.HTTPException, ConnectionError):
            continue
        finally:
            connection.close()
        assert status == 201
        acknowledged.append(node["uuid"])
    connection = http.client.HTTPConnection(address)
    for uuid in acknowledged:
        status, node = request(connection, "GET", f"/v1/nodes/{uuid}")
        assert (status, node["reservation"]) == (200, None)
    connection.close()


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
    command = [sys.executable, "-m", "fake_server.cli", "--port", "0", "--workers", "2"]
    command += ["--db", f"sqlite:///{tmp_path / 'db'}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip().removeprefix("http://")
        connection = http.client.HTTPConnection(address, timeout=30)
        assert request(connection, "GET", "/v1/nodes")[0] == 200
        process.kill()
        # Workers keep the pipe open as long as they live.
        assert process.stdout.read() == ""
    with pytest.raises(ConnectionRefusedError):
        http.client.HTTPConnection(address, timeout=5).request("GET", "/")
