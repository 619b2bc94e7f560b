"""Steps that end later, once the machine has been rebooted or its controller is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import states
from fake_server.baremetal.drivers.agent_steps import start_agent
from fake_server.baremetal.step_flows import FLOWS
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task


def needs_ramdisk(task: Task, flow: str) -> bool:
    """Return whether the flow of a node runs with a ramdisk."""
    key = FLOWS[flow].without_ramdisk
    return key is None or not task.internal.get(key)


def wait(task: Task, flow: str, *, reboots: bool, polls: bool, skips: bool | None = None) -> None:
    """Note how the running step is to end.

    :param flow: ``clean``, ``deploy`` or ``service``.
    :param reboots: whether the machine is rebooted for it.
    :param polls: whether the controller is asked when it is done, and not the agent.
    :param skips: whether the next step follows then; if not, this one runs again. ``None`` leaves
        it as it was.
    """
    rebooting, skipping, polling = FLOWS[flow].marks
    task.internal[rebooting] = reboots
    if reboots and not task.internal.get("agent_secret_token_pregenerated"):
        task.forget("agent_secret_token")
    if skips is not None:
        task.internal[skipping] = skips
    task.internal[polling] = polls
    task.save()


def reboot(task: Task, flow: str) -> None:
    """Reboot the machine, into the agent where the flow has one; raise ApiError if that fails."""
    if needs_ramdisk(task, flow):
        start_agent(task)
    power.act(task, states.REBOOT)
