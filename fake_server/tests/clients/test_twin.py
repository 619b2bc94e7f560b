"""Fake servers that are like an Ironic."""

from __future__ import annotations

import json
import sys

import pytest
import requests

from fake_server.baremetal.conductor_hosts import ConductorHost
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.cli.running import run, started

SECRET = {"redfish_address": "bmc", "redfish_password": "s3cret"}
SEED = {
    "nodes": [
        {"name": "n", "driver": "redfish", "driver_info": SECRET, "deploy_interface": "direct"},
        {"name": "m", "provision_state": "active", "ports": [{"address": "52:54:00:00:00:01"}]},
    ]
}
SOURCE = Settings(
    hardware_types=("redfish", "fake-hardware"),
    interfaces={"deploy": ("fake", "direct"), "power": ("fake", "redfish")},
    conductors=(ConductorHost("c1"), ConductorHost("c2", "rack")),
    max_minor=90,
)
PROGRAM = """
import json, os, sys, requests
def get(path):
    headers = {"X-OpenStack-Ironic-API-Version": "latest"}
    return requests.get(os.environ["OS_ENDPOINT"] + path, headers=headers)
nodes = get("/v1/nodes/detail").json()["nodes"]
found = {
    "states": {node["name"]: node["provision_state"] for node in nodes},
    "info": get("/v1/nodes/n").json()["driver_info"],
    "drivers": sorted(one["name"] for one in get("/v1/drivers").json()["drivers"]),
    "conductors": [one["hostname"] for one in get("/v1/conductors").json()["conductors"]],
    "version": get("/v1").headers["X-OpenStack-Ironic-API-Maximum-Version"],
    "clouds": [name for name in os.environ if name in ("OS_CLOUD", "OS_TOKEN")],
    "clock": get("/_fake/clock").json()["mode"],
}
requests.delete(os.environ["OS_ENDPOINT"] + "/v1/nodes/n")
json.dump(found, open(sys.argv[1], "w"))
"""


@pytest.fixture(scope="module")
def source():
    with FakeServer(SOURCE, seed=SEED) as server:
        yield server


@pytest.fixture
def twin(tmp_path):
    """Return a function that runs a command against a twin, and returns what it found."""

    def look(*words, **variables):
        path = tmp_path / "found"
        done = run("twin", *words, "--", sys.executable, "-c", PROGRAM, path, **variables)
        assert done.returncode == 0, done.stderr
        return json.loads(path.read_text()), done.stderr

    return look


def test_a_command_runs_against_a_copy(source, twin):
    found, told = twin("--url", source.url, "--clock", "auto", OS_TOKEN="t")
    assert found == {
        "states": {"n": "enroll", "m": "active"},
        "info": {"redfish_address": "bmc", "redfish_password": "******"},
        "drivers": ["fake-hardware", "redfish"],
        "conductors": ["c1", "c2"],
        "version": "1.90",
        "clouds": [],
        "clock": "auto",
    }
    assert told == ""
    assert "n" in source.nodes
    assert {one.method for one in source.requests.find()} == {"GET"}


def test_options_win_over_what_the_ironic_has(source, twin):
    found, _ = twin("--max-microversion=1.80", "--conductors=c3", OS_ENDPOINT=source.url)
    assert (found["version"], found["conductors"]) == ("1.80", ["c3"])


def test_a_twin_of_a_cloud(twin):
    with FakeServer(Settings(auth="keystone"), seed=SEED) as server:
        found, _ = twin("--os-cloud", "fake-system", **server.environ)
    assert found["states"] == {"n": "enroll", "m": "active"}


@pytest.mark.slow("starts another server")
def test_a_twin_is_served(source):
    with started("twin", "--url", source.url, "--port", "0") as process:
        url = process.stdout.readline().strip()
        answer = requests.get(f"{url}/v1/nodes", timeout=9)
        process.terminate()
    assert len(answer.json()["nodes"]) == 2
    assert process.returncode == 0


def test_what_can_not_be():
    assert "--os-cloud" in run("twin", "--", "true").stderr
    assert run("twin", "--url", "http://127.0.0.1:1", "--", "true").returncode == 1
    refused = run("twin", "--sed", "x")
    assert (refused.returncode, "Did you mean" in refused.stderr) == (2, False)
