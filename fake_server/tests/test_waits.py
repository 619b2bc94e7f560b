"""Mode ``auto``: time stands still until a client waits."""

from __future__ import annotations

import pytest
import requests

from fake_server.clock import Clock
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests import databases

LATEST = {"X-OpenStack-Ironic-API-Version": "latest"}
AVAILABLE = {"name": "n", "provision_state": "available", "power_state": "power off"}
#: What Ironic's documentation asks for in flavors.
METAL = {
    "resources:CUSTOM_METAL": "1",
    **{f"resources:{name}": "0" for name in ("VCPU", "MEMORY_MB", "DISK_GB")},
}
STOPPED = "X-Fake-Clock"


class Lab:
    """A server in mode ``auto``, and a client that looks and waits."""

    def __init__(self, server):
        self.server = server
        self.session = requests.Session()
        self.session.mount("http://127.0.0.1", server.adapter())
        self.session.headers.update(LATEST)
        self.start = server.clock.seconds()

    def __call__(self, method, path, body=None):
        return self.session.request(method, f"http://127.0.0.1{path}", json=body)

    def get(self, path="/v1/nodes/n"):
        return self("GET", path).json()

    def provision(self, target):
        answer = self("PUT", "/v1/nodes/n/states/provision", {"target": target})
        assert answer.status_code == 202, answer.text

    def polls(self, path, reached, most=20):
        """Ask until something is reached; return how often."""
        for count in range(1, most + 1):
            if reached(self.get(path)):
                return count
        raise AssertionError(f"not reached: {self.get(path)}")

    def passed(self):
        return round(self.server.clock.seconds() - self.start, 3)


@pytest.fixture(params=["chosen", "file"])
def make(request, tmp_path):
    """Return a function that makes a lab with one available node, on ``--db`` or a file."""
    servers = []

    def made(delay=600, seed=None, **options):
        url = databases.new() if request.param == "chosen" else f"sqlite:///{tmp_path / 'db'}"
        server = FakeServer(
            Settings(delay=delay, **options),
            clock="auto",
            seed=seed or {"nodes": [AVAILABLE]},
            db=url,
        )
        servers.append(server)
        return Lab(server)

    yield made
    for server in servers:
        server.stop()


def test_who_polls_gets_on_and_who_looks_sees_the_state_in_between(make):
    lab = make()
    lab.provision("active")
    assert lab.get()["provision_state"] == "deploying"
    assert lab.get("/v1/nodes/n/states")["provision_state"] == "deploying"
    assert lab.passed() == 0
    assert lab.get()["provision_state"] == "active"
    assert lab.passed() == 600


def test_each_step_is_seen_by_who_polls(make):
    steps = [{"interface": "vendor", "step": "log_passthrough"}] * 3
    lab = make()
    lab.provision("manage")
    lab("PUT", "/v1/nodes/n/states/provision", {"target": "clean", "clean_steps": steps})
    found = []
    lab.polls(
        "/v1/nodes/n", lambda node: found.append(node) or node["provision_state"] == "manageable"
    )
    seen = [node["driver_internal_info"].get("clean_step_index") for node in found]
    assert seen == [0, 1, 2, None]


def test_a_change_in_between_is_no_wait(make):
    lab = make()
    lab.provision("active")
    for value in range(3):
        assert lab.get()["provision_state"] == "deploying"
        lab("PATCH", "/v1/nodes/n", [{"op": "add", "path": "/extra/a", "value": value}])
        lab.get("/_fake/clock")
    lab("POST", "/_fake/faults", {"match": {"path": "/nothing"}, "do": {"status": 500}})
    lab.get()
    lab("HEAD", "/v1/nodes/n")
    assert lab.passed() == 0


def test_it_stands_where_only_time_limits_are_left(make):
    images = {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32}
    waiting = {"deploy_interface": "direct", "boot_interface": "ipxe", "instance_info": images}
    info = {name: f"http://192.0.2.1/{name}" for name in ("deploy_kernel", "deploy_ramdisk")}
    lab = make(
        delay=0,
        seed={
            "nodes": [
                {
                    **AVAILABLE,
                    **waiting,
                    "driver_info": info,
                    "ports": [{"address": "52:54:00:00:00:01"}],
                }
            ]
        },
        agent="external",
        interfaces={"deploy": ("direct",), "boot": ("ipxe",)},
    )
    lab.provision("active")
    for _ in range(3):
        answer = lab("GET", "/v1/nodes/n")
    assert answer.json()["provision_state"] == "wait call-back"
    assert answer.headers[STOPPED] == "stopped"
    assert lab.passed() == 0


