"""The commands that agents get, with all that is in them, for each deploy interface and flow.

Recorded from the fake server, so that no change goes unnoticed.
"""

from __future__ import annotations

import re
from itertools import product

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact, facts
from fake_server.tests.baremetal.played_services import JsonHandler, played
from fake_server.tests.baremetal.test_agent_failures import steps_offered
from fake_server.tests.baremetal.test_deploy_interfaces import DEPLOY, HTTP, ISO, REGISTRY
from tools.recording import masked

pytestmark = pytest.mark.rows

MAC = "52:54:00:aa:00:01"
WIPE = {"interface": "deploy", "step": "wipe"}
IMAGES = {
    "direct": {**HTTP, "image_disk_format": "raw", "root_gb": 9, "ephemeral_gb": 1, "swap_mb": 5},
    "anaconda": HTTP,
    "bootc": {**REGISTRY, "image_pull_secret": "s3cret"},
    "ramdisk": ISO,
}
FLOWS = (
    ("clean", {"clean_steps": [WIPE]}),
    ("provide", {}),
    ("active", {"configdrive": {"meta_data": {"a": 1}}}),
    ("service", {"service_steps": [WIPE]}),
    ("rescue", {"rescue_password": "p"}),
    ("unrescue", {}),
    ("rebuild", {"configdrive": "http://192.0.2.1/drive"}),
    ("deleted", {}),
    ("manage", {}),
    ("adopt", {}),
    ("rebuild", {}),
)
RAID_ARGUMENTS = ("create_root_volume", "create_nonroot_volumes")
ROOT = {"size_gb": 60, "raid_level": "1", "is_root_volume": True}
VOLUMES = [ROOT, {"size_gb": 30, "raid_level": "0"}]
_RANDOM = re.compile(r"127\.0\.0\.1:\d+|\$5\$[^\"]+|(?<=configdrive: )[^*h]{100,}")


class Agent(JsonHandler):
    """One that succeeds with everything at once."""

    def get(self):
        self.answer({"commands": self.server.done})

    def post(self):
        sent = self.sent()
        self.server.told.append([self.path.partition("&agent_token")[0], sent])
        name = sent["name"].partition(".")[2]
        raid = {"interface": "raid", "step": "create_configuration", "priority": 0}
        raid["argsinfo"] = {
            name: {"description": "d", "required": False} for name in RAID_ARGUMENTS
        }
        result = steps_offered()
        result["clean_steps"]["Manager"].append(raid)
        if name.startswith("execute_") and name.endswith("_step"):
            kind = name.removeprefix("execute_")
            result = {kind: sent["params"]["step"], f"{kind.removesuffix('_step')}_result": None}
        found = {"command_name": name, "command_status": "SUCCEEDED", "command_result": result}
        self.server.done.append(found)
        self.answer(found)


@pytest.fixture
def agent():
    with played(Agent, told=[], done=[]) as server:
        yield server


class Machine:
    """A node, and the heartbeats of its agent."""

    def __init__(self, agent, interface, **fields):
        kinds = {"deploy": DEPLOY, "rescue": ("fake", "agent")}
        self.api = Api(
            agent="external",
            bootloader="esp",
            agent_tls=False,
            automated_clean=True,
            hardware_types=tuple(TYPES),
            interfaces=kinds,
        )
        self._agent, self._image = agent, IMAGES[interface]
        images = ("deploy_kernel", "deploy_ramdisk", "rescue_kernel", "rescue_ramdisk")
        self._uuid = self.api.enrol(
            driver="redfish",
            boot_interface="redfish-virtual-media",
            deploy_interface=interface,
            rescue_interface="agent",
            driver_info={"redfish_address": "a", "redfish_password": "s3cret"}
            | dict.fromkeys(images, "http://192.0.2.1/x"),
            instance_info=IMAGES[interface],
            **fields,
        )
        self.api("POST", "/v1/ports", {"node_uuid": self._uuid, "address": MAC})
        self.api("PUT", "/v1/nodes/n/traits", {"traits": ["CUSTOM_A"]})
        self.api.provision("manage")

    def run(self, verb, arguments):
        """Ask for a verb and let the agent report; return the answer, the states and commands."""
        del self._agent.told[:], self._agent.done[:]
        if verb == "adopt":
            self.api("PUT", "/v1/nodes/n/states/power", {"target": "power on"})
            self.api.patch("instance_info", self._image)
        answer = self.api.provision(verb, **arguments)
        token, states = None, []
        for _ in range(12):
            node = self.api.node()
            device = self.api("GET", "/v1/nodes/n/management/boot_device")[1]
            names = ("provision_state", "power_state", "last_error")
            states.append(" ".join(str(node[name]) for name in names if node[name]))
            states.append(f"boots {device}")
            if "wait" not in node["provision_state"]:
                break
            found = self.api("GET", f"/v1/lookup?node_uuid={self._uuid}")[1]
            if token is None:
                token = found["config"]["agent_token"]
            url = f"http://127.0.0.1:{self._agent.server_port}"
            body = {"callback_url": url, "agent_version": "13.0.0", "agent_token": token}
            assert self.api("POST", f"/v1/heartbeat/{self._uuid}", body)[0] == 202
        found = [f"{answer[0]} {answer[1] or ''}", *states, *facts(node["instance_info"], "info")]
        for path, sent in self._agent.told:
            name = sent["name"].partition(".")[2]
            found.append(f"{name} {path.partition('?')[2]}".rstrip())
            state = sent["params"].get("node", {}).get("provision_state")
            params = {**sent["params"], "node": state, "ports": None}
            found += facts(params, name)
        return list(dict.fromkeys(masked(_RANDOM.sub("-", fact))[:200] for fact in found))


@pytest.mark.parametrize("interface", IMAGES)
def test_agents_are_told_as_recorded(agent, interface, recorded):
    machine = Machine(agent, interface)
    found = {f"{number} {flow[0]}": machine.run(*flow) for number, flow in enumerate(FLOWS)}
    recorded(by_fact(found))


def test_volumes_are_asked_for_as_recorded(agent, recorded):
    machine = Machine(agent, "direct", raid_interface="agent")
    assert machine.api("PUT", "/v1/nodes/n/states/raid", {"logical_disks": VOLUMES})[0] == 204
    machine.api.app.control.snapshots.take("before")
    found = {}
    for values in product((None, True, False), repeat=2):
        pairs = zip(RAID_ARGUMENTS, values, strict=True)
        args = {name: value for name, value in pairs if value is not None}
        step = {"interface": "raid", "step": "create_configuration", "args": args}
        found[str(args)] = machine.run("clean", {"clean_steps": [step]})
        machine.api.app.control.snapshots.restore("before")
    recorded(by_fact(found))
