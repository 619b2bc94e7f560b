"""When volume resources of a node may be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import states
from ..errors import InvalidStateRequested

if TYPE_CHECKING:
    from ...store import Record
    from ..session import Session


def check_off(node: Record, action: str) -> None:
    """Refuse an action unless a node is powered off.

    :raises InvalidStateRequested: naming the power state.
    """
    if node["power_state"] != states.POWER_OFF:
        raise InvalidStateRequested(action=action, node=node["uuid"], state=node["power_state"])


def check_removable(session: Session, node: Record, action: str) -> None:
    """Refuse a removal unless a node is powered off or idle.

    :raises InvalidStateRequested: naming the power state.
    """
    only_off = session.dialect.removes_only_when_off
    if only_off or node["provision_state"] not in states.DELETABLE:
        check_off(node, action)
