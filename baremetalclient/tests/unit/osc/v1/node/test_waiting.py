"""Waiting for nodes after a command, and watching them."""

from __future__ import annotations

from baremetalclient.tests.unit.osc.pseudo_terminal import run_on_terminal
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer, fault

ACCEPTED = Reply(b"", 202)


def states(*found):
    return [
        Reply({"provision_state": state, "target_provision_state": target, "last_error": error})
        for state, target, error in found
    ]


def test_waiting_reports_progress_and_ends(run):
    script = (
        ACCEPTED,
        *states(("cleaning", "available", None), ("cleaning", "available", None)),
        *states(("available", None, None)),
    )
    done = run("node", "provide", "rack-1", "--wait", "9", script=script)
    assert done.code == 0
    assert done.out == ""
    assert done.err.count("'cleaning', target 'available'") == 1
    assert "rack-1 is 'available'" in done.err


def test_what_fails_for_the_same_reason_is_one_line(run):
    found = [
        {"uuid": f"u-{name}", "name": name, "provision_state": "deploy failed", "last_error": error}
        for name, error in (("a", "No agent."), ("b", "No power."), ("c", "No agent."))
    ]
    script = (*[ACCEPTED] * 4, Reply({"nodes": found}), fault("Gone.", 404))
    done = run("node", "deploy", "a", "b", "c", "d", "--wait", script=script)
    assert done.code == 1
    assert done.err.splitlines()[-3:] == [
        "2 nodes: No agent; they remain in 'deploy failed': a, c",
        "Node b: No power; it remains in 'deploy failed'",
        "Node d: there is no such node any more",
    ]


def test_waiting_too_long_says_where_the_node_is(run):
    script = (ACCEPTED, *states(("cleaning", "available", "it is slow")))
    done = run("node", "provide", "rack-1", "--wait", "1", script=script)
    assert done.code == 1
    assert done.err.endswith(
        "Node rack-1: not 'available' after 1 seconds, last error: it is slow; it remains in "
        "'cleaning'\n"
    )


def test_nodes_that_refused_are_not_waited_for(run):
    script = (fault("No.", 409), ACCEPTED, *states(("manageable", None, None)))
    done = run("node", "manage", "a", "b", "--wait", "--parallel", "1", script=script)
    assert done.code == 1
    assert [request.path for request in done.requests] == [
        "/v1/nodes/a/states/provision",
        "/v1/nodes/b/states/provision",
        "/v1/nodes/b",
    ]


def power(state, target=None, error=None):
    return Reply({"power_state": state, "target_power_state": target, "last_error": error})


def test_power_is_waited_for(run):
    script = (ACCEPTED, power("power on", "rebooting"), power("power on"))
    done = run("node", "reboot", "a", "--wait", script=script)
    assert (done.code, done.out) == (0, "")
    assert len(done.requests) == 3
    assert "target 'rebooting'" in done.err


def node(name="n-0", state="enroll", **fields):
    given = {"uuid": f"uuid-of-{name}", "name": name, "maintenance": False}
    return {**given, "provision_state": state, **fields}


def nodes(*found):
    return Reply({"nodes": list(found)})


def test_a_line_for_each_event(run):
    script = (
        nodes(node(), node("n-1", power_state="power on")),
        nodes(node(state="verifying", last_error="No\x1b power."), node("n-1")),
        nodes(node("n-2"), node(state="verifying", last_error="No\x1b power.")),
    )
    done = run("node", "watch", "--timeout", "1", script=script)
    assert (done.code, done.err) == (0, "")
    assert [line.split(" ", 1)[1] for line in done.out.splitlines()] == [
        "n-0 present: provision_state enroll",
        "n-1 present: provision_state enroll, power_state power on",
        "n-0 changed: provision_state enroll -> verifying, last_error none -> No\\x1b power.",
        "n-1 changed: power_state power on -> none",
        "n-2 added: provision_state enroll",
        "n-1 removed: provision_state enroll",
    ]


def test_a_selection(run):
    done = run("node", "watch", "--select", "owner=me", "--timeout", "1", script=(nodes(),))
    assert (done.code, done.out) == (0, "")
    assert done.err == "There are no such nodes yet; the watch goes on.\n"
    assert done.requests[0].query["owner"] == "me"


def test_a_table_on_a_terminal():
    found = [node(f"n-{number}", last_error="x" * 100) for number in range(30)]
    script = (nodes(*found), nodes(*found[:28], node("n-28", "active"), found[29]))
    with ScriptedServer(*script) as server:
        words = ("--os-endpoint", server.url, "node", "watch", "--timeout", "1")
        code, text = run_on_terminal(*words, columns=60)
    assert code == 0
    first, second = text.replace("\x1b[K", "").split("\x1b[3F")
    lines = first.splitlines()
    assert all(len(line) < 60 for line in lines)
    assert lines[0].split() == ["Name", "Provision", "state", "Power", "state", "Remarks"]
    # More than there is room for: all that are alike have one line.
    assert lines[1].split()[:3] == ["n-0", "+29", "enroll"]
    assert lines[2:] == ["30 enroll"]
    assert "n-28     \x1b[32mactive" in second
    assert second.splitlines()[-1] == "29 enroll, 1 active"
