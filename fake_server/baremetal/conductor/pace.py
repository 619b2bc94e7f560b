"""How long the transitions of nodes take."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from . import console, heartbeats, simulation, waiting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .task import Task

#: The transition that a piece of work is: the state of the node meanwhile, where it has one.
TRANSITIONS: Mapping[str, str] = MappingProxyType(
    {
        "node_power_action": "power",
        "node_change_boot_mode": "boot mode",
        "node_change_secure_boot": "secure boot",
        "_set_console_mode": "console",
        "do_attach_virtual_media": "virtual media",
        "do_detach_virtual_media": "virtual media",
        "do_node_verify": "verifying",
        "inspect_hardware": "inspecting",
        "continue_inspection": "inspecting",
        "_do_adoption": "adopting",
        "_do_node_rescue": "rescuing",
        "_do_node_unrescue": "unrescuing",
        "_do_node_rescue_abort": "aborting",
        "do_node_deploy": "deploying",
        "do_node_deploy_abort": "aborting",
        "_do_node_tear_down": "deleting",
        "do_node_clean": "cleaning",
        "do_node_clean_abort": "aborting",
        "do_node_service": "servicing",
        "do_node_service_abort": "aborting",
        "continue_node_service": "servicing",
        simulation.WORK: "heartbeat",
        waiting.WORK: "callback timeout",
        console.WORK: "console timeout",
        heartbeats.WORK: "heartbeat",
    }
)


def delay(task: Task, work: str) -> float:
    """Return how many seconds a piece of work takes."""
    session = task.session
    if session.script is None:
        return session.settings.delay
    return session.script.delay(task.node, TRANSITIONS[work])
