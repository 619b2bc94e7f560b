"""``baremetal diff`` and ``baremetal apply``."""

from __future__ import annotations

import json
import os
import re
import signal
import time

import pytest

from baremetalclient.declare.lab import read_lab
from baremetalclient.tests.unit.osc.everything import run_here
from baremetalclient.tests.unit.osc.pseudo_terminal import run_on_terminal
from baremetalclient.v1.node import NodeManager
from fake_server.server import FakeServer

LAB = {
    "nodes": [
        {
            "name": "n-{index}",
            "count": 2,
            "driver": "fake-hardware",
            "driver_info": {"ipmi_password": "hunter22"},
            "provision_state": "available",
            "last_error": "left out",
            "ports": [{"address": "52:54:00:{index:mac}"}],
        }
    ]
}
SELECT = ("--prune", "--select", "name~=n-.*")


@pytest.fixture
def server():
    with FakeServer() as running:
        yield running


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "lab.json"
    path.write_text(json.dumps(LAB))
    return str(path)


@pytest.fixture
def run(server, capsys):
    """Run a command; return its exit code, stdout, stderr and the requests that wrote."""

    def run(*words):
        server.requests.clear()
        done = run_here(["--os-endpoint", server.url, *words], capsys)
        writes = [one for one in server.requests.find() if one.method != "GET"]
        return *done, writes

    return run


def changes(out):
    return json.loads(out)["changes"]


def test_a_lab_is_compared_applied_and_the_same(run, path):
    code, out, err, writes = run("diff", path, "-f", "json")
    assert (code, writes) == (2, [])
    assert "hunter22" not in out
    assert changes(out)[1] == {
        "kind": "port",
        "id": "52:54:00:00:00:00",
        "node": "n-0",
        "action": "create",
        "fields": {"address": {"old": None, "new": "52:54:00:00:00:00"}},
        "reason": None,
        "interrupts": None,
        "uuid": None,
    }
    assert err.count("last_error of nodes") == 1
    code, out, err, _ = run("apply", path, "--wait", "--debug", "-f", "json")
    assert code == 0
    assert {(one["result"], one["error"]) for one in changes(out)} == {("done", None)}
    assert "hunter22" not in err
    assert "2 nodes are 'available'" in err
    assert run("diff", path)[:2] == (0, "")
    assert run("apply", path)[3] == []


def test_both_end_with_numbers_and_the_secrets_that_may_differ(run, server, path, tmp_path):
    assert run("diff", path)[2].endswith("4 to add\n")
    assert run("apply", path, "--wait")[2].endswith("4 added\n")
    secrets = "2 secrets can't be compared; --refresh-secrets sends them.\n"
    assert run("diff", path)[2].endswith(f"Nothing differs.\n{secrets}")
    assert run("apply", path)[2].endswith(f"Nothing differs.\n{secrets}")
    assert run("diff", path, "--refresh-secrets")[2].endswith("2 to change\n")
    other = tmp_path / "other.yaml"
    other.write_text(
        "nodes: [{name: n-0, extra: {a: 1}}, {name: n-2, driver: fake-hardware},\n"
        "  {name: n-3, driver: none}]"
    )
    numbers = "2 to add, 1 to change, 1 to remove\n"
    assert run("diff", str(other), *SELECT)[2].endswith(numbers)
    assert run("apply", str(other), *SELECT, "--dry-run")[2].endswith(numbers)
    _, _, err, _ = run("apply", str(other), *SELECT, "--yes")
    assert err.endswith("1 added, 1 changed, 1 removed, 1 failed\n")
    _, shown = run_on_terminal("diff", path, OS_ENDPOINT=server.url)
    assert "\x1b[32m+ node n-1\n    name: n-1" in shown


def test_differences_as_text(run, path, tmp_path):
    code, out, _, _ = run("diff", path)
    assert code == 2
    assert "+ port 52:54:00:00:00:01 of node n-1\n    address: 52:54:00:00:00:01\n" in out
    run("apply", path, "--wait")
    other = tmp_path / "other.yaml"
    other.write_text("nodes: [{name: n-0, provision_state: enroll, extra: {a: [1]}}]")
    _, out, _, _ = run("diff", str(other))
    assert "~ node n-0\n    extra/a: null → [1]\n" in out
    assert "! node n-0: refused, because " in out


def test_what_is_refused_makes_the_exit_code_1(run, tmp_path):
    path = tmp_path / "lab.yaml"
    path.write_text("nodes: [{name: n, driver: fake-hardware, protected: true}]")
    code, out, err, _ = run("apply", str(path))
    assert code == 1
    assert "+ node n\n" in out
    assert "Skipped: ! node n: a node can be protected only in active" in err


def test_the_report_is_that_of_the_output(run, path, tmp_path):
    report = tmp_path / "report.json"
    _, out, _, _ = run("apply", path, "-f", "json", "--report", str(report))
    assert json.loads(report.read_text()) == json.loads(out)
    assert run("apply", path, "--report", str(tmp_path / "no" / "report"))[0] == 2


def test_pruning_has_to_be_confirmed(run, server, path, tmp_path):
    run("apply", path, "--wait")
    empty = tmp_path / "empty.yaml"
    empty.write_text("nodes: []")
    code, _, err, writes = run("apply", str(empty), *SELECT)
    assert (code, writes) == (2, [])
    assert "--yes" in err
    code, shown = run_on_terminal(
        "apply", str(empty), *SELECT, answer="n\n", OS_ENDPOINT=server.url
    )
    assert code == 1
    assert shown.endswith("Nothing was done.\n")
    assert run("diff", str(empty), *SELECT)[0] == 2
    assert run("apply", str(empty), *SELECT, "--yes")[0] == 0
    assert run("diff", str(empty), *SELECT)[0] == 0


