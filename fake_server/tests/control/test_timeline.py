"""The timeline: which states nodes were in, what was asked of them, and the report of it."""

from __future__ import annotations

import json
import re

import pytest
import requests
import sqlalchemy as sa

from fake_server.baremetal import tables
from fake_server.baremetal.models import node_states
from fake_server.server import FakeServer

VERSION = {"X-OpenStack-Ironic-API-Version": "1.80"}
START = 1_700_000_000
EVIL = "</script><img src=x onerror=alert(1)><!--"


@pytest.fixture
def server():
    nodes = [{"name": name, "provision_state": "available"} for name in ("n-1", "n-2")]
    with FakeServer(seed={"nodes": nodes}) as server:
        server.clock.switch("manual", start=START)
        server.delays.set(transitions={"deploying": 600})
        yield server


def send(server, method, path, body=None):
    answer = requests.request(method, server.url + path, json=body, headers=VERSION, timeout=5)
    return answer.status_code


def deploy(server, node):
    return send(server, "PUT", f"/v1/nodes/{node}/states/provision", {"target": "active"})


def timeline(server):
    return requests.get(f"{server.url}/_fake/timeline", timeout=5).json()


def states(found, name):
    (lane,) = (lane for lane in found["lanes"] if lane["name"] == name)
    return [(at, state) for at, _, state, _ in lane["states"]]


def report_data(text):
    """Return the data of a report, as its script reads them."""
    (data,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)
    return json.loads(data)


def test_states_have_the_time_at_which_they_were_due(server):
    assert deploy(server, "n-1") == 202
    server.clock.advance(60)
    assert deploy(server, "n-2") == 202
    (_, other) = timeline(server)["lanes"]
    assert other["due"] == [[660, "deploying"]]
    server.clock.advance(3540)
    found = timeline(server)
    assert (found["start"], found["end"]) == (START, START + 3600)
    assert states(found, "n-1") == [(0, "available"), (0, "deploying"), (600, "active")]
    assert states(found, "n-2") == [(0, "available"), (60, "deploying"), (660, "active")]
    assert [lane["due"] for lane in found["lanes"]] == [[], []]


