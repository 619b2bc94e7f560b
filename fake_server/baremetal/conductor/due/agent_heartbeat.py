"""The heartbeat of a simulated agent."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, periodic, states
from fake_server.baremetal.agents.commands import give_token
from fake_server.baremetal.agents.simulated import URL, VERSION, SimulatedAgent, runs_on
from fake_server.baremetal.conductor import heartbeats, inspection, work
from fake_server.baremetal.conductor.due.at_node import AtNode
from fake_server.baremetal.step_flows import FLOWS, is_polled

if TYPE_CHECKING:
    from fake_server.baremetal.conductor.task import Task


def send(task: Task) -> None:
    """Send a heartbeat, or report what an inspection found."""
    if not runs_on(task) or is_polled(task.node):
        return
    give_token(task)
    if task.node["provision_state"] == states.INSPECTWAIT:
        agent = SimulatedAgent(task)
        inspection.request_continuation(task, agent.inventory, {"error": None})
        return
    before = _progress(task)
    token = task.internal["agent_secret_token"]
    beat = heartbeats.Heartbeat(URL, VERSION, token)
    if task.driver.deploy.reports_status and task.node["provision_state"] == states.DEPLOYWAIT:
        done = task.internal.get("agent_status") == "start"
        beat = beat._replace(status="end" if done else "start")
    is_awaited = False
    with suppress(errors.ApiError):  # the agent is told, and tries again
        is_awaited = heartbeats.receive(task, beat)
    if is_awaited:
        heartbeats.resume(task)
    if task.plan is None and _progress(task) == before:
        task.look_again(periodic.AGENT_HEARTBEAT)


def _progress(task: Task) -> tuple[Any, ...]:
    """Return what a heartbeat changes that has a node go on."""
    return (
        task.node["provision_state"],
        task.internal.get("agent_status"),
        *(task.node[flow.step_field] for flow in FLOWS.values()),
        *(task.internal.get(f"{kind}_step_index") for kind in FLOWS),
    )


KIND = AtNode(periodic.AGENT_HEARTBEAT, partial(work.look, send), "heartbeat")
