"""The command that watches nodes."""

from __future__ import annotations

from baremetalclient.tests.unit.osc.terminal import run_on_terminal
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer


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
    first, second = text.split("\x1b[J")[1:]
    *lines, back = first.splitlines()
    assert back == f"\x1b[{len(lines)}F"
    assert len(lines) == 24 - 1
    assert all(len(line) < 60 for line in lines)
    assert lines[0].split() == ["Name", "Provision", "state", "Power", "state", "Remarks"]
    assert lines[1].split()[:2] == ["n-0", "enroll"]
    assert lines[-2] == "... and 10 more"
    assert lines[-1] == "30 enroll"
    assert "n-28  \x1b[32mactive" in second.splitlines()[1]
    assert second.splitlines()[-1] == "29 enroll, 1 active"
