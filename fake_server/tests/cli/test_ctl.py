"""``baremetal-fake-server ctl``: the controls from the shell."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
import yaml

from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.cli import running

COMMAND = [sys.executable, "-m", "fake_server.cli"]


@pytest.fixture
def server():
    with FakeServer(seed={"nodes": [{"name": "n"}]}) as server:
        yield server


def run(*words, **more):
    return running.run("ctl", *words, **more)


@pytest.fixture
def ctl(server):
    def call(*words, **more):
        done = run(*words, BAREMETAL_FAKE_SERVER_URL=server.url, **more)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return json.loads(done.stdout) if done.stdout else None

    return call


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


def test_reports(server, ctl, tmp_path):
    path = tmp_path / "report.html"
    assert ctl("report", str(path)) is None
    written = run("--url", server.url, "report", "-").stdout
    for text in (path.read_text(), written):
        assert text.startswith("<!DOCTYPE html>")
        assert '"name":"n"' in text
    done = run("--url", server.url, "report", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "Is a directory" in done.stderr


def test_a_token():
    with FakeServer(Settings(control_token="t")) as server:
        assert run("--url", server.url, "--token", "t", "clock", "show").returncode == 0
        done = run("--url", server.url, "clock", "show", BAREMETAL_FAKE_SERVER_TOKEN="t")
        assert done.returncode == 0
        refused = run("--url", server.url, "clock", "show")
        assert refused.returncode == 1
        assert "The controls need the server's token" in refused.stderr


def test_health(server, ctl, tmp_path):
    assert ctl("health")["ready"] is True
    with FakeServer(db=f"sqlite:///{tmp_path}/db") as broken:
        broken.app.store.engine.dispose()
        for file in tmp_path.iterdir():
            file.write_bytes(b"no database" * 1000)
        done = run("--url", broken.url, "health")
    assert (done.returncode, done.stdout) == (1, "")
    assert "The database can't be reached." in done.stderr


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
    assert "No response from http://127.0.0.1:9, which --url names:" in done.stderr
    done = run("clock", BAREMETAL_FAKE_SERVER_URL="http://127.0.0.1:9")
    assert "127.0.0.1:9, which BAREMETAL_FAKE_SERVER_URL names:" in done.stderr
    url = f"{server.url}/v1"
    assert run("--url", url, "clock", "show").stderr == (
        f"baremetal-fake-server: {url}/_fake/clock responded with 404: is it a fake server of the "
        "same version?\n"
    )


def test_the_name_of_no_node_gets_the_nearest(server, ctl):
    ctl("seed", "add", "-", stdin="nodes: [{name: rack1-n1}]")
    for words in (["show", "rack1n1"], ["set", "rack1n1", "extra:={}"]):
        done = run("node", *words, BAREMETAL_FAKE_SERVER_URL=server.url)
        assert done.returncode == 1
        assert done.stderr.endswith("There is no node 'rack1n1'. Did you mean rack1-n1?\n")


def test_an_option_that_is_wrong_is_told_in_two_lines(server):
    done = run("faults", "add", "--times", "x", BAREMETAL_FAKE_SERVER_URL=server.url)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 2


def test_it_loads_no_more_than_it_needs():
    script = (
        "import sys, fake_server.cli as c; c.main(['ctl', 'clock', 'show']); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not {"sqlalchemy", "requests", "jsonschema", "yaml"} & set(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--node", "m"], "Say what goes wrong, by one of --status, --message, --delay,"),
        (["--message", "m"], "--message needs --status."),
        (["--drop", "before", "--truncate", "5"], "--drop and --truncate cannot be used together."),
        (["--status", "200"], "--status has to be from 400 to 599, not 200."),
        (
            ["--last-error", "e", "--flow", "build"],
            "--flow has to be one of clean, deploy",
        ),
        (["--last-error", "e", "--path", "/v1"], "--last-error makes steps fail, which have no"),
        (["--step", "deploy.deploy", "--status", "503"], "--flow and --step need --last-error"),
        (["--node", "m", "--locked", "--strict"], "No node is called 'm' yet"),
    ],
)
def test_faults_that_are_refused(server, words, told):
    done = run("--url", server.url, "faults", "add", *words)
    assert done.returncode == 1
    assert told in done.stderr
    assert not server.faults.rules()


def test_a_fault_that_can_match_nothing(server):
    done = run("--url", server.url, "faults", "add", "--node", "m", "--locked")
    assert json.loads(done.stdout)["match"] == {"node": "m"}
    assert done.stderr == "baremetal-fake-server: warning: No node is called 'm' yet.\n"


def test_examples_of_faults():
    done = run("faults", "add", "--help")
    assert done.stdout.count("ctl faults add --") == 4


def test_faults_that_met_nothing_are_told_at_the_end():
    add = [*COMMAND, "ctl", "faults", "add", "--node", "m", "--locked"]
    done = running.run("exec", "--", *add)
    assert done.returncode == 0
    told = 'No request or step met the fault 1 ({"node": "m"}: {"locked": true}).'
    assert done.stderr.endswith(f"baremetal-fake-server: {told}\n")


def test_the_port_of_serve_finds_no_server(server):
    port = server.url.rpartition(":")[2]
    variables = {"BAREMETAL_FAKE_SERVER_URL": "", "BAREMETAL_FAKE_SERVER_PORT": port}
    assert "http://127.0.0.1:6385" in run("health", **variables).stderr
    done = running.run("exec", "--", "printenv", "BAREMETAL_FAKE_SERVER_URL", **variables)
    assert done.returncode == 0, done.stderr
    assert not done.stdout.strip().endswith(f":{port}")


def test_a_port_in_use_is_told_with_where_it_comes_from(server, tmp_path):
    port = server.url.rpartition(":")[2]
    config = tmp_path / "options.yaml"
    config.write_text(f"port: {port}")
    for words, variables, told in (
        (["--port", port], {}, "; choose another with --port, or 0"),
        (
            [],
            {"BAREMETAL_FAKE_SERVER_PORT": port},
            " (the port is that of BAREMETAL_FAKE_SERVER_PORT)",
        ),
        (["--config", str(config)], {}, f" (the port is that of {config}: port)"),
    ):
        done = running.run("serve", *words, **variables)
        assert done.returncode == 1
        assert done.stderr.endswith(f"Address already in use{told}\n")
