"""Servers for tests of others: strict, in the environment, by decorators and in unittest."""

from __future__ import annotations

import asyncio
import os
import unittest
from typing import ClassVar

import openstack
import pytest
import requests

from baremetalclient import client
from fake_server.cli import ctl
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.testing import TestCase

SEED = {"nodes": [{"name": "n"}]}
UNKNOWN = [
    "/v1/nods",
    "/v1/nodes/n/states/colour",
    "/compute/v2.1/serverz",
    "/networking/v2.0/nets",
]
KNOWN = [
    ("GET", "/v1/nodes/m"),
    ("PATCH", "/v1/nodes/m"),
    ("DELETE", "/v1/nodes"),
    ("GET", "/v1/runbooks"),
    ("GET", "/v1/nodes/m/states"),
    ("GET", "/networking/v2.0/networks/x"),
    ("GET", "/volume/v3/volumes/x"),
    ("GET", "/placement/resource_providers/x"),
]


def ask(server, method, path):
    return requests.request(method, server.url + path, timeout=5).status_code


def strictly(act, strict=True):
    """Do something with a strict server."""
    with FakeServer(strict=strict) as server:
        act(server)


@pytest.mark.parametrize("path", UNKNOWN)
def test_a_path_of_no_service_is_an_error(path):
    with pytest.raises(AssertionError, match=f"No service has GET {path}"):
        strictly(lambda server: ask(server, "GET", path))
    strictly(lambda server: ask(server, "GET", path), strict=False)


def test_what_is_not_there_is_none():
    with FakeServer(strict=True) as server:
        assert [ask(server, *one) for one in KNOWN].count(404) == 6


def with_fault(server, *, removed=False, asks=None, resets=False):
    added = server.faults.add({"path": "/v1/nodes"}, {"status": 503}, 2)
    if asks:
        ask(server, "GET", asks)
    if removed:
        server.faults.remove(added.id)
    if resets:
        server.reset()


def test_a_fault_that_met_nothing_is_an_error():
    with pytest.raises(AssertionError, match=r'No request or step met the fault 1 .*"status": 503'):
        strictly(lambda server: with_fault(server, removed=True))
    strictly(lambda server: with_fault(server, asks="/v1/nodes"))
    strictly(lambda server: with_fault(server, asks="/v1/nods", resets=True))


def test_an_error_of_the_test_comes_first():
    with pytest.raises(ZeroDivisionError):
        strictly(lambda server: with_fault(server) or 1 / 0)


def test_a_fault_for_a_block():
    with FakeServer(strict=True) as server:
        with server.fault("GET", "/v1/nodes", status=503, times=1) as fault:
            assert fault.met == 0
            assert [ask(server, "GET", "/v1/nodes") for _ in range(2)] == [503, 200]
            assert fault.met == 1
        assert fault.met == 1
        with pytest.raises(ValueError, match="status has to be from 400"):
            server.fault("GET", "/v1/nodes", status=200).__enter__()


def test_what_is_unmet_for_other_languages(capsys):
    with FakeServer() as server:
        assert ctl.main(["ctl", "--url", server.url, "unmet"]) == 0
        ask(server, "GET", "/v1/nods")
        server.faults.add({"path": "/v1/nodes"}, {"status": 503})
        found = requests.get(f"{server.url}/_fake/unmet", timeout=5).json()
        assert found["requests"] == [{"method": "GET", "path": "/v1/nods"}]
        assert [fault["done"] for fault in found["faults"]] == [0]
        capsys.readouterr()
        assert ctl.main(["ctl", "--url", server.url, "unmet"]) == 1
        assert "/v1/nods" in capsys.readouterr().out


@pytest.mark.parametrize("auth", ["none", "keystone"])
def test_the_environment(monkeypatch, auth):
    monkeypatch.setenv("OS_CLOUD", "production")
    monkeypatch.setenv("OS_BAREMETAL_API_VERSION", "1.50")
    with FakeServer(Settings(auth=auth), seed=SEED).in_environment() as server:
        names = {name for name in os.environ if name.startswith("OS_")}
        assert names == set(server.environ)
        cloud = openstack.connect(cloud="fake-system" if auth == "keystone" else "envvars")
        assert [node.name for node in cloud.baremetal.nodes()] == ["n"]
        files = [path for path in server.environ.values() if path.startswith("/")]
        assert all(map(os.path.exists, files))
    assert os.environ["OS_CLOUD"] == "production"
    assert "OS_AUTH_TYPE" not in os.environ
    assert not any(map(os.path.exists, files))