def test_requests_are_in_the_lanes_of_their_nodes(server):
    uuid = server.nodes["n-2"].uuid
    server.faults.add({"path": "/v1/drivers"}, {"status": 503})
    send(server, "GET", "/v1/nodes/n-1?fields=uuid")
    send(server, "GET", f"/v1/nodes/{uuid}")
    send(server, "POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})
    send(server, "GET", "/v1/ports?node=n-1")
    send(server, "GET", "/v1/nodes/nobody")
    send(server, "GET", "/v1/drivers")
    found = timeline(server)
    assert [(tick[2], tick[3].partition(" → ")[2], tick[4]) for tick in found["ticks"]] == [
        *((0, "200", 0), (1, "200", 0), (1, "201", 0), (0, "200", 0)),
        *((-1, "404", 1), (-1, "503", 2)),
    ]
    assert [tick[5].get("fault") for tick in found["ticks"]] == [None] * 5 + ["1"]


def test_nodes_that_come_and_go(server):
    send(server, "POST", "/v1/nodes", {"name": "n-3", "driver": "fake-hardware"})
    server.clock.advance(5)
    assert send(server, "DELETE", "/v1/nodes/n-3") == 204
    assert states(timeline(server), "n-3") == [(0, "enroll"), (5, None)]


def test_snapshots_and_resets_take_the_states_with_them(server):
    server.seed({"nodes": [{"name": "n-3", "provision_state": "manageable"}]})
    server.nodes["n-3"].set(provision_state="active")
    ident = server.snapshots.take()
    deploy(server, "n-1")
    server.snapshots.restore(ident)
    assert states(timeline(server), "n-1") == [(0, "available")]
    assert [state for _, state in states(timeline(server), "n-3")] == ["manageable", "active"]
    server.reset()
    found = timeline(server)
    assert [lane["name"] for lane in found["lanes"]] == ["n-1", "n-2"]
    assert found["ticks"] == []


def test_errors_that_differ_in_names_and_addresses_are_one(server):
    for number in (1, 2):
        error = f"No route from n-{number} to 192.0.2.{number}."
        node = server.nodes[f"n-{number}"]
        node.set(provision_state="deploy failed", last_error=error)
    text = "2 in deploy failed: No route from <node> to <address>."
    assert timeline(server)["failures"] == [{"text": text, "names": ["n-1", "n-2"]}]


def test_what_is_undone_was_no_state(server):
    server.faults.add({"path": "/v1/nodes/*"}, {"drop": "before"})
    with pytest.raises(requests.ConnectionError):
        deploy(server, "n-1")
    found = timeline(server)
    assert states(found, "n-1") == [(0, "available")]
    assert found["ticks"][0][3].endswith("→ dropped")


def test_the_oldest_states_go(server, monkeypatch):
    monkeypatch.setattr(node_states, "MOST", 6)
    monkeypatch.setattr(node_states, "_OFTEN", 4)
    for number in range(10):
        server.clock.advance(1)
        server.nodes["n-1"].set(provision_state=("active", "available")[number % 2])
    assert [at for at, _ in states(timeline(server), "n-1")] == [0, *range(6)]
    kept = server.app.control.state.transact(lambda tx: tx.all(sa.select(tables.node_states)))
    assert len(kept) == 8


def test_a_report_needs_nothing_and_executes_nothing(server):
    server.faults.add({"step": "deploy.deploy"}, {"last_error": EVIL})
    server.nodes["n-2"].set(name="evil")
    deploy(server, "n-1")
    deploy(server, "evil")
    send(server, "PATCH", "/v1/nodes/n-2", [{"op": "add", "path": "/extra/x", "value": EVIL}])
    server.clock.advance(600)
    answer = requests.get(f"{server.url}/_fake/report", timeout=5)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    text = server.report(title=EVIL, note=EVIL)
    for shown in (answer.text, text):
        assert "<img" not in shown
        assert shown.count("</script>") == 2
        assert not re.search(r"(?:href|src)=.?(?:http|/)", shown)
    data = report_data(text)
    assert (data["title"], data["note"]) == (EVIL, EVIL)
    error = f"2 in deploy failed: Deploy step deploy.deploy failed: {EVIL}."
    assert data["failures"] == [{"text": error, "names": ["n-1", "evil"]}]


def test_a_report_has_bodies_without_secrets(server):
    deploy(server, "n-1")
    body = {"target": "rebuild", "configdrive": "s3cret" * 500}
    send(server, "PUT", "/v1/nodes/n-1/states/provision", body)
    patch = [{"op": "add", "path": "/extra/long", "value": "x" * 5000}]
    send(server, "PATCH", "/v1/nodes/n-2", patch)
    text = server.report()
    assert "s3cret" not in text
    first, second, third = (tick[5] for tick in report_data(text)["ticks"])
    assert json.loads(first["sent"]) == {"target": "active"}
    assert (first["version"], "answer" in first) == ("1.80", False)
    assert "error_message" in second["answer"]
    assert len(third["sent"]) == 501


def test_a_wall_of_racks(server):
    server.nodes["n-1"].set(properties={"rack": "r1"})
    server.seed({"nodes": [{"name": "n-3", "properties": {"rack": "r1"}}]})

    def racks(by):
        answer = requests.get(f"{server.url}/_fake/wall{by}", timeout=5).json()
        return {rack["name"]: [node[1] for node in rack["nodes"]] for rack in answer["racks"]}

    assert racks("") == {"without": ["n-1", "n-2", "n-3"]}
    assert racks("?by=provision_state") == {"available": ["n-1", "n-2"], "enroll": ["n-3"]}
    assert racks("?by=properties.rack") == {"r1": ["n-1", "n-3"], "without": ["n-2"]}
    assert racks("?by=maintenance") == {"false": ["n-1", "n-2", "n-3"]}
    answer = requests.get(f"{server.url}/_fake/wall?by=colour", timeout=5)
    assert (answer.status_code, "colour" in answer.json()["error"]) == (400, True)
