"""Booting the agent of a node, and the steps that it carries out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.agents.commands import agent_of

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task


def start_agent(task: Task) -> None:
    """Prepare the node to boot its agent.

    :raises InvalidParameterValue: if the agent couldn't be told where the service is: without a
        catalog Ironic doesn't know its own address.
    """
    task.internal["agent_start_attempted"] = True
    task.save()
    check_callback(task)
    task.driver.boot.prepare_ramdisk(task)


def check_callback(task: Task) -> None:
    """Raise InvalidParameterValue if the server was started without agents."""
    if task.session.settings.agent != "none":
        return
    raise errors.InvalidParameterValue(
        "Couldn't get the URL of the Ironic API service from the configuration file or keystone "
        "catalog. Keystone error: Service type baremetal with endpoint type internal not found in "
        "keystone service catalog."
    )


def in_band_steps(task: Task, flow: str, kind: str | None) -> list[dict[str, Any]]:
    """Return the steps that the agent offers for a kind of interface, or for all."""
    known = task.internal.get(f"agent_cached_{flow}_steps") or {}
    return [
        dict(step)
        for interface, steps in known.items()
        if kind in (None, interface)
        for step in steps
    ]


def execute(task: Task, flow: str, step: dict[str, Any]) -> bool:
    """Have the agent run a step; raise ApiError if it can't be reached or refuses."""
    answer = agent_of(task).execute_step(flow, step)
    if not answer.get("command_status"):
        raise errors.Invalid(
            f"Agent on node {task.node['uuid']} returned bad command result: {answer}"
        )
    return True
