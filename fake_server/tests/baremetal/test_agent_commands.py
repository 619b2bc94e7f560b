"""What an agent with a server of its own is told, and when."""

from __future__ import annotations

from threading import Event

import pytest
import requests
from oslo_utils import secretutils

from fake_server.baremetal.conductor import rescue
from fake_server.server import FakeServer
from fake_server.settings import ENABLED_INTERFACES, Settings
from fake_server.tests.baremetal.api import LATEST, Api
from fake_server.tests.baremetal.played_services import JsonHandler, played

STEP = {"step": "wipe", "interface": "deploy", "priority": 0}
VERSION = {"Managers": "1.1"}
OPTIONS = {
    "agent": "external",
    "agent_tls": False,
    "interfaces": {**ENABLED_INTERFACES, "boot": ("fake", "ipxe"), "deploy": ("fake", "direct")},
}
CLEANING = {"target": "clean", "clean_steps": [{"step": "wipe", "interface": "deploy"}]}


class Agent(JsonHandler):
    """One that offers a step, and never ends it."""

    def get(self):
        self.answer({"commands": []})

    def post(self):
        self.server.commands.append(self.sent())
        self.server.asked.set()
        result = {"clean_steps": {"Managers": [STEP]}, "hardware_manager_version": VERSION}
        self.answer({"command_status": "SUCCEEDED", "command_result": result})


@pytest.fixture
def agent():
    with played(Agent, commands=[], asked=Event()) as server:
        yield server


def heartbeat(agent, token):
    url = f"http://127.0.0.1:{agent.server_port}"
    return {"callback_url": url, "agent_version": "13.0.0", "agent_token": token}


def clean(api, agent, **fields):
    """Clean a node up to the first heartbeat."""
    uuid = api.enrol(deploy_interface="direct", **fields)
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:aa:00:01"})
    api.provision("manage")
    assert api("PUT", "/v1/nodes/n/states/provision", CLEANING) == (202, None)
    _, found = api("GET", f"/v1/lookup?node_uuid={uuid}")
    token = found["config"]["agent_token"]
    assert api("POST", f"/v1/heartbeat/{uuid}", heartbeat(agent, token)) == (202, None)


def test_commands_come_once_the_heartbeat_is_answered(agent):
    api = Api(**OPTIONS)
    clean(api, agent)
    assert agent.commands == []
    assert api.state() == "clean wait"
    names = [command["name"] for command in agent.commands]
    assert names == ["clean.get_clean_steps", "clean.execute_clean_step"]


@pytest.mark.parametrize(("capabilities", "noted"), [("boot_mode:bios", None), ("", "uefi")])
def test_the_boot_mode_is_noted_where_nobody_asks_for_one(agent, capabilities, noted):
    api = Api(**OPTIONS)
    images = dict.fromkeys(("deploy_kernel", "deploy_ramdisk"), "http://192.0.2.1/x")
    properties = {"capabilities": capabilities}
    clean(api, agent, boot_interface="ipxe", driver_info=images, properties=properties)
    assert api.node()["driver_internal_info"].get("deploy_boot_mode") == noted


def test_the_rescue_password_comes_as_a_shadow_file_has_it(agent):
    interfaces = {**OPTIONS["interfaces"], "rescue": ("fake", "agent")}
    api = Api(**{**OPTIONS, "interfaces": interfaces})
    images = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
    info = dict.fromkeys(images, "http://192.0.2.1/x")
    uuid = api.enrol(rescue_interface="agent", boot_interface="ipxe", driver_info=info)
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:aa:00:01"})
    api.provision("manage", "provide", "active")
    api("PUT", "/v1/nodes/n/maintenance")
    assert api.patch("deploy_interface", "direct")[0] == 200
    api("DELETE", "/v1/nodes/n/maintenance")
    assert api.provision("rescue", rescue_password="secret") == (202, None)
    _, found = api("GET", f"/v1/lookup?node_uuid={uuid}")
    api("POST", f"/v1/heartbeat/{uuid}", heartbeat(agent, found["config"]["agent_token"]))
    assert api.state() == "rescue"
    [command] = agent.commands
    assert command["name"] == "rescue.finalize_rescue"
    hashed = command["params"]["rescue_password"]
    assert hashed.startswith("$5$")
    assert secretutils.crypt_password("secret", hashed) == hashed
    assert rescue.hashed("secret") != hashed


def test_where_passwords_can_t_be_hashed_none_fits(monkeypatch):
    monkeypatch.setattr(secretutils, "_crypt", None)
    assert rescue.hashed("secret") == "*"


def test_commands_come_though_nobody_looks(agent):
    with FakeServer(Settings(**OPTIONS)) as server:

        def api(method, path, body=None):
            version = {"X-OpenStack-Ironic-API-Version": LATEST}
            answer = requests.request(method, server.url + path, json=body, headers=version)
            return answer.json() if answer.content else None

        values = {"driver": "fake-hardware", "deploy_interface": "direct"}
        uuid = api("POST", "/v1/nodes", values)["uuid"]
        api("PUT", f"/v1/nodes/{uuid}/states/provision", {"target": "manage"})
        api("PUT", f"/v1/nodes/{uuid}/states/provision", CLEANING)
        token = api("GET", f"/v1/lookup?node_uuid={uuid}")["config"]["agent_token"]
        api("POST", f"/v1/heartbeat/{uuid}", heartbeat(agent, token))
        assert agent.asked.wait(10)
