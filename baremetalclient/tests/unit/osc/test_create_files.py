"""``baremetal create FILE``."""

from __future__ import annotations

import json
import os
import signal
import threading
import time

import pytest

from baremetalclient.declare import lab_kinds
from baremetalclient.tests.unit.osc.everything import run_here
from baremetalclient.v1.node import NodeManager
from fake_server.seeds import schema, services
from fake_server.server import FakeServer

DRIVER = {"driver": "fake-hardware"}
MACS = [f"52:54:00:00:00:0{number}" for number in range(3)]
RACK, NODE = (f"{number}1111111-2222-4333-8444-555555555555" for number in (1, 2))
CONTENT = {
    "chassis": [{"uuid": RACK, "description": "c", "nodes": [{"name": "in-chassis", **DRIVER}]}],
    "nodes": [
        {
            "uuid": NODE,
            "name": "n",
            **DRIVER,
            "ports": [{"address": MACS[0]}],
            "portgroups": [{"name": "g", "ports": [{"address": MACS[1]}]}],
        }
    ],
}


@pytest.fixture
def server():
    with FakeServer() as running:
        yield running


@pytest.fixture
def create(server, tmp_path, capsys):
    """Create what files say; return the exit code, stderr, and the requests."""

    def create(content, *words):
        path = tmp_path / "lab.json"
        path.write_text(json.dumps(content))
        code, _, err = run_here(["--os-endpoint", server.url, "create", str(path), *words], capsys)
        sent = [one for one in server.requests.find() if one.path.startswith("/v1/")]
        return code, err, [(f"{one.method} {one.path}", one.json()) for one in sent]

    return create


def test_everything_is_created_in_its_place(create):
    code, err, sent = create(CONTENT)
    assert code == 0, err
    assert sent == [
        ("POST /v1/chassis", {"uuid": RACK, "description": "c"}),
        ("POST /v1/nodes", {"name": "in-chassis", **DRIVER, "chassis_uuid": RACK}),
        ("POST /v1/nodes", {"uuid": NODE, "name": "n", **DRIVER}),
        ("POST /v1/portgroups", {"name": "g", "node_uuid": NODE}),
        (
            "POST /v1/ports",
            {"address": MACS[1], "node_uuid": NODE, "portgroup_uuid": sent[4][1]["portgroup_uuid"]},
        ),
        ("POST /v1/ports", {"address": MACS[0], "node_uuid": NODE}),
    ]
    assert f"Created node {NODE}" in err


@pytest.mark.parametrize(
    ("node", "told"),
    [
        ({"extra": {"motd": "{index}"}}, "nodes[0].extra has the unknown pattern {index}"),
        ({"driver": None}, "nodes[0].driver cannot be null"),
        ({"ports": [{"address": "5254000008e1"}]}, "Write '52:54:00:00:08:e1'"),
        ({"ports": [{"uuid": RACK}]}, "nodes[0].ports[0]: a new port needs address"),
        ({"name": "a b"}, "nodes[0].name cannot be 'a b'"),
        ({"traits": ["custom"]}, "nodes[0].traits is wrong"),
        ({"automated_clean": "yes"}, "nodes[0].automated_clean has to be true or false"),
    ],
)
def test_what_apply_refuses_is_not_created(create, server, tmp_path, capsys, node, told):
    code, err, sent = create({"nodes": [{"name": "n", **DRIVER, **node}]})
    assert (code, sent) == (1, [])
    assert told in err
    assert "Nothing was created." in err
    words = ("--os-endpoint", server.url, "apply", str(tmp_path / "lab.json"))
    code, _, err = run_here(words, capsys)
    assert code == 1
    assert told in err


def test_a_date_makes_no_other_node(create, tmp_path):
    wrong = tmp_path / "dated.yaml"
    wrong.write_text("nodes:\n- name: n\n  driver: d\n  extra: {installed: 2024-01-02}\n")
    code, err, sent = create(CONTENT, str(wrong))
    assert (code, sent) == (1, [])
    assert f"{wrong}, line 4: nodes[0].extra.installed is a date" in err


def test_the_rest_is_created_after_a_failure(create, server):
    server.faults.add({"path": "/v1/chassis"}, {"status": 400, "message": "No chassis."})
    code, err, sent = create(CONTENT)
    assert (code, len(sent)) == (1, 5)
    assert "Failed to create chassis c: No chassis." in err
    assert f"Failed to create node in-chassis: There is no chassis {RACK} for it." in err


@pytest.mark.parametrize("name", ["wrong.yaml", "lab.txt"])
def test_a_wrong_value_anywhere_creates_nothing(create, tmp_path, name):
    wrong = tmp_path / name
    port = "{address: 52:54:00:12:34:56, local_link_connection: {switch_id: 10:00:00:12:34:56}}"
    wrong.write_text(f"nodes: [{{driver: d, ports: [{port}, {{address: p, node_uuid: x}}]}}]")
    code, err, sent = create(CONTENT, str(wrong))
    assert (code, sent) == (1, [])
    if name == "lab.txt":
        assert "it has to end with .json or .yaml." in err
        return
    for message in (
        "nodes[0].ports[0].address is the number",
        "nodes[0].ports[0].local_link_connection.switch_id is the number",
        "node_uuid is 'x'",
    ):
        assert message in err
    assert f"{wrong}, line 1: " in err
    assert "Nothing was created." in err


