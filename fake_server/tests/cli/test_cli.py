"""``baremetal-fake-server`` as a process and in that of the test."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request

import pytest

from fake_server.server import FakeServer
from fake_server.tests.cli.running import run, started


def get(url, version="latest", data=None):
    headers = {
        "X-OpenStack-Ironic-API-Version": version,
        "Content-Type": "application/json",
    }
    request = urllib.request.Request(url, data, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_the_first_line_is_the_address_and_a_signal_ends_it():
    with started("--port", "0", "--max-microversion", "1.50") as process:
        url = process.stdout.readline().strip()
        assert get(f"{url}/v1")["version"]["version"] == "1.50"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.slow("starts the server many times")
def test_a_signal_right_after_the_address_ends_it_quietly(workers, tmp_path):
    options = ["--port", "0", "--workers", workers, "--db", f"sqlite:///{tmp_path}/db"]
    for _ in range(3):
        with started(*options, stderr=subprocess.PIPE) as process:
            url = process.stdout.readline().strip()
            process.send_signal(signal.SIGTERM)
            _, complaint = process.communicate(timeout=20)
        assert process.returncode == 0
        assert complaint in ("", f"baremetal-fake-server: page: {url}/_fake/\n")


def test_exec_with_accounts_leads_there_and_nowhere_else(capfd):
    script = (
        "import json, os\n"
        "clouds = json.load(open(os.environ['OS_CLIENT_CONFIG_FILE']))['clouds']\n"
        "names = [name for name in os.environ if name.startswith('OS_')]\n"
        "print(json.dumps({'clouds': list(clouds), 'env': {n: os.environ[n] for n in names}}))\n"
    )
    options = ["--auth", "keystone", "--account", "system-reader"]
    command = ["exec", *options, "--", sys.executable, "-c", script]
    done = run(*command, OS_CLOUD="production", OS_PROJECT_NAME="production")
    assert done.returncode == 0, done.stderr
    told = json.loads(capfd.readouterr().out)
    assert told["clouds"][:2] == ["fake", "fake-system-member"]
    assert len(told["clouds"]) == 10
    assert told["env"]["OS_USERNAME"] == "system-reader"
    assert told["env"]["OS_SYSTEM_SCOPE"] == "all"
    assert not {"OS_CLOUD", "OS_PROJECT_NAME"} & told["env"].keys()


def test_a_taken_port_is_reported():
    with FakeServer() as server:
        port = server.url.rpartition(":")[2]
        done = run("--port", port)
    assert done.returncode == 1
    assert port in done.stderr
    assert "Traceback" not in done.stderr
