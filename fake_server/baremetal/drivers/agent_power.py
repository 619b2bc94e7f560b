"""The power interface of machines without a controller: their agent reboots them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers.base import PowerInterface
from fake_server.baremetal.models.node_properties import fast_track

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task

#: Ironic's default of ``[deploy]fast_track_timeout``.
_AGENT_LASTS = timedelta(seconds=300)


class AgentPower(PowerInterface, names={"agent": "agent_power.AgentPower"}):
    """Power through the agent: only what it can do, a reboot."""

    can_be_synced = False

    def validate(self, task: Task) -> None:
        """Raise InvalidParameterValue unless an agent is there to be asked."""
        if not fast_track(task.node):
            raise errors.InvalidParameterValue(
                "Fast track mode must be enabled to use the agent power interface"
            )
        if not _has_agent(task):
            raise errors.InvalidParameterValue(
                f"Agent seems offline for node {task.node['uuid']}, the agent power interface "
                "cannot be used"
            )


def _has_agent(task: Task) -> bool:
    """Return whether an agent was heard of a short time ago, and not powered off since."""
    node, now = task.node, task.session.clock.now()
    moments = []
    if node["power_state"] == states.POWER_ON and node["inspection_finished_at"]:
        moments.append(node["inspection_finished_at"])
    under_inspection = node["provision_state"] in (states.INSPECTING, states.INSPECTWAIT)
    heartbeat = task.internal.get("agent_last_heartbeat")
    if heartbeat and (under_inspection or task.internal.get("agent_url")):
        moments.append(datetime.fromisoformat(heartbeat))
    return any(now <= moment + _AGENT_LASTS for moment in moments)