def test_a_fault_ends_for_who_tries_again(make):
    lab = make()
    lab.server.faults.add({"path": "/v1/nodes/n"}, {"status": 503}, seconds=30)
    assert [lab("GET", "/v1/nodes/n").status_code for _ in range(3)] == [503, 200, 200]
    assert lab.passed() == 30


def test_a_fault_ends_for_who_tries_to_change_again(make):
    """Ironic's clients send a change again while the node is locked."""
    lab = make()
    lab.server.faults.add({"node": "n"}, {"locked": True}, seconds=30)
    patch = [{"op": "add", "path": "/extra/a", "value": 1}]
    asked = [lab("PATCH", "/v1/nodes/n", patch).status_code for _ in range(2)]
    assert (asked, lab.passed()) == ([409, 200], 30)


def test_a_change_that_was_stored_is_no_wait(make):
    """Its answer got lost: whoever sends it again waits for nothing."""
    lab = make()
    lab.server.faults.add({"method": "PATCH"}, {"drop": "after"}, seconds=30)
    for value in (1, 1, 1):
        with pytest.raises(requests.ConnectionError):
            lab("PATCH", "/v1/nodes/n", [{"op": "add", "path": "/extra/a", "value": value}])
    assert lab.passed() == 0


def test_it_stands_where_a_fault_lasts(make):
    lab = make()
    lab.server.faults.add({"path": "/v1/nodes/n"}, {"status": 503})
    assert [lab("GET", "/v1/nodes/n").headers.get(STOPPED) for _ in range(2)] == [None, "stopped"]
    assert lab.passed() == 0


def test_the_delay_of_a_fault_takes_no_real_time(make):
    lab = make()
    lab.server.faults.add({"path": "/v1/nodes/n"}, {"delay": 3600})
    lab.get()
    assert lab.passed() == 3600


def test_servers_and_volumes_of_a_cloud(make):
    seed = {
        "nodes": [{**AVAILABLE, "resource_class": "metal", "properties": {"cpu_arch": "x86_64"}}],
        "flavors": [{"name": "metal", "ram": 1, "vcpus": 1, "disk": 1, "extra_specs": METAL}],
        "images": [{"name": "image"}],
    }
    lab = make(seed=seed)
    volume = lab("POST", "/volume/v3/volumes", {"volume": {"size": 1}}).json()["volume"]["id"]
    ready = f"/volume/v3/volumes/{volume}"
    assert lab.polls(ready, lambda found: found["volume"]["status"] == "available") == 2
    flavor = lab.get("/compute/v2.1/flavors")["flavors"][0]["id"]
    image = lab.get("/image/v2/images")["images"][0]["id"]
    body = {"name": "s", "flavorRef": flavor, "imageRef": image, "networks": "none"}
    lab.session.headers["OpenStack-API-Version"] = "compute 2.79"
    server = lab("POST", "/compute/v2.1/servers", {"server": body}).json()["server"]["id"]
    path = f"/compute/v2.1/servers/{server}"
    assert lab.polls(path, lambda found: found["server"]["status"] == "ACTIVE") <= 6


def test_an_allocation_is_made(make):
    lab = make(delay=0, seed={"nodes": [{**AVAILABLE, "resource_class": "metal"}]})
    created = lab("POST", "/v1/allocations", {"resource_class": "metal", "name": "a"}).json()
    assert created["state"] == "allocating"
    assert lab.polls("/v1/allocations/a", lambda found: found["state"] == "active") <= 2


def test_answers_of_a_manual_clock_say_that_it_stands(make):
    lab = make()
    lab.server.clock.switch("manual")
    assert lab("GET", "/v1/nodes/n").headers[STOPPED] == "stopped"
    assert STOPPED not in lab("GET", "/_fake/clock").headers
    with lab.server.fault("GET", "/v1/nodes", status=503):
        assert lab("GET", "/v1/nodes").headers[STOPPED] == "stopped"
    lab.server.clock.switch("real")
    assert STOPPED not in lab("GET", "/v1/nodes/n").headers


def test_the_mode_can_be_set_over_http(make):
    lab = make()
    assert lab("PUT", "/_fake/clock", {"mode": "auto", "now": 1000}).json()["now"] == 1000
    assert lab.server.clock.mode == "auto"


def test_a_clock_is_not_set_back():
    clock = Clock("auto", start=1000)
    clock.advance_to(900)
    assert clock.seconds() == 1000
    clock.advance_to(1100)
    assert clock.seconds() == 1100
