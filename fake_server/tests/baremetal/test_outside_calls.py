"""Who is called by the server can ask it something meanwhile."""

from __future__ import annotations

import socket
from contextlib import closing
from types import SimpleNamespace

import pytest
import requests

from fake_server.baremetal import tables
from fake_server.baremetal.agents import http_agent
from fake_server.common import due_work
from fake_server.server import FakeServer
from fake_server.settings import ENABLED_INTERFACES, Settings
from fake_server.tests import databases
from fake_server.tests.baremetal.api import LATEST
from fake_server.tests.baremetal.played_services import JsonHandler, played

VERSION = {"X-OpenStack-Ironic-API-Version": LATEST}
OPTIONS = Settings(
    agent="external",
    agent_tls=False,
    interfaces={
        **ENABLED_INTERFACES,
        "deploy": ("fake", "direct"),
        "inspect": ("fake", "agent"),
        "boot": ("fake", "ipxe"),
    },
)
STEP = {"step": "wipe", "interface": "deploy", "priority": 0}
RESULT = {"clean_steps": {"M": [STEP]}, "hardware_manager_version": {"M": "1"}}
INVENTORY = {
    "interfaces": [{"name": "eth0", "mac_address": "52:54:00:00:00:01"}],
    "cpu": {"architecture": "x86_64"},
}


class Curious(JsonHandler):
    """An agent, or a web service, that asks for all nodes before it answers."""

    def get(self):
        self.answer({"commands": []})

    def post(self):
        self.sent()
        self.answer({"command_status": "SUCCEEDED", "command_result": RESULT})

    def answer(self, body, status=200):
        try:
            found = requests.get(f"{self.server.fake}/v1/nodes", headers=VERSION, timeout=5)
            self.server.seen.append((self.path.partition("?")[0], found.status_code))
        except requests.RequestException as exc:
            self.server.seen.append((self.path, repr(exc)))
        super().answer(body, status)


@pytest.fixture
def fake():
    with FakeServer(OPTIONS, db=databases.new()) as server:
        yield server


@pytest.fixture
def called(fake):
    with played(Curious, fake=fake.url, seen=[]) as server:
        server.url = f"http://127.0.0.1:{server.server_port}"
        yield server


@pytest.fixture
def api(fake):
    def call(method, path, body=None):
        answer = requests.request(method, fake.url + path, json=body, headers=VERSION, timeout=30)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    return call


def enrol(api, **fields):
    images = dict.fromkeys(("deploy_kernel", "deploy_ramdisk"), "http://192.0.2.1/x")
    values = {"driver": "fake-hardware", "name": "n", "driver_info": images, **fields}
    uuid = api("POST", "/v1/nodes", values)["uuid"]
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})
    api("PUT", "/v1/nodes/n/states/provision", {"target": "manage"})
    return uuid


def heartbeat(api, uuid, called):
    """Start cleaning a node, and let its agent report; return the agent's token."""
    steps = [{"step": "wipe", "interface": "deploy"}]
    api("PUT", "/v1/nodes/n/states/provision", {"target": "clean", "clean_steps": steps})
    token = api("GET", f"/v1/lookup?node_uuid={uuid}")["config"]["agent_token"]
    beat = {"callback_url": called.url, "agent_version": "13.0.0", "agent_token": token}
    api("POST", f"/v1/heartbeat/{uuid}", beat)
    return token


def look_until(api, condition):
    """Return the node once it is as it has to be, which takes as long as a few calls."""
    for _ in range(2000):
        if condition(node := api("GET", "/v1/nodes/n")):
            break
    return node


def test_an_agent_may_ask_while_it_is_commanded(api, called):
    heartbeat(api, enrol(api, deploy_interface="direct"), called)
    called_twice = [("/v1/commands/", 200)] * 2
    node = look_until(api, lambda node: called.seen == called_twice and node["reservation"] is None)
    assert called.seen == called_twice
    assert (node["provision_state"], node["clean_step"]["step"]) == ("clean wait", "wipe")
    assert node["reservation"] is None


def test_a_heartbeat_is_stored_before_its_agent_is_called(api, fake):
    uuid = enrol(api, deploy_interface="direct")
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        token = heartbeat(api, uuid, SimpleNamespace(url=url))
        silent.settimeout(10)
        call, _ = silent.accept()  # which isn't answered
        with closing(call):
            known = api("GET", "/v1/nodes/n")["driver_internal_info"]
            assert (known["agent_url"], known["agent_version"]) == (url, "13.0.0")
            assert known["agent_last_heartbeat"]
            beat = {"callback_url": f"{url}9", "agent_version": "13.0.0", "agent_token": token}
            path = f"{fake.url}/v1/heartbeat/{uuid}"
            answer = requests.post(path, json=beat, headers=VERSION, timeout=5)
            assert (answer.status_code, "callback_url" in answer.text) == (400, True)
            beat["callback_url"] = url
            assert api("POST", f"/v1/heartbeat/{uuid}", beat) is None


def test_a_webhook_may_ask_while_it_is_called(api, called):
    action = {"op": "api-call", "args": {"url": f"{called.url}/hook"}}
    api("POST", "/v1/inspection_rules", {"conditions": [], "actions": [action, action]})
    enrol(api, inspect_interface="agent", boot_interface="ipxe")
    api("PUT", "/v1/nodes/n/states/provision", {"target": "inspect"})
    api("POST", "/v1/continue_inspection", {"inventory": INVENTORY})
    node = look_until(api, lambda node: node["provision_state"] != "inspecting")
    assert (node["provision_state"], node["last_error"]) == ("manageable", None)
    assert called.seen == [("/hook", 200)] * 2


def test_a_call_that_crashes_fails_the_step_and_is_logged(api, called, caplog, monkeypatch):
    def crash(*_arguments, **_options):
        raise RuntimeError("boom")

    monkeypatch.setattr(http_agent, "build_opener", crash)
    heartbeat(api, enrol(api, deploy_interface="direct"), called)
    node = look_until(api, lambda node: node["provision_state"] == "clean failed")
    assert "boom" in node["last_error"]
    assert "A call of heartbeat crashed" in caplog.messages


def test_a_call_whose_maker_died_is_made_by_who_looks_next(fake, api, called):
    uuid = enrol(api, deploy_interface="direct")
    with fake.app.store.transaction() as tx:
        values = {
            "provision_state": "clean wait",
            "target_provision_state": "manageable",
            "clean_step": {},
            "driver_internal_info": {"clean_steps": [STEP], "agent_url": called.url},
        }
        tx.update(tables.nodes, [tables.nodes.c.uuid == uuid], values)
        work = due_work.row("heartbeat", due_work.thing("nodes", uuid), 0.0)
        tx.insert(due_work.due_work, {**work, "calling_until": 1.0})
    # On a database server, what others write is noticed within a moment.
    look_until(api, lambda _: called.seen)
    assert called.seen[0] == ("/v1/commands/", 200)
