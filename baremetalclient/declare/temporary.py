"""Temporary changes of a node by a plan, and how the next plan finds those left behind.

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
    """Add to the wanted values what an interrupted plan has not restored.

    :param found: a node as it is.
    :param wanted: its values in a file, to which they are added.
    """
    reason = found.get("maintenance_reason")
    if not found.get("maintenance") or reason not in (REASON, POWERED_ON):
        return
    wanted.setdefault(("maintenance",), False)
    if reason == POWERED_ON:
        wanted.setdefault(("power_state",), "power on")