@pytest.fixture
def deployed(run, server, path):
    """The nodes of the lab, which users have deployed since."""
    run("apply", path, "--wait")
    run("node", "deploy", "n-0", "n-1", "--wait")
    return path


def test_nothing_is_torn_down_unasked(run, server, deployed):
    code, out, err, _ = run("diff", deployed)
    assert code == 2
    lines = [f"! node n-{at}: tears down the instance" for at in range(2)]
    assert [line for line in out.splitlines() if line.startswith("!")] == lines
    assert "2 to interrupt" in err
    code, out, err, writes = run("apply", deployed)
    assert (code, out, writes) == (2, "", [])
    assert all(line in err for line in lines)
    assert "Nothing was done: 'apply' for 2 interrupting steps has to be confirmed." in err
    code, shown = run_on_terminal("apply", deployed, answer="n\n", OS_ENDPOINT=server.url)
    assert code == 1
    assert "apply for these 2 interrupting steps? [y/N] " in shown
    assert run("diff", deployed)[0] == 2
    code, _, err, _ = run("apply", deployed, "--yes", "--wait")
    assert code == 0
    assert err.endswith(
        "2 interrupted\n2 secrets can't be compared; --refresh-secrets sends them.\n"
    )


def test_an_exported_lab_leaves_deployed_nodes_alone(run, path, tmp_path):
    run("apply", path, "--wait")
    exported = str(tmp_path / "exported.yaml")
    run("export", "--output", exported)
    run("node", "deploy", "n-0", "--wait")
    assert run("diff", exported)[:2] == (0, "")
    assert run("apply", exported)[3] == []


def test_the_form_of_a_file_is_told_by_the_commands_that_need_it(run, tmp_path, monkeypatch):
    monkeypatch.setenv("BMC_PASSWORD", "hunter22")
    for command in ("apply", "diff"):
        code, out, _, _ = run("help", command)
        assert code == 0
        example = out.partition("A file:\n\n")[2].partition("\n\n")[0]
        (tmp_path / "lab.yaml").write_text(example)
        assert len(read_lab(str(tmp_path / "lab.yaml")).all("ports")) == 20
        for key in ("portgroups", "volume_targets", "vifs", "deploy_templates", "allocations"):
            assert f"'{key}'" in out


MANY = {
    "nodes": [
        {
            "name": "n-{index}",
            "count": 21,
            "driver": "fake-hardware",
            "ports": [{"address": "52:54:00:{index:mac}"}],
        }
    ]
}


def test_many_new_nodes_are_summarized(run, tmp_path):
    path = tmp_path / "many.json"
    path.write_text(json.dumps(MANY))
    code, out, err, _ = run("diff", str(path))
    assert code == 2
    nodes, ports = out.splitlines()
    assert re.fullmatch(r"\+ 21 nodes: n-0, .* and \d+ more", nodes)
    assert re.fullmatch(r"\+ 21 ports: 52:54:00:00:00:00, .* and \d+ more", ports)
    assert err == "42 to add\n"
    assert run("apply", str(path), "--dry-run")[1] == out
    assert "    driver: fake-hardware\n" in run("diff", str(path), "--no-summary")[1]
    assert len(changes(run("diff", str(path), "-f", "json")[1])) == 42
    path.write_text(json.dumps({"nodes": [{**MANY["nodes"][0], "count": 20}]}))
    assert "    driver: fake-hardware\n" in run("diff", str(path))[1]
    assert run("diff", str(path), "--summary")[1].startswith("+ 20 nodes: n-0, ")


def test_what_interrupts_has_a_line_of_its_own_in_a_summary(run, deployed):
    _, out, _, _ = run("diff", deployed, "--summary")
    assert [line[0] for line in out.splitlines() if line[0] != " "] == ["!", "!"]


@pytest.mark.parametrize("bounds", [("--on-error", "stop"), ("--max-failures", "1")])
def test_nothing_more_starts_after_failures(run, tmp_path, bounds):
    path = tmp_path / "lab.yaml"
    path.write_text("nodes: [{name: 'n-{index}', count: 3, driver: no-such}]")
    code, out, _, writes = run("apply", str(path), "--parallel", "1", "-f", "json", *bounds)
    assert (code, len(writes)) == (1, 1)
    assert [one["result"] for one in changes(out)] == ["failed", "skipped", "skipped"]


def test_an_interrupted_plan_tells_what_was_not_done(run, path, tmp_path, monkeypatch):
    create = NodeManager.create

    def interrupted(*args, **kwargs):
        os.kill(os.getpid(), signal.SIGINT)
        # The main thread handles the signal, and sets this.
        while signal.getsignal(signal.SIGINT) is not signal.SIG_DFL:
            time.sleep(0.001)
        return create(*args, **kwargs)

    monkeypatch.setattr(NodeManager, "create", interrupted)
    report = tmp_path / "report.json"
    code, out, _, writes = run(
        "apply", path, "--parallel", "1", "-f", "json", "--report", str(report)
    )
    assert code == 130
    assert [one.path for one in writes] == ["/v1/nodes"]
    assert [(one["id"], one["result"]) for one in changes(out)] == [
        ("n-0", "failed"),
        ("52:54:00:00:00:00", "skipped"),
        ("n-1", "skipped"),
        ("52:54:00:00:00:01", "skipped"),
    ]
    assert json.loads(report.read_text()) == json.loads(out)
