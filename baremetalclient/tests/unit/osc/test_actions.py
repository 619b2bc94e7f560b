"""Verbs on many nodes at the command line, against a fake server."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
from types import SimpleNamespace

import pytest

from baremetalclient.osc.terminal.interrupts import Interrupts
from baremetalclient.tests.unit.osc.everything import run_here
from baremetalclient.tests.unit.osc.pseudo_terminal import run_on_terminal
from fake_server.server import FakeServer
from fake_server.settings import Settings


@pytest.fixture
def lab():
    """A server with eight nodes: n-0 to n-7, the first four in class gold."""
    with FakeServer(Settings()) as server:
        server.seed(
            {
                "nodes": [
                    {"name": "n-{index}", "count": 4, "resource_class": "gold"},
                    {"name": "n-{index}", "count": 4, "start": 4, "traits": ["CUSTOM_OLD"]},
                ]
            }
        )
        yield server


@pytest.fixture
def baremetal(lab, tmp_path, monkeypatch, capsys):
    """Run ``baremetal`` in this process, without a terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OS_ENDPOINT", lab.url)

    def run(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        monkeypatch.setattr("sys.argv", ["baremetal", *words])
        code, out, err = run_here(list(words), capsys)
        return subprocess.CompletedProcess(words, code, out, err)

    return run


def asked(lab, method=None):
    """Return the requests but for those in a version that the server does not have yet."""
    found = [one for one in lab.requests.find() if method in (None, one.method)]
    return [one for one in found if one.status != 406]


def states(lab):
    return {node["name"]: node["provision_state"] for node in lab.export_seed().get("nodes", [])}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("n-3", "n-1", "n-3"), ["n-1", "n-3"]),
        (("--select", "resource-class=gold,name~=n-[12]"), ["n-1", "n-2"]),
        (
            ("--select", "name=n-0", "--select", "trait=CUSTOM_OLD"),
            ["n-0", "n-4", "n-5", "n-6", "n-7"],
        ),
        (("--all",), [f"n-{number}" for number in range(8)]),
        (("-",), ["n-2", "n-5"]),
        (("--nodes-file", "names"), ["n-2", "n-5"]),
    ],
)
def test_each_source_of_nodes(lab, baremetal, tmp_path, words, expected):
    names = "n-5 # n-6\n\n  n-2\n"
    (tmp_path / "names").write_text(names)
    done = baremetal("node", "manage", *words, "--wait", "30", "--yes", stdin=names)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert sorted(name for name, state in states(lab).items() if state == "manageable") == expected
    assert len(asked(lab, "PUT")) == len(expected)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--select", "name=n-1", "--select", "name=last"), ["last", "n-1"]),
        (("n-1", "last"), ["n-1", "last"]),
        (("-",), ["n-2", "n-5"]),
    ],
)
def test_nodes_come_in_the_order_of_their_names_or_as_they_are_given(
    lab, baremetal, words, expected
):
    lab.seed({"nodes": [{"name": "last"}]})
    done = baremetal(
        "node", "manage", *words, "--parallel", "1", "--on-error", "stop", stdin="n-5 n-2"
    )
    assert done.returncode == 0, done.stderr
    uuids = {node["uuid"]: node["name"] for node in lab.export_seed()["nodes"]}
    names = [one.path.split("/")[3] for one in asked(lab, "PUT")]
    assert [uuids.get(name, name) for name in names] == expected


def test_each_of_many_threads_keeps_its_connection(lab, baremetal):
    lab.seed({"nodes": [{"name": "m-{index}", "count": 60}]})
    done = baremetal("-q", "node", "manage", "--all", "--yes", "--parallel", "40")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_report_has_a_record_for_each(lab, baremetal, tmp_path):
    lab.faults.add({"node": "n-1", "method": "PUT"}, {"status": 400, "message": "No."})
    done = baremetal(
        "node", "manage", "n-1", "n-0", "absent", "--report", "report.json", "-f", "json"
    )
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert json.loads((tmp_path / "report.json").read_text()) == report
    assert report["verb"] == "node manage"
    assert report["counts"] == {"done": 1, "failed": 2, "timeout": 0, "skipped": 0}
    records = {one["name"]: one for one in report["nodes"]}
    assert list(records) == ["n-1", "n-0", "absent"]
    assert records["n-0"]["result"] == "done"
    assert records["n-0"]["uuid"]
    assert records["n-1"]["state"] == "enroll"
    assert "No." in records["n-1"]["error"]
    assert (records["absent"]["uuid"], records["absent"]["state"]) == (None, None)


def test_a_report_is_written_though_the_server_fails_after_the_action(lab, baremetal, tmp_path):
    match = {"method": "GET", "path": "/v1/nodes", "nth": 2}
    lab.faults.add(match, {"status": 500, "message": "Out of order."})
    done = baremetal("node", "manage", "n-0", "n-1", "n-2", "n-3", "--report", "report.json")
    assert done.returncode == 0
    assert "Out of order." in done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["counts"]["done"] == 4
    assert {one["state"] for one in report["nodes"]} == {None}


def test_names_typed_out_are_not_asked_about(lab, baremetal):
    done = baremetal("node", "delete", "n-0", "n-1")
    assert done.returncode == 0
    assert done.stdout.splitlines() == ["Deleted node n-0", "Deleted node n-1"]
    lab.faults.add({"node": "n-2", "method": "DELETE"}, {"delay": 0.3})
    done = baremetal("node", "delete", "--all", "--yes")
    assert done.returncode == 0
    # In the order of names, though the first one takes longest.
    assert done.stdout.splitlines() == [f"Deleted node n-{number}" for number in range(2, 8)]
    assert states(lab) == {}


