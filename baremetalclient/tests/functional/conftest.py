"""Fixtures of the functional tests: an Ironic, fake or real, and clients for it."""

from __future__ import annotations

import time
from uuid import uuid4

import pytest
import requests

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.microversion import Version
from baremetalclient.tests.functional.cli import Cli
from fake_server.server import FakeServer
from fake_server.settings import Settings

_TRIES = 20


@pytest.fixture(scope="session")
def real_ironic(request):
    """The URL of the real Ironic to test with, None for the fake server."""
    return request.config.getoption("--real-ironic")


@pytest.fixture
def own_server(real_ironic):
    """Skip a test that has a fake server of its own where a real Ironic is under test."""
    if real_ironic is not None:
        pytest.skip("It has a fake server of its own.")


@pytest.fixture(scope="session")
def server_url(request, real_ironic):
    """The URL of the Ironic under test."""
    if real_ironic is not None:
        yield real_ironic
    else:
        with FakeServer(Settings(dialect=request.config.getoption("--dialect"))) as server:
            yield server.url


@pytest.fixture(scope="session")
def newest(server_url):
    """The newest version of the API that the Ironic under test knows."""
    found = requests.get(f"{server_url}/v1", timeout=60).json()["version"]["version"]
    return Version.parse(found)


@pytest.fixture(autouse=True)
def _skip_what_is_newer(request, real_ironic):
    """Skip a test that is marked ``since`` a version that a real Ironic doesn't know."""
    marker = request.node.get_closest_marker("since")
    if marker is not None and real_ironic is not None:
        needed = Version(1, marker.args[0])
        if request.getfixturevalue("newest") < needed:
            pytest.skip(f"This Ironic doesn't know version {needed}.")


@pytest.fixture
def connect(server_url, real_ironic):
    """Make clients for the Ironic under test."""

    def make(**options):
        client = clients.get_client(1, endpoint=server_url, **options)
        if real_ironic is not None:
            _outlast_locks(client)
        return client

    return make


@pytest.fixture
def client(connect):
    """A client that negotiates its version."""
    return connect()


@pytest.fixture
def make_node(client):
    """Enrol nodes that are gone after the test, whatever it did to them."""
    made = []

    def make(**attributes):
        attributes = {"driver": "fake-hardware", "name": f"test-{uuid4().hex[:12]}", **attributes}
        node = client.node.create(**attributes)
        made.append(node.uuid)
        return node

    yield make
    for uuid in made:
        _remove(client, uuid)


@pytest.fixture
def node(make_node):
    """A node in state ``enroll``."""
    return make_node()


@pytest.fixture
def available_node(client, node):
    """A node in state ``available``, powered off."""
    for verb, state in (("manage", "manageable"), ("provide", "available")):
        client.node.set_provision_state(node.uuid, verb)
        client.node.wait_for_provision_state(node.uuid, state, timeout=60, poll_interval=0.1)
    client.node.set_power_state(node.uuid, "off")
    return wait_for_power(client, node.uuid, "power off")


@pytest.fixture
def program():
    """The program that is run; tests that try both override it."""
    return "baremetal"


@pytest.fixture
def cli(program, server_url):
    """The command line: the installed ``baremetal`` or ``openstack baremetal``."""
    return Cli(program, server_url)


@pytest.fixture
def cli_node(cli, client):
    """The name of a node that was enrolled from the command line, gone after the test."""
    name = f"test-{uuid4().hex[:12]}"
    words = ("node", "create", "--driver", "fake-hardware", "--name", name)
    uuid = cli(*words, "-f", "value", "-c", "uuid").out.strip()
    yield name
    _remove(client, uuid)


def wait_for_power(client, uuid, state):
    """Return the node when it has a power state."""
    for _ in range(200):
        node = client.node.get(uuid)
        if node.power_state == state:
            return node
        time.sleep(0.05)
    pytest.fail(f"The node did not reach {state}.")


def _remove(client, uuid):
    try:
        found = client.node.get(uuid)
    except exc.NotFound:
        return
    if found.provision_state in ("active", "deploy failed"):
        client.node.set_provision_state(uuid, "deleted")
        client.node.wait_for_provision_state(uuid, "available", timeout=60, poll_interval=0.1)
    client.node.set_maintenance(uuid, True)
    client.node.delete(uuid)


def _outlast_locks(client):
    """Send again what the SQLite database of a real Ironic was too busy for."""
    request = client.http_client.request

    def patiently(*arguments, **options):
        for _ in range(_TRIES):
            try:
                return request(*arguments, **options)
            except exc.InternalServerError as error:
                if "database is locked" not in error.message:
                    raise
                time.sleep(0.2)
        return request(*arguments, **options)

    client.http_client.request = patiently
