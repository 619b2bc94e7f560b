"""Heartbeats and inspection reports of the simulated agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import states
from fake_server.baremetal.agents.commands import give_token
from fake_server.baremetal.agents.simulated import URL, VERSION, SimulatedAgent, runs_on
from fake_server.baremetal.conductor import heartbeats, inspection
from fake_server.baremetal.step_flows import FLOWS
from fake_server.baremetal.task.task import Plan

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task

#: Name of the work of :func:`beat`.
WORK = "simulated_agent_heartbeat"


def plan(task: Task) -> Plan | None:
    """Return the next heartbeat of the agent, if one runs on the node."""
    planned = (task.node["due_event"] or {}).get("work") == WORK
    return Plan(WORK, {}) if not planned and runs_on(task) else None


def progress(task: Task) -> tuple[Any, ...]:
    """Return the progress of a node, to compare before and after a heartbeat."""
    node = task.node
    return (
        node["provision_state"],
        task.internal.get("agent_status"),
        *(node[flow.step_field] for flow in FLOWS.values()),
        *(task.internal.get(f"{kind}_step_index") for kind in FLOWS),
    )


def beat(task: Task) -> None:
    """Send a heartbeat, or report what an inspection found."""
    if not runs_on(task):
        return
    give_token(task)
    if task.node["provision_state"] == states.INSPECTWAIT:
        agent = SimulatedAgent(task)
        inspection.request_continuation(task, agent.inventory, {"error": None})
        return
    token = task.internal["agent_secret_token"]
    beat = heartbeats.Heartbeat(URL, VERSION, token)
    if task.driver.deploy.reports_status and task.node["provision_state"] == states.DEPLOYWAIT:
        done = task.internal.get("agent_status") == "start"
        beat = beat._replace(status="end" if done else "start")
    if heartbeats.receive(task, beat):
        heartbeats.resume(task)
