"""What ``baremetal-fake-server`` prints, and with which exit code."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from fake_server import cli
from fake_server.clock import Clock
from fake_server.server import FakeServer

PREFIX = "BAREMETAL_FAKE_SERVER_"
OWN = re.compile(r"(?<=127\.0\.0\.1:)\d{4,5}|(?<=the token )\S+")
COMMANDS = Path(__file__).with_name("commands.txt")
CONTROLS = ("clock", "delays", "faults", "others")
REFUSED = ("words", "variables", "config", "accounts")
FILES = {
    "lab.yaml": "nodes: [{name: n}]",
    "bad.yaml": "nodes: [{name: n}, {name: n}]",
    "users.yaml": "users: [{name: first, projects: {a: [member], b: [reader]}}, {name: idle},"
    " {name: both, projects: {a: [member]}, system: [reader]}, {name: whole, system: [reader]}]",
}


def lines(section):
    text = COMMANDS.read_text("utf-8").partition(f"== {section}\n")[2].partition("\n== ")[0]
    return text.removesuffix("\n").split("\n")


@pytest.fixture(autouse=True)
def without_variables(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    for name in list(os.environ):
        if name.startswith((PREFIX, "OS_")):
            monkeypatch.delenv(name)


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Return a function that runs a command, and tells its exit code and what it prints."""

    def call(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        try:
            code = cli.main([word.replace("<tmp>", str(tmp_path)) for word in words])
        except SystemExit as exc:
            code = exc.code
        out, err = (text.replace(str(tmp_path), "<tmp>") for text in capsys.readouterr())
        if out.startswith("{"):
            out = shown(json.loads(out))
        # How usage is laid out depends on the version of Python, and quotes in it do, too.
        err = err.splitlines()[-1] if "usage: " in err else err
        err = re.sub(r"(?<=choose from ).*?(?=\))", lambda found: found[0].replace("'", ""), err)
        text = OWN.sub("-", f"{out} {err}").replace("baremetal-fake-server", "…").strip()
        return [f"{code} {text[:62]}"]

    return call


def shown(answer):
    """Return an answer of the controls, without what differs from run to run."""
    if answer.get("mode", "manual") != "manual":
        del answer["now"]
    kept = {name: value for name, value in answer.items() if name not in ("names", "log", "modes")}
    if "requests" in kept:
        kept["requests"] = [entry["path"] for entry in kept["requests"]]
    return json.dumps(kept)


@pytest.mark.parametrize("name", CONTROLS)
def test_controls_are_as_recorded(recorded, run, name):
    clock = Clock("manual", start=1_700_000_000)
    with FakeServer(seed={"nodes": [{"name": "n"}]}, clock=clock) as server:
        found = {}
        for number, line in enumerate(lines(f"controls {name}")):
            told = run("ctl", "--url", server.url, *shlex.split(line), stdin="nodes: [{name: m}]")
            found[f"{number:02} {line}"[:34]] = told
    recorded(found)


@pytest.mark.parametrize("kind", REFUSED)
def test_servers_are_refused_as_recorded(recorded, run, tmp_path, monkeypatch, kind):
    found, path = {}, tmp_path / "file.yaml"
    for line in lines(f"refused {kind}"):
        if kind == "words":
            found[line] = run("serve", *shlex.split(line))
        elif kind == "variables":
            with monkeypatch.context() as patched:
                name, _, value = line.partition("=")
                patched.setenv(PREFIX + name, value)
                found[line] = run("serve", "--port=0", "--workers=2")
        else:
            path.write_bytes(line.encode().decode("unicode_escape").encode("latin-1"))
            found[line] = run("serve", f"--{kind}={path}")
    recorded(found)


def test_commands_are_executed_as_recorded(recorded, run, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    commands = enumerate(lines("executed"))
    recorded({f"{number} {line}": run("exec", *shlex.split(line)) for number, line in commands})


BROKEN = """
import sys
from types import SimpleNamespace
from fake_server.cli import workers

def serve():
    raise RuntimeError("broken")

store = SimpleNamespace(forget_connections=lambda: None)
server = SimpleNamespace(app=SimpleNamespace(store=store), serve=serve)
sys.exit(workers.serve(server, 1))
"""


def test_a_worker_that_does_not_start_is_told():
    command = [sys.executable, "-c", BROKEN]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "baremetal-fake-server: a worker failed to start: broken\n"
