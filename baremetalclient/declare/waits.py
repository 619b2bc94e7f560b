"""The states that nodes have to reach before a plan continues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._bulk.fetcher import has_failed
from baremetalclient.declare import provision
from baremetalclient.v1.provision_states import find_state

if TYPE_CHECKING:
    from baremetalclient.declare.live import Found

POLLED = (
    *("provision_state", "target_provision_state", "power_state", "target_power_state"),
    *("last_error", "maintenance", "maintenance_reason"),
)
"""The fields of nodes that are polled."""


_PATIENCE = 5
"""The polls after which a node without a target power state won't change its power any more."""


@dataclass
class Wait:
    """A state that a node has to reach.

    :param state: the provision state, or the power state; None for any that stays.
    :param field: which of them it is.
    """

    state: str | None
    field: provision.StateField = "provision_state"
    _polls: int = 0

    def over(self, node: Found) -> bool:
        """Return whether a node has reached it.

        :raises StateTransitionFailed: if it won't.
        """
        if self.field == "power_state":
            moving = bool(node.get("target_power_state"))
            if self.state is None or node["power_state"] == self.state:
                return not moving
            # Ironic answers before it notes the target.
            self._polls += not moving
            if self._polls >= _PATIENCE:
                raise self._failure(node)
            return False
        state = node["provision_state"]
        undeployed = self.state == provision.AVAILABLE and node.get("retired")
        if undeployed and state == provision.MANAGEABLE:
            return True
        if self.state is None or state == self.state:
            return not find_state(state).is_moving
        if has_failed(state) or not find_state(state).is_moving:
            raise self._failure(node)
        return False

    def _failure(self, node: Found) -> exc.StateTransitionFailed:
        reason = node.get("last_error")
        state = node[self.field]
        return exc.StateTransitionFailed(
            f"It is in {state}, and not in {self.state}" + (f": {reason}" if reason else "."),
            state=state,
            reason=reason,
        )
