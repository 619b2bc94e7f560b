"""When volume resources of a node may be changed."""

from __future__ import annotations

from ...store import Record
from ..errors import InvalidStateRequested
from ..session import Session

#: Provision states in which a node isn't in anyone's service.
_IDLE_STATES = ("manageable", "enroll", "adopt failed")


def check_off(node: Record, action: str) -> None:
    """Refuse an action unless a node is powered off.

    :raises InvalidStateRequested: naming the power state.
    """
    if node["power_state"] != "power off":
        raise InvalidStateRequested(action=action, node=node["uuid"], state=node["power_state"])


def check_removable(session: Session, node: Record, action: str) -> None:
    """Refuse a removal unless a node is powered off or idle.

    :raises InvalidStateRequested: naming the power state.
    """
    if node["provision_state"] not in _IDLE_STATES:
        check_off(node, action)
