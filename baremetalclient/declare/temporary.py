"""What a plan does to a node only for a moment, and how the next one sees that it was broken off.

Ironic lets some things be changed only in maintenance or while a node is powered off. The reason of
the maintenance says so, and whether the power was on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient.declare.compare import Path

REASON = "baremetal apply is changing this node"
POWERED_ON = f"{REASON}; it was powered on"


def leftovers(found: Mapping[str, Any], wanted: dict[Path, Any]) -> None:
    """Want what a plan that was broken off has not put back.

    :param found: a node as it is.
    :param wanted: what a file owns of it, which is completed.
    """
    reason = found.get("maintenance_reason")
    if not found.get("maintenance") or reason not in (REASON, POWERED_ON):
        return
    wanted.setdefault(("maintenance",), False)
    if reason == POWERED_ON:
        wanted.setdefault(("power_state",), "power on")