@pytest.mark.parametrize(("number", "others"), [(20, []), (21, ["and 1 more"])])
def test_twenty_names_are_shown_on_a_terminal(lab, number, others):
    more = number - len(states(lab))
    lab.seed({"nodes": [{"name": "n-more-{index}", "count": more}]})
    _, text = run_on_terminal("node", "delete", "--all", answer="n\n", OS_ENDPOINT=lab.url)
    lines = [line.strip() for line in text.splitlines()]
    assert sum(line.startswith("n-") for line in lines) == 20
    assert [line for line in lines if line.startswith("and ")] == others


def test_the_user_is_asked_on_a_terminal(lab):
    code, text = run_on_terminal("node", "delete", "--all", answer="n\n", OS_ENDPOINT=lab.url)
    assert code == 1
    assert "n-7" in text
    assert "node delete for these 8 nodes? [y/N]" in text
    assert len(states(lab)) == 8
    code, text = run_on_terminal("node", "delete", "--all", answer="y\n", OS_ENDPOINT=lab.url)
    assert code == 0
    assert states(lab) == {}


def test_a_terminal_has_one_table_with_counts(lab):
    lab.faults.add({"node": "n-1", "method": "PUT"}, {"status": 400, "message": "No way."})
    words = ("node", "manage", "--all", "--yes", "--wait")
    code, text = run_on_terminal(*words, OS_ENDPOINT=lab.url)
    assert code == 1
    assert "1 refused, 7 manageable" in text
    assert text.count("Failed to request 'manage' of node n-1: No way.") == 1


def test_many_that_failed_alike_are_a_few_names_on_a_terminal(lab, baremetal):
    lab.seed({"nodes": [{"name": "n-more-{index}", "count": 5}]})
    lab.faults.add({"path": "*/states/provision"}, {"status": 400, "message": "No way."})
    words = ("node", "manage", "--all", "--yes")
    _, text = run_on_terminal(*words, OS_ENDPOINT=lab.url)
    [line] = [line for line in text.splitlines() if "No way." in line]
    assert line.startswith("Failed to request 'manage' of 13 nodes: No way. (HTTP 400): n-0, n-1, ")
    assert line.endswith(", n-more-1 and 3 more")
    assert "n-more-4" in baremetal(*words).stderr


def test_nodes_whose_controllers_are_gone_failed_alike(lab, baremetal):
    for number in range(8):
        message = f"No route to 192.0.2.{number}, nor to [2001:db8::{number}]."
        fault = {"node": f"n-{number}", "method": "PUT"}
        lab.faults.add(fault, {"status": 400, "message": message})
    assert (
        "Failed to request 'manage' of 8 nodes: No route to <address>, nor to <address>. (HTTP 400)"
        ": n-0, n-1, "
    ) in baremetal("node", "manage", "--all", "--yes").stderr


def test_polls_ask_only_for_nodes_that_can_be_meant(lab, baremetal):
    words = ("--select", "resource-class=gold,state=enroll", "--wait", "30")
    done = baremetal("node", "manage", *words)
    assert done.returncode == 0, done.stderr
    first, *polls = [one.query for one in asked(lab, "GET") if one.path == "/v1/nodes"]
    assert "provision_state=enroll" in first
    assert polls
    # The verb changes the state, so polls have to do without it.
    assert all("resource_class=gold" in query for query in polls)
    assert all("=enroll" not in query for query in polls)


def test_a_node_without_a_name_is_pointed_to_by_its_uuid(lab):
    uuid = "11111111-2222-4333-8444-555555555555"
    lab.seed({"nodes": [{"uuid": uuid, "driver": "fake-hardware", "provision_state": "available"}]})
    lab.faults.add({"node": uuid, "step": "deploy.deploy"}, {"last_error": "No agent."})
    words = ("node", "deploy", uuid, "--wait", "30")
    code, text = run_on_terminal(*words, OS_ENDPOINT=lab.url)
    assert code == 1
    assert f"baremetal node explain {uuid}" in text


@pytest.fixture
def handler(request):
    """Set how SIGINT is handled, for one test."""
    previous = signal.signal(signal.SIGINT, request.param)
    yield request.param
    signal.signal(signal.SIGINT, previous)


@pytest.mark.parametrize(
    ("handler", "noted"),
    [(signal.default_int_handler, True), (signal.SIG_IGN, False)],
    indirect=["handler"],
)
def test_it_is_noted_unless_it_is_ignored_as_in_the_background(handler, noted):
    with Interrupts(SimpleNamespace(stderr=io.StringIO())) as interrupted:
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupted() is noted
    assert signal.getsignal(signal.SIGINT) is handler


def test_undeploying_a_retired_node_ends_when_it_is_manageable(capsys):
    with FakeServer(Settings(automated_clean=True)) as server:
        node = {"name": "old", "provision_state": "active", "retired": True}
        server.seed({"nodes": [node]})
        words = ("--os-endpoint", server.url, "node", "undeploy", "old", "--wait", "60")
        code, _, err = run_here(words, capsys)
        assert code == 0, err
        assert "old is 'manageable'" in err
