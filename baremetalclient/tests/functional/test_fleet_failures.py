"""A command for many nodes reports what it did, whatever ends it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

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
    """Start a program that runs the command."""

    def call(program, *words, command=COMMAND):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
        return subprocess.Popen(
            [sys.executable, "-c", f"import sys\n{program}", *command, *words],
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


MAIN = "from baremetalclient.shell import main\nsys.exit(main())"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_lets_what_runs_finish(lab, start, report, number):
    lab.faults.add({"method": "PUT"}, {"delay": 0.5})
    process = start(MAIN, "--parallel", "2")
    process.stderr.readline()  # the first one is done
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert "Interrupted" in err
    results = report()
    assert {name for name in NAMES if results[name]["result"] == "done"} == managed(lab)
    assert {one["result"] for one in results.values()} == {"done", "skipped"}


def test_a_deadline_lets_what_runs_finish(lab, start, report):
    lab.faults.add({"method": "PUT"}, {"delay": 0.5})
    process = start(MAIN, "--parallel", "2", "--deadline", "2")
    _, err = process.communicate(timeout=30)
    assert "The deadline of the command has passed: nothing more is started." in err
    results = report()
    assert {name for name in NAMES if results[name]["result"] == "done"} == managed(lab)
    assert {one["result"] for one in results.values()} == {"done", "skipped"}
    assert process.returncode == 124


@pytest.mark.parametrize(
    "command", [("node", "wait", "n-1", "--for", "power_state=power on"), ("node", "show", "n-1")]
)
def test_a_deadline_ends_whatever_a_command_does(lab, start, command):
    lab.faults.add({"path": "/v1/nodes/*"}, {"delay": 20})
    process = start(MAIN, "--deadline", "1s", command=command)
    _, err = process.communicate(timeout=15)
    assert "its deadline of 1 s has passed" in err or "nothing more is started" in err
    assert (process.returncode, "Traceback" in err) == (124, False)


# Where the limit is so low that some connections can't be opened, and modules can't be loaded.
FEW_FILES = """
import resource
from baremetalclient.shell import main
files = len(__import__("os").listdir("/proc/self/fd")) + 18
resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
sys.exit(main())
"""
# Each third call fails with an exception that is none of the package.
NO_MEMORY = """
from itertools import count
from baremetalclient._http import sender
from baremetalclient.shell import main
send, numbers = sender.Sender.send, count()
def fail(*arguments, **options):
    if arguments[1] == "PUT" and next(numbers) % 3 == 0:
        raise MemoryError("no memory")
    return send(*arguments, **options)
sender.Sender.send = fail
sys.exit(main())
"""
# What is printed can't be, as when a pipe is closed.
NO_OUTPUT = """
from baremetalclient.osc.terminal.printing_listener import PrintingListener
from baremetalclient.shell import main
def fail(*arguments):
    raise BrokenPipeError("gone")
PrintingListener.accepted = fail
sys.exit(main())
"""


@pytest.mark.parametrize("program", [FEW_FILES, NO_MEMORY, NO_OUTPUT])
def test_a_failure_of_another_kind_costs_no_report(lab, start, report, program):
    process = start(program, "--parallel", "20")
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err, err
    results = report()
    done = {name for name in results if results[name]["result"] == "done"}
    assert set(results) == set(NAMES)
    assert done <= managed(lab)
    failed = {one["error"] for one in results.values() if one["result"] == "failed"}
    if program == NO_MEMORY:
        assert failed == {"MemoryError: no memory"}
        assert done == managed(lab)
    elif program == NO_OUTPUT:
        assert failed == {"not known, because the command failed: BrokenPipeError: gone"}
    assert process.returncode == (141 if program == NO_OUTPUT else int(bool(failed)))