def test_the_environment_is_known_before_the_server_runs():
    server = FakeServer()
    assert server.environ["OS_ENDPOINT"] == server.url
    with server:
        assert ask(server, "GET", "/v1/nodes") == 200


@FakeServer(seed=SEED)
def test_of_a_decorated_function(server, tmp_path):
    assert (server.clock.mode, server.strict) == ("auto", True)
    assert os.environ["OS_ENDPOINT"] == server.url
    assert ask(server, "GET", "/v1/nodes/n") == 404  # names are from 1.5 on
    assert tmp_path.exists()


def test_decorators():
    @FakeServer(seed=SEED, clock="manual")
    async def asked(server):
        await asyncio.sleep(0)
        return server.clock.mode

    @FakeServer()
    def without():
        return os.environ["OS_ENDPOINT"]

    @FakeServer()
    def wrong(server):
        ask(server, "GET", "/v1/nods")

    @FakeServer(strict=False)
    class Tests:
        def test_it(self, server):
            ask(server, "GET", "/v1/nods")
            return server.url

        def other(self):
            return 5

    assert asyncio.run(asked()) == "manual"
    assert without() != without()
    with pytest.raises(AssertionError, match="/v1/nods"):
        wrong()
    assert Tests().test_it().startswith("http://")
    assert Tests().other() == 5


def test_a_decorated_class_of_unittest():
    @FakeServer(seed=SEED)
    class Tests(unittest.TestCase):
        def setUp(self):
            self.cloud = openstack.connect(cloud="envvars")

        def test_it(self, server):
            assert [node.name for node in self.cloud.baremetal.nodes()] == ["n"]
            assert os.environ["OS_ENDPOINT"] == server.url

        def test_a_wrong_path(self):
            ask(server=self._baremetal_server, method="GET", path="/v1/nods")

    @FakeServer(seed=SEED)
    class Asynchronous(unittest.IsolatedAsyncioTestCase):
        async def asyncSetUp(self):
            self.endpoint = os.environ["OS_ENDPOINT"]

        async def test_it(self, server):
            assert self.endpoint == server.url

    result = unittest.TestResult()
    for test in (Tests("test_it"), Asynchronous("test_it")):
        test.run(result)
    assert (result.testsRun, result.errors, result.failures) == (2, [], [])
    Tests("test_a_wrong_path").run(result)
    assert "No service has GET /v1/nods" in (result.failures + result.errors)[0][1]
    assert "OS_ENDPOINT" not in os.environ


def test_in_asynchronous_code():
    async def look():
        async with FakeServer(seed=SEED) as server:
            return await asyncio.to_thread(ask, server, "GET", "/v1/nodes")

    assert asyncio.run(look()) == 200


class TestOfUnittest(TestCase):
    options: ClassVar = {"seed": SEED, "delay": 600}

    def test_the_server_and_its_client(self):
        self.client.node.set_provision_state("n", "manage")
        assert self.client.node.get("n").provision_state == "verifying"
        assert self.client.node.get("n").provision_state == "manageable"
        assert os.environ["OS_ENDPOINT"] == self.server.url


def test_a_test_of_unittest_is_strict():
    class Wrong(TestCase):
        def test_it(self):
            ask(self.server, "GET", "/v1/nods")

    result = unittest.TestResult()
    Wrong("test_it").run(result)
    assert "No service has GET /v1/nods" in (result.failures + result.errors)[0][1]


def test_unknown_options():
    with pytest.raises(TypeError, match=r"no option 'sed'\. Did you mean seed\?"):
        FakeServer.with_options(sed={})


def test_durations_are_those_of_the_clock():
    node = {"name": "n", "provision_state": "manageable"}
    with (
        FakeServer(Settings(delay=600), clock="manual", seed={"nodes": [node]}) as server,
        client.use_clock(server.clock.pause, server.clock.seconds),
    ):
        ironic = client.get_client(1, endpoint=server.url)
        (result,) = ironic.node.act_on("n", "inspect", wait=True)
    assert (result.result, 600 <= result.seconds < 620) == ("done", True)
