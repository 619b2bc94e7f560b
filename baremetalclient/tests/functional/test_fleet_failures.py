"""A command for many nodes reports what it did, whatever ends it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from itertools import count

import pytest

from baremetalclient._http.sender import Sender
from baremetalclient.osc.terminal.printing_listener import PrintingListener
from baremetalclient.tests import commands
from baremetalclient.tests.unit.osc.everything import run_here
from fake_server.server import FakeServer

NAMES = [f"n-{number}" for number in range(30)]
COMMAND = ("node", "manage", "--all", "--yes", "--report", "r.json")


@pytest.fixture
def lab(own_server):
    nodes = [{"name": name, "provision_state": "enroll"} for name in NAMES]
    with FakeServer(seed={"nodes": nodes}) as server:
        yield server


@pytest.fixture
def start(lab, tmp_path):
    """Start a program with the words of the command."""

    def call(program, *words, command=COMMAND):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
        return subprocess.Popen(
            [*program, *command, *words],
            stderr=subprocess.PIPE,
            text=True,
            env={**kept, "OS_ENDPOINT": lab.url},
            cwd=tmp_path,
        )

    return call


@pytest.fixture
def report(tmp_path):
    """Return the results in the report by name."""

    def read():
        document = json.loads((tmp_path / "r.json").read_text())
        return {node["name"]: node for node in document["nodes"]}

    return read


def managed(lab):
    nodes = lab.export_seed()["nodes"]
    return {node["name"] for node in nodes if node.get("provision_state") != "enroll"}


@pytest.fixture
def baremetal():
    return [commands.directory() / "baremetal"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_lets_what_runs_finish(lab, start, baremetal, report, number):
    lab.faults.add({"method": "PUT"}, {"delay": 0.5})
    process = start(baremetal, "--parallel", "2")
    process.stderr.readline()  # the first one is done
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert "Interrupted" in err
    results = report()
    assert {name for name in NAMES if results[name]["result"] == "done"} == managed(lab)
    assert {one["result"] for one in results.values()} == {"done", "skipped"}


def test_a_deadline_lets_what_runs_finish(lab, start, baremetal, report):
    lab.faults.add({"method": "PUT"}, {"delay": 0.5})
    process = start(baremetal, "--parallel", "2", "--deadline", "2")
    _, err = process.communicate(timeout=30)
    assert "The deadline of the command has passed: nothing more is started." in err
    results = report()
    assert {name for name in NAMES if results[name]["result"] == "done"} == managed(lab)
    assert {one["result"] for one in results.values()} == {"done", "skipped"}
    assert process.returncode == 124


@pytest.mark.parametrize(
    "command", [("node", "wait", "n-1", "--for", "power_state=power on"), ("node", "show", "n-1")]
)
def test_a_deadline_ends_whatever_a_command_does(lab, start, baremetal, command):
    lab.faults.add({"path": "/v1/nodes/*"}, {"delay": 20})
    process = start(baremetal, "--deadline", "1s", command=command)
    _, err = process.communicate(timeout=15)
    assert "its deadline of 1 s has passed" in err or "nothing more is started" in err
    assert (process.returncode, "Traceback" in err) == (124, False)


# Where the limit is so low that some connections can't be opened, and modules can't be loaded.
FEW_FILES = """
import resource, sys
from baremetalclient.shell import main
files = len(__import__("os").listdir("/proc/self/fd")) + 18
resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
sys.exit(main())
"""


@pytest.fixture
def fails(lab, monkeypatch, tmp_path, capsys):
    """Run the command in this process; return the exit code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OS_ENDPOINT", lab.url)

    def call():
        code, _, err = run_here([*COMMAND, "--parallel", "20"], capsys)
        assert "Traceback" not in err, err
        return code

    return call


@pytest.fixture
def outcome(lab, report):
    """Return the errors in a report in which all nodes are, and the names of those done."""

    def read():
        results = report()
        assert set(results) == set(NAMES)
        done = {name for name in NAMES if results[name]["result"] == "done"}
        assert done <= managed(lab)
        return {one["error"] for one in results.values() if one["result"] == "failed"}, done

    return read


def test_too_few_files_cost_no_report(start, outcome):
    process = start([sys.executable, "-c", FEW_FILES], "--parallel", "20")
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err, err
    assert process.returncode == int(bool(outcome()[0]))


def test_calls_that_fail_for_another_reason_cost_no_report(lab, fails, outcome, monkeypatch):
    send, numbers = Sender.send, count()

    def fail(*arguments, **options):
        if arguments[1] == "PUT" and next(numbers) % 3 == 0:
            raise MemoryError("no memory")
        return send(*arguments, **options)

    monkeypatch.setattr(Sender, "send", fail)
    assert fails() == 1
    assert outcome() == ({"MemoryError: no memory"}, managed(lab))


def test_a_closed_pipe_costs_no_report(fails, outcome, monkeypatch):
    def fail(*_):
        raise BrokenPipeError("gone")

    monkeypatch.setattr(PrintingListener, "accepted", fail)
    assert fails() == 141
    assert outcome()[0] == {"not known, because the command failed: BrokenPipeError: gone"}


def test_a_deadline_ends_nothing_after_the_command(lab, capsys):
    """Not the end of the process, either, whose exit code would be that of a signal."""
    words = ["--os-endpoint", lab.url, "--deadline", "60", "node", "list"]
    assert run_here(words, capsys)[0] == 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
