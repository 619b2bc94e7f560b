"""The agents that run on nodes: their tokens, and commands to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from fake_server.baremetal.agents.simulated import SIMULATED, SimulatedAgent
from fake_server.common import randomness

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task


class Agent(Protocol):
    """The commands of an agent."""

    def commands(self) -> list[dict[str, Any]]:
        """Return the commands that it was given, with their results."""
        ...

    def get_steps(self, flow: str) -> dict[str, Any]:
        """Ask for the steps that it offers; return the command with its result.

        :param flow: ``clean``, ``deploy`` or ``service``.
        """
        ...

    def execute_step(self, flow: str, step: dict[str, Any]) -> dict[str, Any]:
        """Have it run a step; return the command."""
        ...

    def call(self, method: str, params: dict[str, Any], *, wait: bool = False) -> dict[str, Any]:
        """Give it a command.

        :param wait: whether to wait until it is done.
        :returns: the command with its ``command_status`` and ``command_result``.
        """
        ...


def agent_of(task: Task) -> Agent:
    """Return the agent that runs on a task's node."""
    if task.session.settings.agent == SIMULATED:
        return SimulatedAgent(task)
    # Most servers have no agents to call.
    from fake_server.baremetal.agents.http_agent import HttpAgent

    return HttpAgent(task)


def give_token(task: Task) -> bool:
    """Make a token for a node's agent, if it has none; raise NodeLocked if the node is locked."""
    if task.internal.get("agent_secret_token") is not None:
        return False
    task.lock()
    task.internal["agent_secret_token"] = randomness.token(32)
    task.forget("agent_secret_token_pregenerated")
    task.save()
    return True
