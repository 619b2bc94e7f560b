"""``baremetal-fake-server`` over HTTPS, as a process and as clients are led to it."""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from fake_server.tests.cli.running import run, started
from tools.rows import some

COMMAND = [sys.executable, "-m", "fake_server.cli"]
#: Without the variables that would have clients trust other CAs.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.endswith(("_CACERT", "_CA_BUNDLE"))}


def environment_of(capfd, *options):
    """Return the environment of a command beside a server, and what it sees of the server."""
    script = (
        "import base64, json, os, ssl, urllib.request\n"
        "context = ssl.create_default_context(cafile=os.environ['OS_CACERT'])\n"
        "def get(path):\n"
        "    url = os.environ['BAREMETAL_FAKE_SERVER_URL'] + path\n"
        "    basic = base64.b64encode(b'admin:secret').decode()\n"
        "    request = urllib.request.Request(url, headers={'Authorization': 'Basic ' + basic})\n"
        "    return urllib.request.urlopen(request, context=context).read().decode()\n"
        "clouds = os.environ.get('OS_CLIENT_CONFIG_FILE')\n"
        "print(json.dumps({'env': dict(os.environ), 'root': json.loads(get('/v1')),\n"
        "    'clouds': json.load(open(clouds))['clouds'] if clouds else None}))\n"
    )
    done = run("exec", *options, "--", sys.executable, "-c", script)
    printed, told = capfd.readouterr()
    assert done.returncode == 0, done.stderr + told
    return json.loads(printed)


@pytest.mark.parametrize("auth", ["none", "http_basic", "keystone"])
def test_exec_leads_to_it_with_a_ca_to_trust(auth, capfd):
    found = environment_of(capfd, "--tls", "auto", "--auth", auth)
    url, ca = found["env"]["BAREMETAL_FAKE_SERVER_URL"], found["env"]["OS_CACERT"]
    assert url.startswith("https://127.0.0.1:")
    assert found["root"]["links"][0]["href"] == f"{url}/v1/"
    if auth != "none":
        assert {cloud["cacert"] for cloud in found["clouds"].values()} == {ca}
    assert not Path(ca).exists()


@pytest.mark.slow("starts several programs")
def test_commands_of_the_server_itself():
    program = f"{sys.executable} -m fake_server.cli"
    script = (
        f'{program} ctl clock show && {program} capture "$OS_ENDPOINT" && unset OS_CACERT && '
        f'{program} capture --insecure "$OS_ENDPOINT" && ! {program} capture "$OS_ENDPOINT"'
    )
    command = [*COMMAND, "exec", "--tls", "auto", "--", "sh", "-c", script]
    # Requests prefers this variable to what a session was told.
    environment = {**ENVIRONMENT, "REQUESTS_CA_BUNDLE": "/nowhere"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert '"mode": "real"' in done.stdout


@pytest.mark.parametrize("workers", some(["1", "2", "3"]))
def test_in_the_foreground(workers, tmp_path):
    options = ["--port", "0", "--tls", "auto", "--workers", workers]
    options += ["--db", f"sqlite:///{tmp_path}/db"]
    with started(*options, stderr=subprocess.PIPE) as process:
        url = process.stdout.readline().strip()
        ca = Path(process.stderr.readline().split()[-1])
        context = ssl.create_default_context(cafile=ca)
        for _ in range(10):
            with urllib.request.urlopen(f"{url}/v1", context=context) as answer:
                assert answer.status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    assert not ca.parent.exists()


@pytest.mark.baremetal_server(tls="auto", auth="http_basic", seed={"nodes": [{"name": "n"}]})
def test_the_client_of_the_fixtures(baremetal_client, monkeypatch):
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)
    assert [node.name for node in baremetal_client.node.list()] == ["n"]
