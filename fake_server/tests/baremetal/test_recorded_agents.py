"""What becomes of nodes by what their agents answer, and by what is wrong with their heartbeats.

Recorded from the fake server, so that no change goes unnoticed. A deliberate change is written
down with ``--record -n 0``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.played_services import played
from fake_server.tests.baremetal.test_agent import INTERFACES
from fake_server.tests.baremetal.test_agent_failures import (
    STEP,
    Script,
    Waiting,
    agent,
    at_step,
    steps_offered,
)

__all__ = ["agent"]

RECORD = Path(__file__).with_name("agents.json.gz")
FLOWS = ("clean", "service", "deploy", "rescue", "automated clean")
# Commands that begin what each heartbeat may continue.
FIRST = {"rescue": "finalize_rescue", "automated clean": "get_clean_steps"}
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
    "busy by its text": (500, {"faultstring": "The Agent is Busy now"}),
    "nearly busy": (500, {"faultstring": "agent was busy"}),
    "refused": (400, {"faultstring": "boom"}),
    "refused without a reason": (400, {}),
    "refused in a list": (400, ["boom"]),
    "a list": (200, ["command_status"]),
    "a number": (200, {"command_status": "SUCCEEDED", "command_result": float("nan")}),
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
STATUSES = ("RUNNING", "SUCCEEDED", "FAILED", "CLEAN_VERSION_MISMATCH", "VERSION_MISMATCH", "X")
BEATS = (
    *({"callback_url": value} for value in ("", "x", "http://127.0.0.1:1", "ftp://a", None)),
    *({"agent_token": value} for value in ("", "x", None)),
    *({"agent_version": value} for value in ("", "1", None)),
    *({"agent_verify_ca": value} for value in ("", "no PEM", None)),
    *({"agent_status": value} for value in ("start", "end", "error", "x", "")),
    *({"agent_status": "end", "agent_status_message": value} for value in ("m", "")),
    *({"agent_status": "end", "agent_version": None}, {"agent_status_message": "m"}),
)
SHOWN = ("provision_state", "power_state", "last_error", "maintenance", "fault")
_OWN = re.compile(f"{recorded.UUID}|{recorded.TIME}|127.0.0.1:\\d{{4,}}|agent_token=[\\w-]+")


def looked_at(waiting, agent):
    """Return the node, what was told of it, and what its agent was asked since the last time."""
    node = waiting.api.node()
    history = waiting.api("GET", "/v1/nodes/n/history?detail=true")[1]["history"]
    told = sorted(f"{one['severity']} {one['event_type']} {one['event']}" for one in history)
    found = [[node[name] for name in SHOWN], sorted(node["driver_internal_info"]), told]
    found.append(list(agent.asked))
    agent.asked.clear()
    text = repr(found).replace(waiting.uuid, "UUID")
    # How a connection fails and what a certificate lacks is said by the system.
    said = r"(?<=\. Error: )\[Errno[^'\"]+|(?<=certificate can't be read: )[^'\"]+"
    return re.sub(said, "<why>", _OWN.sub("-", text))


@pytest.mark.parametrize("flow", FLOWS)
def test_answers_of_agents_do_as_recorded(agent, request, flow):
    found = {}
    for name, answer in ANSWERS.items():
        agent.commands = []
        agent.answers = {FIRST.get(flow, f"get_{flow}_steps"): answer}
        agent.asked.clear()
        waiting = Waiting(agent, flow, automated_clean=flow.startswith("automated"))
        said = waiting.sent()
        found[name] = [said, looked_at(waiting, agent)]
    recorded.check(request, RECORD, flow, found)


@pytest.mark.parametrize("flow", FLOWS[:3])
def test_results_of_steps_do_as_recorded(agent, request, flow):
    found = {}
    for status in STATUSES:
        for error in ("boom", None, {"details": "boom"}):
            agent.commands, agent.answers = [], {}
            waiting, _ = at_step(agent, flow, status)
            agent.commands[0]["command_error"] = error
            said = [waiting.sent(), looked_at(waiting, agent)]
            said += [waiting.sent(), looked_at(waiting, agent)]
            found[f"{status} {error}"] = said
    for name, commands in {
        "none": [],
        "another": [{"command_name": "x", "command_status": "RUNNING"}],
        "no list": {"a": 1},
    }.items():
        agent.answers = {}
        waiting, _ = at_step(agent, flow, "RUNNING")
        agent.commands = commands
        found[name] = [waiting.sent(), looked_at(waiting, agent)]
    recorded.check(request, RECORD, f"results, {flow}", found)


@pytest.mark.parametrize("flow", FLOWS)
def test_heartbeats_are_taken_as_recorded(agent, request, flow):
    waiting = Waiting(agent, flow, automated_clean=flow.startswith("automated"))
    waiting.api.keep()
    found = {}
    for beat in BEATS:
        said = waiting.sent(**beat)
        text = json.dumps(said).replace(waiting.uuid, "UUID")
        found[str(beat)] = [text, looked_at(waiting, agent)]
        waiting.api.go_back()
    recorded.check(request, RECORD, f"heartbeats, {flow}", found)


@pytest.mark.parametrize("maintained", [False, True])
@pytest.mark.parametrize("flow", FLOWS)
def test_agents_that_are_late_are_given_up_as_recorded(agent, request, flow, maintained):
    waiting = Waiting(agent, flow, automated_clean=flow.startswith("automated"))
    if maintained:
        waiting.api("PUT", "/v1/nodes/n/maintenance")
    found = {}
    for seconds in (1799, 1, 1, 60, 60):
        waiting.api.clock.advance(seconds)
        found[str(len(found))] = looked_at(waiting, agent)
    if maintained:
        waiting.api("DELETE", "/v1/nodes/n/maintenance")
        waiting.api.clock.advance(60)
        found["out of maintenance"] = looked_at(waiting, agent)
    recorded.check(request, RECORD, f"late, {flow}, {maintained}", found)


@pytest.mark.parametrize("flow", FLOWS[:3])
def test_agents_that_are_gone_fail_the_flow_as_recorded(request, flow):
    with played(Script, commands=[], answers={}, asked=[], parameters={}) as agent:
        waiting, _ = at_step(agent, flow, "RUNNING")
    said = waiting.sent()
    recorded.check(request, RECORD, f"gone, {flow}", {"": [said, looked_at(waiting, agent)]})


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
