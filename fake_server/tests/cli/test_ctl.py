"""``baremetal-fake-server ctl``: the controls from the shell."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
import requests
import yaml

from fake_server.server import FakeServer
from fake_server.settings import Settings

COMMAND = [sys.executable, "-m", "fake_server.cli"]


@pytest.fixture
def server():
    with FakeServer(seed={"nodes": [{"name": "n"}]}) as server:
        yield server


def run(*words, stdin=None, **variables):
    environment = {**os.environ, **variables}
    return subprocess.run(
        [*COMMAND, "ctl", *words],
        input=stdin, capture_output=True, text=True, check=False, env=environment, timeout=20,
    )  # fmt: skip


@pytest.fixture
def ctl(server):
    def call(*words, **more):
        done = run(*words, BAREMETAL_FAKE_SERVER_URL=server.url, **more)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return json.loads(done.stdout) if done.stdout else None

    return call


def test_the_clock(server, ctl):
    assert ctl("clock", "show")["mode"] == "real"
    assert ctl("clock", "scaled", "60", "--now", "1700000000")["factor"] == 60
    assert ctl("clock", "manual", "--now", "5")["now"] == 5
    assert ctl("clock", "advance", "60.5")["now"] == 65.5
    assert server.clock.seconds() == 65.5
    assert ctl("clock", "real")["mode"] == "real"


def test_delays(server, ctl):
    ctl("delays", "set", "deploying=600", "default=1")
    ctl("delays", "set", "--node", "n", "cleaning=5")
    shown = ctl("delays", "show")
    assert (shown["default"], shown["transitions"]) == (1, {"deploying": 600})
    assert shown["nodes"] == {"n": {"cleaning": 5}}
    ctl("delays", "clear")
    assert server.delays.show()["transitions"] == {}


def test_faults(server, ctl):
    words = ["--method", "GET", "--path", "/v1/nodes", "--node", "n", "--header", "Accept=*/*"]
    words += ["--nth", "2", "--status", "503", "--message", "Gone.", "--answer-header", "A=b"]
    rule = ctl("faults", "add", *words, "--times", "1", "--seconds", "60")
    headers = {"Accept": "*/*"}
    assert rule["match"] == {
        "method": "GET", "path": "/v1/nodes", "node": "n", "nth": 2, "headers": headers
    }  # fmt: skip
    assert rule["do"] == {"status": 503, "message": "Gone.", "headers": {"A": "b"}}
    assert rule["times"] == 1
    step = ctl("faults", "add", "--flow", "deploy", "--step", "*", "--last-error", "No.")
    assert step["do"] == {"last_error": "No."}
    assert ctl("faults", "add", "--locked")["do"] == {"locked": True}
    ctl("faults", "remove", str(rule["id"]))
    assert len(ctl("faults", "list")["faults"]) == 2
    ctl("faults", "remove")
    assert server.faults.rules() == []


def test_conductors(server, ctl):
    assert [item["hostname"] for item in ctl("conductors", "list")["conductors"]] == ["localhost"]
    assert ctl("conductors", "down", "localhost")["alive"] is False
    assert not server.conductors.get("localhost")["alive"]
    assert ctl("conductors", "up", "localhost")["alive"] is True
    assert server.conductors.get("localhost")["alive"]


def test_requests_snapshots_and_reset(server, ctl):
    requests.get(f"{server.url}/v1/nodes/nowhere", timeout=5)
    (entry,) = ctl("requests", "list", "--status", "4xx", "--limit", "5")["requests"]
    assert entry["path"] == "/v1/nodes/nowhere"
    assert ctl("requests", "list", "--format", "har")["log"]["entries"]
    ctl("requests", "clear")
    assert ctl("requests", "list") == {"requests": []}
    ident = ctl("snapshots", "take")["id"]
    server.seed({"nodes": [{"name": "m"}]})
    ctl("snapshots", "restore", ident)
    assert len(server.export_seed()["nodes"]) == 1
    ctl("snapshots", "remove", ident)
    assert ctl("snapshots", "take", "lab") == {"id": "lab"}
    ctl("snapshots", "restore", "lab")
    ctl("snapshots", "remove", "lab")
    assert ctl("snapshots", "list") == {"snapshots": []}
    server.seed({"nodes": [{"name": "m"}]})
    ctl("reset")
    assert len(server.export_seed()["nodes"]) == 1


def test_seeds(server, ctl, tmp_path):
    path = tmp_path / "lab.yaml"
    path.write_text("nodes: [{name: 'm{index}', count: 3}]")
    assert ctl("seed", "add", str(path))["nodes"] == 3
    assert ctl("seed", "add", "-", stdin="nodes: [{name: k}]")["nodes"] == 1
    done = run("seed", "show", "--help")
    assert done.returncode == 0
    for words in (["seed", "show"], ["seed"]):
        shown = run("--url", server.url, *words).stdout
        assert yaml.safe_load(shown) == server.export_seed()


def test_a_token():
    with FakeServer(Settings(control_token="t")) as server:
        assert run("--url", server.url, "--token", "t", "clock", "show").returncode == 0
        done = run("--url", server.url, "clock", "show", BAREMETAL_FAKE_SERVER_TOKEN="t")
        assert done.returncode == 0
        refused = run("--url", server.url, "clock", "show")
        assert refused.returncode == 1
        assert "The controls need the server's token" in refused.stderr


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["faults", "add"], "do needs at least one of"),
        (["faults", "remove", "99"], "Unknown fault"),
        (["snapshots", "restore", "99"], "Unknown snapshot"),
        (["delays", "set", "dreaming=1"], "Unknown name dreaming"),
        (["seed", "add", "/nowhere/lab.yaml"], "No such file"),
        (["seed", "add", "-"], "nodes[0].name"),
        (["requests", "list", "--status", "odd"], "status has to be a number"),
    ],
)
def test_what_can_not_be(server, words, text):
    done = run("--url", server.url, *words, stdin="nodes: [{name: 5}]")
    assert (done.returncode, done.stdout) == (1, "")
    assert text in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("clock", "mode"),
        ("delays", "names"),
        ("faults", "faults"),
        ("requests", "requests"),
        ("snapshots", "snapshots"),
    ],
)
def test_without_an_action_what_there_is_is_shown(ctl, name, key):
    assert key in ctl(name)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], "COMMAND"),
        (["clock", "x"], "invalid choice: 'x'"),
        (["delays", "set", "x"], "'x' is not of the form NAME=DURATION"),
        (["delays", "set", "x=y"], "'y' is not a duration such as 90, 90s, 500ms, 10m or 1.5h"),
        (["clock", "advance", "-5"], "'-5' is not a duration"),
        (["clock", "advance", "nan"], "'nan' is not a duration"),
        (["bogus"], "invalid choice: 'bogus'"),
        (["clok"], "Did you mean clock?"),
        (["clock", "advence"], "Did you mean advance?"),
        (["faults", "add", "--mesage", "x"], "unrecognized arguments: --mesage x"),
        (["faults", "add", "--mesage", "x"], "Did you mean --message?"),
    ],
)
def test_usage(words, text):
    done = run(*words)
    assert done.returncode == 2
    assert "usage: baremetal-fake-server ctl" in done.stderr
    assert text in done.stderr


def test_health(server, ctl, tmp_path):
    assert ctl("health")["ready"] is True
    port = server.url.rpartition(":")[2]
    done = run("health", BAREMETAL_FAKE_SERVER_URL="", BAREMETAL_FAKE_SERVER_PORT=port)
    assert done.returncode == 0, done.stderr
    with FakeServer(db=f"sqlite:///{tmp_path}/db") as broken:
        broken.app.store.engine.dispose()
        for file in tmp_path.iterdir():
            file.write_bytes(b"no database" * 1000)
        done = run("--url", broken.url, "health")
    assert (done.returncode, done.stdout) == (1, "")
    assert "The database can't be reached." in done.stderr


def test_durations(server, ctl):
    before = ctl("clock", "manual")["now"]
    now = ctl("clock", "advance", "1.5h")["now"]
    assert now == pytest.approx(before + 5400, abs=0.01)
    delays = ctl("delays", "set", "deploying=10m", "default=500ms")
    assert (delays["transitions"]["deploying"], delays["default"]) == (600, 0.5)
    fault = ctl("faults", "add", "--delay", "2s", "--seconds", "1m")
    assert fault["do"]["delay"] == 2
    assert fault["until"] == pytest.approx(now + 60, abs=0.01)


def test_a_reader_that_has_gone_is_no_error(server):
    theirs, ours = os.pipe()
    os.close(theirs)
    command = [*COMMAND, "ctl", "--url", server.url, "clock"]
    done = subprocess.run(command, stdout=ours, stderr=subprocess.PIPE, check=False)
    os.close(ours)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_where_no_server_is(server):
    done = run("--url", "http://127.0.0.1:9", "clock", "show")
    assert done.returncode == 1
    assert "No response from http://127.0.0.1:9" in done.stderr
    url = f"{server.url}/v1"
    assert run("--url", url, "clock", "show").stderr == (
        f"baremetal-fake-server: {url}/_fake/clock responded with 404: is it a fake server of the "
        "same version?\n"
    )


def test_exec_leads_there():
    words = [*COMMAND, "exec", "--control-token", "t", "--"]
    done = subprocess.run(
        [*words, *COMMAND, "ctl", "clock", "manual", "--now", "7"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["now"] == 7


def test_it_loads_no_more_than_it_needs():
    script = (
        "import sys, fake_server.cli as c; c.main(['ctl', 'clock', 'show']); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not {"sqlalchemy", "requests", "jsonschema", "yaml"} & set(done.stdout.split())
