"""What becomes of nodes by what their agents answer, and by what is wrong with their heartbeats.

Recorded from the fake server, so that no change goes unnoticed.
"""

from __future__ import annotations

import re

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact, changes, line
from fake_server.tests.baremetal.played_services import played
from fake_server.tests.baremetal.test_agent import INTERFACES
from fake_server.tests.baremetal.test_agent_failures import (
    STEP,
    FaultInjection,
    Waiting,
    agent,
    at_step,
    steps_offered,
)

__all__ = ["agent"]

FLOWS = ("clean", "deploy", "rescue")
# Commands that begin what each heartbeat may continue.
FIRST = {"rescue": "finalize_rescue"}
OFFERED = {**STEP, "priority": 0}
ANSWERS = {
    "good": (200, steps_offered()),
    "no steps": (200, {"hardware_manager_version": {}}),
    "no version": (200, {f"{flow}_steps": {} for flow in ("clean", "deploy", "service")}),
    "nothing": (200, {}),
    "failed": (200, {"command_status": "FAILED", "command_error": "boom"}),
    "failed with details": (
        200,
        {"command_status": "FAILED", "command_error": {"details": "boom", "type": "T"}},
    ),
    "running": (200, {"command_status": "RUNNING", "command_result": None}),
    "busy": (409, {"faultstring": "agent is busy"}),
    "nearly busy": (500, {"faultstring": "agent was busy"}),
    "refused": (400, {"faultstring": "boom"}),
    "refused in a list": (400, ["boom"]),
    "a list": (200, ["command_status"]),
    "infinite": (200, {"command_status": "SUCCEEDED", "command_result": float("-inf")}),
    **{
        f"steps with {name}": (
            200,
            steps_offered(
                **{f"{flow}_steps": {"M": [step]} for flow in ("clean", "deploy", "service")}
            ),
        )
        for name, step in {
            "no interface": {"step": "wipe", "priority": 0},
            "no priority": STEP,
            "another interface": {**OFFERED, "interface": "x"},
            "a priority": {**OFFERED, "priority": 10},
            "a reboot": {**OFFERED, "reboot_requested": True},
        }.items()
    },
}
STATUSES = ("RUNNING", "SUCCEEDED", "FAILED", "CLEAN_VERSION_MISMATCH", "X")
BEATS = (
    *({"callback_url": value} for value in ("", "x", "http://127.0.0.1:1", "ftp://a", None)),
    *({"agent_token": value} for value in ("", "x", None)),
    *({"agent_version": value} for value in ("", "1", None)),
    *({"agent_verify_ca": value} for value in ("", "no PEM", None)),
    *({"agent_status": value} for value in ("start", "end", "error", "x", "")),
    *({"agent_status": "end", "agent_status_message": value} for value in ("m", "")),
    *({"agent_status": "end", "agent_version": None}, {"agent_status_message": "m"}),
)
KEPT = ("agent_url", "agent_version", "agent_secret_token", "agent_verify_ca", "agent_token")
KEPT += ("clean_steps", "deploy_steps", "service_steps", "hardware_manager_version")
SHOWN = ("provision_state", "power_state", "last_error", "maintenance", "fault")
_OWN = re.compile("127.0.0.1:\\d{4,}|agent_token=[\\w-]+")
# How a connection fails and what a certificate lacks is said by the system.
_WHY = re.compile(r"(?<=\. Error: )\[Errno[^'\"]+|(?<=certificate can't be read: )[^'\"]+")


def looked_at(waiting, agent, said=None):
    """Return what was said, and what became of the node, and what its agent was asked."""
    node = waiting.api.node()
    history = waiting.api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
    told = [one["event"] for one in history if one["event"] != node["last_error"]]
    told = [one for one in told if not one.startswith(("Starting", "Deployment completed"))]
    now = {name: node[name] for name in SHOWN if node[name]}
    kept = [name for name in node["driver_internal_info"] if name in KEPT]
    asked = [str(one) for one in agent.asked]
    agent.asked.clear()
    found = [*line("then", [str(said or ""), *changes({}, now), *asked]), *sorted(set(told))]
    found.append(f"keeps {', '.join(sorted(kept))}")
    return [_WHY.sub("-", _OWN.sub("-", one.replace(waiting.uuid, "UUID"))) for one in found]


@pytest.mark.rows
@pytest.mark.parametrize("flow", FLOWS)
def test_answers_of_agents_do_as_recorded(agent, recorded, flow):
    found = {}
    for name, answer in ANSWERS.items():
        agent.commands = []
        agent.answers = {FIRST.get(flow, f"get_{flow}_steps"): answer}
        agent.asked.clear()
        waiting = Waiting(agent, flow)
        said = waiting.sent()
        found[name] = looked_at(waiting, agent, said)
    recorded(by_fact(found))


@pytest.mark.rows
@pytest.mark.parametrize("flow", FLOWS[:2])
def test_results_of_steps_do_as_recorded(agent, recorded, flow):
    found = {}
    for status in STATUSES:
        for error in ("boom", None, {"details": "boom"}):
            agent.commands, agent.answers = [], {}
            waiting, _ = at_step(agent, flow, status)
            agent.commands[0]["command_error"] = error
            said = looked_at(waiting, agent, waiting.sent())
            said += [f"again: {one}" for one in looked_at(waiting, agent, waiting.sent())]
            found[f"{status} {error}"] = said
    for name, commands in {
        "none": [],
        "another": [{"command_name": "x", "command_status": "RUNNING"}],
        "no list": {"a": 1},
    }.items():
        agent.answers = {}
        waiting, _ = at_step(agent, flow, "RUNNING")
        agent.commands = commands
        found[name] = looked_at(waiting, agent, waiting.sent())
    recorded(by_fact(found))


@pytest.mark.parametrize("flow", FLOWS[:1])
def test_heartbeats_are_taken_as_recorded(agent, recorded, flow):
    waiting = Waiting(agent, flow)
    waiting.api.keep()
    found = {}
    for beat in BEATS:
        said = waiting.sent(**beat)
        found[str(beat)] = looked_at(waiting, agent, said)
        waiting.api.go_back()
    recorded(by_fact(found))


@pytest.mark.parametrize("flow", FLOWS[:2])
def test_agents_that_are_gone_fail_the_flow_as_recorded(recorded, flow):
    with played(FaultInjection, commands=[], answers={}, asked=[], parameters={}) as agent:
        waiting, _ = at_step(agent, flow, "RUNNING")
    said = waiting.sent()
    recorded({"then": looked_at(waiting, agent, said)})


@pytest.mark.parametrize("first", ["one", None])
@pytest.mark.parametrize(
    ("second", "taken"), [("one", True), ("\none ", True), ("two", False), (None, True)]
)
def test_an_agent_keeps_its_certificate(first, second, taken):
    api = Api(agent="external", agent_tls=False, interfaces=INTERFACES)
    uuid = api.enrol(deploy_interface="direct", driver_info={"fast_track": True})
    api.provision("manage")
    found = api("GET", f"/v1/lookup?node_uuid={uuid}")[1]
    body = {"callback_url": "http://127.0.0.1:1", "agent_version": "13.0.0"}
    body["agent_token"] = found["config"]["agent_token"]
    path = f"/v1/heartbeat/{uuid}"
    assert api("POST", path, {**body, "agent_verify_ca": first}) == (202, None)
    api.node()
    refusal = (400, 'Detected change in ramdisk provided "agent_verify_ca"')
    said = api("POST", path, {**body, "agent_verify_ca": second})
    assert said == ((202, None) if taken or first is None else refusal)
