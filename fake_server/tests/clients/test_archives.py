"""What an Ironic answered to a program, compared with a fake one's answers."""

from __future__ import annotations

import json

import pytest
import requests

from fake_server.server import FakeServer
from fake_server.tests.cli.running import run

SEED = {"nodes": [{"name": "n", "uuid": "11111111-1111-4111-8111-111111111111"}]}
HEADERS = {"X-OpenStack-Ironic-API-Version": "1.80"}


@pytest.fixture
def lab(tmp_path):
    path = tmp_path / "lab.json"
    path.write_text(json.dumps(SEED))
    return str(path)


@pytest.fixture
def archive(tmp_path):
    """Return a function that writes the archive of a server, once it is changed."""

    def write(server, change=lambda entries: None):
        found = requests.get(f"{server.url}/_fake/requests?format=har", timeout=9).json()
        change(found["log"]["entries"])
        path = tmp_path / "program.har"
        path.write_text(json.dumps(found))
        return str(path)

    return write


def ask(server, method, path, body=None):
    return requests.request(method, server.url + path, json=body, headers=HEADERS, timeout=9)


def program(server):
    """Create a node, and manage it and another one; wait for both."""
    made = ask(server, "POST", "/baremetal/v1/nodes", {"driver": "fake-hardware", "name": "m"})
    for path in ("/v1/nodes/n", f"/baremetal/v1/nodes/{made.json()['uuid']}"):
        ask(server, "PUT", f"{path}/states/provision", {"target": "manage"})
        while ask(server, "GET", path).json()["provision_state"] != "manageable":
            server.clock.advance(20)
    ask(server, "DELETE", "/v1/nodes/none")
    requests.get(f"{server.url}/identity/v3", timeout=9)


def test_the_fake_answers_as_was_recorded(lab, archive):
    with FakeServer.with_options(clock="manual", delay=60, seed=SEED, strict=False) as server:
        program(server)
        path = archive(server)
    done = run("compare", "--har", path, "--seed", lab)
    assert (done.returncode, done.stdout) == (0, "6 of 6 responses are the same.\n"), done


def test_what_differs_is_told(lab, archive):
    def change(entries):
        entries[-2]["response"]["status"] = 409

    with FakeServer.with_options(clock="manual", delay=60, seed=SEED, strict=False) as server:
        program(server)
        path = archive(server, change)
    done = run("compare", "--har", path, "--seed", lab)
    assert done.returncode == 1
    assert "DELETE /v1/nodes/none (1.80)\n  status: 409, the fake server: 404\n" in done.stdout


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "no HTTP Archive"),
        ("[]", "no HTTP Archive"),
        ('{"log": {"entries": [{"request": {}}]}}', "no HTTP Archive"),
        ('{"log": {"entries": []}}', "no request to an Ironic"),
    ],
)
def test_what_can_not_be_compared(tmp_path, text, why):
    path = tmp_path / "program.har"
    path.write_text(text)
    done = run("compare", "--har", str(path))
    assert (done.returncode, why in done.stderr) == (2, True)
    assert run("compare", "--har", str(tmp_path / "none")).returncode == 2
