"""Looking before acting: --dry-run, --yes, and nodes with which nothing has to be done."""

from __future__ import annotations

import io
import json
import re

import pytest

from baremetalclient.osc.action_command import ActionCommand
from baremetalclient.osc.app import Commands
from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.everything import run_here, words_of
from fake_server.server import FakeServer
from fake_server.settings import Settings

OTHERS = re.compile("node (vif|indicator|vmedia|set|remove trait|trait remove)")
"""Commands for one node, or with other arguments."""


def acting():
    """Return the commands that act on nodes, without other services."""
    for name in COMMANDS:
        command = Commands().find_command(name.split())[0]
        if issubclass(command, ActionCommand) and name.startswith("node "):
            yield name


@pytest.fixture
def lab():
    with FakeServer(Settings()) as server:
        server.seed(
            {
                "nodes": [
                    {"name": "off", "provision_state": "available"},
                    {"name": "ready", "provision_state": "available"},
                    {"name": "busy", "provision_state": "active", "power_state": "power on"},
                    {"name": "sick", "provision_state": "available", "maintenance": True},
                    {"name": "new", "provision_state": "enroll"},
                ]
            }
        )
        yield server


@pytest.fixture
def baremetal(lab, monkeypatch, capsys):
    monkeypatch.setenv("OS_AUTH_TYPE", "none")
    monkeypatch.setenv("OS_ENDPOINT", lab.url)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    return lambda *words: run_here([str(word) for word in words], capsys)


def changes(lab):
    return [one for one in lab.requests.find() if one.method != "GET"]


@pytest.mark.rows
@pytest.mark.parametrize("name", list(acting()))
def test_a_dry_run_only_reads(lab, baremetal, name):
    code, out, err = baremetal(*words_of(name), "--dry-run")
    assert (code, changes(lab)) == (0, []), err
    assert "There is no node" in out


@pytest.mark.rows
@pytest.mark.parametrize("name", [name for name in acting() if not OTHERS.search(name)])
def test_all_nodes_need_a_confirmation(lab, baremetal, name):
    named = [word for word in words_of(name)[len(name.split()) :] if word not in ("n", "x")]
    code, _, err = baremetal(*name.split(), *named, "--all")
    assert (code, changes(lab)) == (2, []), err
    assert re.search(f"Nothing was done: {name!r} for [2-5] nodes has to be confirmed.", err)


def test_a_dry_run_tells_what_would_be_refused(baremetal):
    code, out, err = baremetal("node", "deploy", "--all", "--dry-run")
    assert code == 0
    rows = {line.split("|")[1].strip(): line for line in out.splitlines() if "|" in line}
    assert "would be refused" not in rows["ready"]
    assert "already 'active'" in rows["busy"]
    assert "'deploy' is not possible: the node is in maintenance" in rows["sick"]
    assert "'deploy' is not possible in 'enroll'; possible: manage" in rows["new"]
    assert "Nothing was sent. Of 5 nodes: 1 already 'active', 2 would be refused, 2 would." in err


def test_a_dry_run_tells_what_would_be_interrupted(baremetal):
    _, out, _ = baremetal("node", "undeploy", "--all", "--dry-run")
    rows = {line.split("|")[1].strip(): line for line in out.splitlines() if "|" in line}
    assert "! tears down the instance" in rows["busy"]
    assert "tears down" not in rows["new"]
    _, out, _ = baremetal("node", "power", "off", "--all", "--dry-run")
    rows = {line.split("|")[1].strip(): line for line in out.splitlines() if "|" in line}
    assert "! powers off a machine in use" in rows["busy"]
    assert "powers off" not in rows["ready"]


def test_the_report_of_a_dry_run(baremetal):
    _, out, _ = baremetal("node", "deploy", "new", "busy", "ready", "--dry-run", "-f", "json")
    report = json.loads(out)
    assert report["counts"] == {"would": 1, "would be refused": 2}
    assert [(one["name"], one["result"], one["state"]) for one in report["nodes"]] == [
        ("new", "would be refused", "enroll"),
        ("busy", "would be refused", "active"),
        ("ready", "would", "available"),
    ]
    assert [bool(one["error"]) for one in report["nodes"]] == [True, True, False]


@pytest.mark.parametrize("verb", ["undeploy", "abort", "rescue --rescue-password p", "inject nmi"])
def test_what_interrupts_asks_for_one_selected_node_too(lab, baremetal, verb):
    code, _, err = baremetal("node", *verb.split(), "--select", "name=busy")
    assert (code, changes(lab)) == (2, [])
    assert "for 1 node has to be confirmed" in err


def test_selected_nodes_in_the_state_are_done(lab, baremetal):
    words = ("node", "deploy", "--select", "name=busy or name=ready", "-f", "json", "--wait")
    code, out, err = baremetal(*words)
    assert code == 0, err
    assert "Already 'active', nothing is sent: busy" in err
    assert len(changes(lab)) == 1
    report = json.loads(out)
    assert [(one["name"], one["result"], one["state"]) for one in report["nodes"]] == [
        ("busy", "done", "active"),
        ("ready", "done", "active"),
    ]
    assert baremetal("node", "deploy", "busy")[0] == 1


@pytest.mark.parametrize("verb", ["reboot", "rebuild"])
def test_what_works_again_in_its_state_is_sent(lab, baremetal, verb):
    _, _, err = baremetal("node", verb, "--select", "name=busy", "--yes")
    assert len(changes(lab)) == 1, err


def test_nodes_are_done_that_became_so_after_a_failure(lab, baremetal, tmp_path):
    report = tmp_path / "report.json"
    words = ("--report", report, "--wait", "1m")
    assert baremetal("node", "manage", "--select", "name=busy or name=new", *words)[0] == 1
    document = json.loads(report.read_text())
    for one in document["nodes"]:
        one["result"] = "failed"
    document["nodes"] = [one for one in document["nodes"] if one["name"] == "new"]
    report.write_text(json.dumps(document))
    sent = len(changes(lab))
    assert baremetal("node", "manage", "--retry-failed", report)[0] == 0
    assert len(changes(lab)) == sent


@pytest.mark.parametrize(
    ("words", "expected"), [(("ready",), 1), (("--select", "name=ready"), 124)]
)
def test_the_exit_code_when_the_time_is_over(lab, baremetal, words, expected):
    lab.delays.set(default=60)
    code, _, err = baremetal("node", "deploy", *words, "--wait", "1s")
    assert code == expected, err


def test_errors_that_are_alike_are_one(baremetal):
    code, _, err = baremetal("node", "adopt", "--select", "state=available,name!=off")
    assert code == 1
    assert "Failed to request 'adopt' of 2 nodes: " in err
    assert err.count("Request-ID") == 0
    assert "<node>" in err
    assert ": ready, sick\n" in err
