"""The commands that wait until conditions hold."""

from __future__ import annotations

import io
import json

from baremetalclient.tests.unit.osc.pseudo_terminal import run_on_terminal
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault

ACTIVE = "provision_state=active"


def node(name="n-0", state="active", **fields):
    given = {"uuid": f"uuid-of-{name}", "name": name, "resource_class": "gold"}
    return {**given, "provision_state": state, **fields}


def nodes(*states):
    return Reply({"nodes": [node(f"n-{number}", state) for number, state in enumerate(states)]})


def test_several_conditions_have_to_hold_together(run):
    script = (Reply(node(power_state="power off")), Reply(node(power_state="power on")))
    words = ("--for", ACTIVE, "--for", "power_state=power on", "n-0")
    done = run("node", "wait", *words, script=script)
    assert done.code == 0
    assert len(done.requests) == 2


def test_a_failure_is_told_at_once_while_others_go_on(run):
    script = (
        nodes("deploying", "deploy failed", "deploying", "deploying"),
        Reply(node("n-0")),
        Reply(node("n-2")),
        Reply(node("n-3")),
    )
    done = run("node", "wait", "--for", ACTIVE, "n-0", "n-1", "n-2", "n-3", script=script)
    assert done.code == 1
    assert "without a reason; it remains in 'deploy failed'" in done.err
    assert "3 nodes are 'deploying' (0 s): n-0, n-2, n-3\n" in done.err
    assert done.err.index("Node n-1") < done.err.index("3 nodes are 'active' (0 s): n-0, n-2, n-3")
    assert len(done.requests) == 4


def test_several_nodes_are_shown_in_a_table_on_a_terminal():
    script = (
        nodes("deploying", "deploy failed", "deploying", "deploying"),
        Reply(node("n-0")),
        Reply(node("n-2")),
        Reply(node("n-3")),
    )
    words = ("node", "wait", "--for", ACTIVE, "n-0", "n-1", "uuid-of-n-2", "n-3")
    with ScriptedServer(*script) as server:
        code, text = run_on_terminal("--os-endpoint", server.url, *words, NO_COLOR="1")
    assert code == 1
    first, second = text.replace("\x1b[K", "").split("\x1b[6F")
    assert first.splitlines()[-1] == "1 deploy failed, 3 deploying (0 s)"
    assert "1 deploy failed, 3 active (0 s)" in second.splitlines()
    # Whatever they are called by, nodes have their names there.
    assert [line.split()[0] for line in first.splitlines()][1:-1] == ["n-1", "n-0", "n-2", "n-3"]
    assert second.splitlines()[-2:] == [
        "Node n-1: in a failure state without a reason; it remains in 'deploy failed'",
        "To see what is in the way: baremetal node explain n-1",
    ]


def test_the_report(run, tmp_path):
    file = tmp_path / "report.json"
    script = (
        nodes("active", "error", "active", "active"),
        fault("No.", 404),
    )
    words = ("--for", ACTIVE, "-f", "json", "--report", str(file), "n-3", "n-2", "n-1", "n-9")
    done = run("node", "wait", *words, script=script)
    assert done.code == 1
    report = json.loads(done.out)
    assert report == json.loads(file.read_text())
    assert report["verb"] == "node wait"
    assert report["counts"] == {"done": 2, "failed": 2, "timeout": 0, "skipped": 0}
    assert [(one["name"], one["uuid"], one["state"]) for one in report["nodes"]] == [
        ("n-3", "uuid-of-n-3", "active"),
        ("n-2", "uuid-of-n-2", "active"),
        ("n-1", "uuid-of-n-1", "error"),
        ("n-9", None, None),
    ]
    again = run("node", "wait", "--for", ACTIVE, "--retry-failed", str(file), script=script)
    assert {request.path for request in again.requests} == {
        "/v1/nodes/uuid-of-n-1",
        "/v1/nodes/n-9",
    }


def test_an_error_of_the_server_is_reported_for_each_that_is_left(run):
    script = (nodes("active", *["deploying"] * 4), fault("Not for you.", 403))
    names = [f"n-{number}" for number in range(5)]
    done = run("node", "wait", "--for", ACTIVE, "-f", "json", *names, script=script)
    assert done.code == 1
    report = json.loads(done.out)
    assert report["counts"] == {"done": 1, "failed": 4, "timeout": 0, "skipped": 0}
    assert "Not for you." in report["nodes"][1]["error"]
    assert done.err.splitlines()[-1].endswith("(HTTP 403): n-1, n-2, n-3, n-4")


def test_ports_are_called_by_their_addresses_too(run, monkeypatch):
    address = "52:54:00:00:00:01"
    port = {"uuid": "u", "name": None, "address": address, "pxe_enabled": True}
    script = (Reply({"ports": [port]}),)
    done = run("port", "wait", "--for", "pxe_enabled=true", "-f", "json", address, script=script)
    assert done.code == 0
    assert done.requests[0].query["address"] == address
    assert json.loads(done.out)["verb"] == "port wait"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{address}\nu # the same\n"))
    done = run("port", "wait", "--for", "pxe_enabled=true", "-", script=(*script, Reply(port)))
    assert done.code == 0
    assert [request.path for request in done.requests] == ["/v1/ports/detail", "/v1/ports/u"]


def test_a_node_with_a_word_for_nothing_as_its_name_is_no_other_node(run):
    nameless = {**node("n-0"), "name": None, "provision_state": "active"}
    named = {**node("None"), "provision_state": "deploying"}
    later = {**named, "provision_state": "active"}
    others = [{**node(f"n-{at}"), "provision_state": "active"} for at in range(1, 4)]
    script = (Reply({"nodes": [named, nameless, *others]}), Reply(later))
    names = ["None", "n-1", "n-2", "n-3"]
    done = run("node", "wait", "--for", ACTIVE, "-f", "json", *names, script=script)
    assert done.code == 0
    found = json.loads(done.out)["nodes"]
    assert [one["uuid"] for one in found] == [f"uuid-of-{name}" for name in names]


def test_a_name_that_two_nodes_have_is_no_name(run):
    twice = Reply({"nodes": [node("n-0"), {**node("n-0"), "uuid": "other"}]})
    done = run("node", "wait", "--for", ACTIVE, *(f"n-{at}" for at in range(4)), script=(twice,))
    assert (done.code, done.out) == (1, "")
    assert "More than one node exists with the name 'n-0'." in done.err
