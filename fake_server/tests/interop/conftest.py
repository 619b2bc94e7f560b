"""A cloud, and an Ironic that works with its Neutron and Cinder: the fake one, or a real one."""

from __future__ import annotations

import json
import os
import subprocess
import time
from uuid import uuid4

import pytest
import requests

from baremetalclient.tests import commands
from fake_server.server import FakeServer
from fake_server.settings import ENABLED_INTERFACES, Settings

VERSION = {"X-OpenStack-Ironic-API-Version": "1.115"}
_BUSY = "database is locked"


@pytest.fixture(scope="session")
def cloud(request):
    """The address of the fake cloud."""
    url = request.config.getoption("--cloud")
    if url is not None:
        yield url.rstrip("/")
        return
    interfaces = {
        **ENABLED_INTERFACES,
        "deploy": ("fake", "direct"),
        "network": ("noop", "flat", "neutron"),
    }
    with FakeServer(Settings(interfaces=interfaces)) as server:
        yield server.url


class Service:
    """One API of the cloud, or the Ironic under test."""

    def __init__(self, url, headers=None):
        self.url = url
        self.headers = headers or {}

    def __call__(self, method, path, body=None):
        """Send a request that has to succeed; return the decoded body."""
        for _ in range(20):
            answer = requests.request(
                method, self.url + path, json=body, headers=self.headers, timeout=30
            )
            if answer.status_code != 500 or _BUSY not in answer.text:
                break
            time.sleep(0.3)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None


@pytest.fixture(scope="session")
def ironic(request, cloud):
    """The Bare Metal API of the Ironic that uses the cloud."""
    url = request.config.getoption("--cloud-ironic") or cloud
    return Service(f"{url.rstrip('/')}/v1", VERSION)


@pytest.fixture(scope="session")
def neutron(cloud):
    return Service(f"{cloud}/networking/v2.0")


@pytest.fixture(scope="session")
def cinder(cloud):
    return Service(f"{cloud}/volume/v3", {"OpenStack-API-Version": "volume 3.71"})


@pytest.fixture
def networks(neutron):
    """Networks for provisioning, cleaning and a tenant, by their purpose."""
    made = {}
    for purpose in ("provisioning", "cleaning", "tenant"):
        values = {"name": f"{purpose}-{uuid4().hex[:8]}"}
        made[purpose] = neutron("POST", "/networks", {"network": values})["network"]["id"]
    return made


@pytest.fixture
def make_node(ironic, networks):
    """Make nodes that are available, powered off, and gone after the test."""
    made = []

    def make(**values):
        node = ironic(
            "POST",
            "/nodes",
            {
                "driver": "fake-hardware",
                "deploy_interface": "direct",
                "driver_info": {
                    "provisioning_network": networks["provisioning"],
                    "cleaning_network": networks["cleaning"],
                },
                **values,
            },
        )["uuid"]
        made.append(node)
        for verb, state in (("manage", "manageable"), ("provide", "available")):
            provision(ironic, node, verb, state)
        power(ironic, node, "power off")
        return node

    yield make
    for node in made:
        ironic("PUT", f"/nodes/{node}/maintenance", {})
        ironic("DELETE", f"/nodes/{node}")


def provision(ironic, node, verb, state):
    """Ask for a provision state, and wait for it."""
    ironic("PUT", f"/nodes/{node}/states/provision", {"target": verb})
    return wait(ironic, node, "provision_state", state)


def power(ironic, node, state):
    """Ask for a power state, and wait for it."""
    ironic("PUT", f"/nodes/{node}/states/power", {"target": state})
    return wait(ironic, node, "power_state", state)


def wait(ironic, node, field, state):
    for _ in range(300):
        found = ironic("GET", f"/nodes/{node}")
        if found[field] == state and found["reservation"] is None:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{field} is {found[field]!r}, not {state!r}: {found['last_error']}")


def with_variables(variables):
    """Return the environment of a command that is led to a cloud by these variables alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
    return {**kept, **variables}


def openstack(variables, *words):
    """Run a command; return its exit status, what it prints, and its errors."""
    done = subprocess.run(
        [commands.directory() / "openstack", *words],
        env=with_variables(variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    decoded = done.stdout and done.returncode == 0 and "json" in words
    return done.returncode, json.loads(done.stdout) if decoded else done.stdout, done.stderr
