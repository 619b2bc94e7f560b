"""What becomes of a node whose agent fails, answers nonsense, or reports while in maintenance."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.played_services import JsonHandler, played
from fake_server.tests.baremetal.test_agent import IMAGES, INTERFACES

STEP = {"interface": "deploy", "step": "wipe"}
OFFERED = {**STEP, "priority": 0}
FIELDS = {
    "boot_interface": "ipxe",
    "rescue_interface": "agent",
    "driver_info": dict.fromkeys(IMAGES, "http://192.0.2.1/x"),
    "instance_info": {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32},
}


class FaultInjection(JsonHandler):
    """An agent that answers what a test wrote down."""

    def get(self):
        self.answer({"commands": self.server.commands})

    def post(self):
        sent = self.sent()
        self.server.asked.append(sent["name"])
        self.server.parameters[sent["name"]] = sent["params"]
        name = sent["name"].partition(".")[2]
        status, result = self.server.answers.get(name, (200, steps_offered()))
        if status == 200 and "command_status" not in result:
            result = {"command_status": "SUCCEEDED", "command_result": result}
        self.answer(result, status)


def steps_offered(**changes):
    """Return an answer about steps that is in order, but for some changes."""
    kinds = {f"{flow}_steps": {"Manager": [OFFERED]} for flow in ("clean", "deploy", "service")}
    return {**kinds, "hardware_manager_version": {"Manager": "1"}, **changes}


@pytest.fixture
def agent():
    with played(FaultInjection, commands=[], answers={}, asked=[], parameters={}) as server:
        yield server


class Waiting:
    """A node that waits for its agent.

    :param flow: ``clean``, ``automated clean``, ``service``, ``deploy`` or ``rescue``.
    :param deploy_steps: steps that are asked for with a deployment.
    :param fields: fields of the node, beside the usual ones.
    """

    def __init__(self, agent, flow, deploy_steps=None, **fields):
        interfaces = {**INTERFACES, "management": ("fake", "noop")}
        self.api = Api(agent="external", agent_tls=False, interfaces=interfaces)
        self._url = f"http://127.0.0.1:{agent.server_port}"
        self.uuid = self.api.enrol(**{**FIELDS, **fields})
        self.api("POST", "/v1/ports", {"node_uuid": self.uuid, "address": "52:54:00:aa:00:01"})
        self.api.provision("manage")
        if flow in ("service", "rescue"):
            self.api.provision("provide", "active")
        self.api("PUT", "/v1/nodes/n/maintenance")
        assert self.api.patch("deploy_interface", "direct")[0] == 200
        self.api("DELETE", "/v1/nodes/n/maintenance")
        arguments = {
            "clean": {"target": "clean", "clean_steps": [STEP]},
            "service": {"target": "service", "service_steps": [STEP]},
            "automated clean": {"target": "provide"},
            "deploy": {"target": "active", "deploy_steps": deploy_steps},
            "rescue": {"target": "rescue", "rescue_password": "p"},
        }
        if flow == "deploy":
            self.api.provision("provide")
        asked = self.api("PUT", "/v1/nodes/n/states/provision", arguments[flow])
        assert asked == (202, None), asked
        _, found = self.api("GET", f"/v1/lookup?node_uuid={self.uuid}")
        self._token = found["config"]["agent_token"]

    def beat(self, **fields):
        """Send a heartbeat, and return the node's state and error."""
        assert self.sent(**fields) == (202, None)
        return self.look()

    def sent(self, **fields):
        """Send a heartbeat, and return the answer to it."""
        body = {"callback_url": self._url, "agent_version": "13.0.0", "agent_token": self._token}
        return self.api("POST", f"/v1/heartbeat/{self.uuid}", {**body, **fields})

    def look(self):
        """Return the node's state and error, the latter without the node's UUID."""
        node = self.api.node()
        return node["provision_state"], (node["last_error"] or "").replace(self.uuid, "UUID")


FIRST = {
    "clean": ("clean failed", "Node failed to start the first cleaning step: "),
    "service": ("service failed", "Node failed to start the first service step: "),
    "deploy": ("deploy failed", "Failed to load in-band deploy steps: "),
}


def at_step(agent, flow, status):
    """Return a node whose agent lists the step that it was given with a status."""
    waiting = Waiting(agent, flow)
    waiting.beat()
    step = waiting.api.node()[f"{flow}_step"]
    result = {f"{flow}_step": step}
    fields = {"command_status": status, "command_result": result, "command_error": "boom"}
    agent.commands = [{"command_name": f"execute_{flow}_step", **fields}]
    agent.asked.clear()
    return waiting, step


@pytest.mark.parametrize("status", ["CLEAN_VERSION_MISMATCH", "VERSION_MISMATCH"])
def test_an_agent_with_other_steps_is_given_the_step_again(agent, status):
    waiting, step = at_step(agent, "clean", status)
    assert waiting.beat() == ("clean wait", "")
    assert agent.asked == ["clean.get_clean_steps", "clean.execute_clean_step"]
    assert waiting.api.node()["clean_step"] == step


def test_automated_cleaning_starts_over_with_the_other_steps_of_an_agent(agent):
    def offer(step):
        steps = {"Manager": [{"interface": "deploy", "step": step, "priority": 10}]}
        agent.answers = {"get_clean_steps": (200, steps_offered(clean_steps=steps))}

    offer("wipe")
    waiting = Waiting(agent, "automated clean", automated_clean=True)
    waiting.beat()
    assert waiting.api.node()["clean_step"]["step"] == "wipe"
    mismatch = {"command_name": "execute_clean_step", "command_status": "VERSION_MISMATCH"}
    agent.commands = [mismatch]
    offer("scrub")
    assert waiting.beat() == ("clean wait", "")
    assert waiting.api.node()["clean_step"]["step"] == "scrub"


def test_a_heartbeat_that_is_refused_is_sent_again_until_time_is_over():
    """Ironic refuses each heartbeat of a node whose ``fast_track`` it can't read."""
    api = Api(agent="simulated", agent_tls=False, interfaces=INTERFACES)
    fields = {**FIELDS, "deploy_interface": "direct"}
    fields["driver_info"] = {**FIELDS["driver_info"], "fast_track": {}}
    uuid = api("POST", "/v1/nodes", {"driver": "fake-hardware", "name": "n", **fields})[1]["uuid"]
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})
    api.provision("manage", "adopt")
    assert api.node()["provision_state"] == "active"
    steps = [{"interface": "deploy", "step": "erase_devices"}]
    assert api.provision("service", service_steps=steps)[0] == 202
    assert api.node()["provision_state"] == "service wait"
    api.clock.advance(1700)
    assert api.node()["provision_state"] == "service wait"
    api.clock.advance(200)
    found = api.node()
    assert (found["provision_state"], found["last_error"][:7]) == ("service failed", "Timeout")