def test_the_uuid_of_the_resource_around_may_be_repeated(create):
    port = {"address": MACS[0], "node_uuid": NODE}
    code, err, sent = create({"nodes": [{"uuid": NODE, **DRIVER, "ports": [port]}]})
    assert (code, sent[1]) == (0, ("POST /v1/ports", port)), err


def test_what_ironic_cannot_be_given_is_told_in_one_line(create):
    content = {
        "nodes": [
            {"name": "n", **DRIVER, "provision_state": "active", "machine": {}, "history": []}
        ],
        "allocations": [
            {"name": "a", "node": "n"},
            {"name": "b", "state": "error"},
            {"name": "c", "resource_class": "x", "last_error": "e"},
        ],
        "networks": [{"name": "x"}],
        "servers": [],
    }
    _, err, sent = create(content)
    assert sent == [
        ("POST /v1/nodes", {"name": "n", **DRIVER}),
        ("POST /v1/allocations", {"name": "c", "resource_class": "x"}),
    ]
    (line,) = [line for line in err.splitlines() if "Left out" in line]
    assert line == (
        "Left out, because Ironic does not accept it: provision_state of nodes, machine of nodes, "
        "history of nodes, last_error of allocations, networks, allocations that are no longer open"
    )


def test_what_is_below_a_node_is_created_though_its_traits_are_refused(create, server):
    server.faults.add({"method": "PUT"}, {"status": 400, "message": "No."})
    node = {"name": "n", **DRIVER, "traits": ["CUSTOM_A"], "ports": [{"address": MACS[0]}]}
    code, err, sent = create({"nodes": [node]})
    assert (code, len(sent)) == (1, 3)
    assert "Failed to complete node n: No." in err


def test_a_resource_that_is_there_already_fails(create):
    assert create(CONTENT)[0] == 0
    code, err, sent = create(CONTENT)
    assert code == 1
    assert {word for word, _ in sent} == {
        f"POST /v1/{kind}" for kind in ("chassis", "nodes", "portgroups", "ports")
    }
    assert "Failed to create chassis c: " in err


def test_the_fake_server_knows_the_same_lists():
    """A seed is a file for ``create``, and such a file is a seed."""
    ironic = {kind.key: kind for kind in schema.LISTS}
    assert set(lab_kinds.LISTS) == set(ironic)
    assert set(lab_kinds.OTHER_LISTS) == {kind.key for kind in services.LISTS}
    nested = dict(ironic)
    while nested:
        key, kind = nested.popitem()
        ours = lab_kinds.KINDS[key]
        below = {child.key: child for child in kind.children if child.key not in ours.seed_only}
        assert set(ours.nested) == set(below)
        nested |= below
        known = {*kind.fields, *kind.links, *(["traits"] if kind.traits is not None else [])}
        # A name that only the documents have.
        assert set(ours.schema.creatable_names) - known <= {"network_provider"}
        assert known <= {*ours.schema.by_name, *ours.known, *ours.seed_only, "node_uuid"}


def test_several_resources_are_created_at_a_time(create, monkeypatch):
    meeting = threading.Barrier(2)
    real = NodeManager.create

    def meet(self, **fields):
        meeting.wait(timeout=10)
        return real(self, **fields)

    monkeypatch.setattr(NodeManager, "create", meet)
    nodes = {"nodes": [{"name": "n{index}", "count": 4, **DRIVER}]}
    code, err, sent = create(nodes, "--parallel", "2")
    assert (code, len(sent)) == (0, 4)
    assert err.count("Created node ") == 4


@pytest.mark.parametrize("bounds", [("--on-error", "stop"), ("--max-failures", "1")])
def test_nothing_more_is_created_after_failures(create, bounds):
    nodes = [{"name": "n{index}", "count": 4, "driver": "no-such"}]
    code, err, sent = create({"nodes": nodes}, *bounds)
    assert (code, len(sent)) == (1, 1)
    assert "Failed to create node n3: not begun" in err


def test_an_interruption_tells_what_was_created(create, monkeypatch):
    real = NodeManager.create

    def interrupted(self, **fields):
        os.kill(os.getpid(), signal.SIGINT)
        # The main thread handles the signal, and sets this.
        while signal.getsignal(signal.SIGINT) is not signal.SIG_DFL:
            time.sleep(0.001)
        return real(self, **fields)

    monkeypatch.setattr(NodeManager, "create", interrupted)
    nodes = {"nodes": [{"name": "n{index}", "uuid": NODE[:-1] + "{index}", "count": 2, **DRIVER}]}
    code, err, sent = create(nodes)
    assert (code, len(sent)) == (130, 1)
    assert f"Created node {NODE[:-1]}0" in err
    assert "Failed to create node n1: not begun" in err
