"""The kinds of due work at nodes and allocations, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.conductor.due import (
    agent_heartbeat,
    allocation,
    callback_timeout,
    console_expiry,
    controller_check,
    power_sync,
    take_over,
    transition,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.conductor.due.at_node import AtNode
    from fake_server.common.due_work import Kind

AT_NODES: Mapping[str, AtNode] = {
    kind.name: kind
    for kind in (
        *transition.KINDS,
        agent_heartbeat.KIND,
        callback_timeout.KIND,
        console_expiry.KIND,
        controller_check.KIND,
        power_sync.KIND,
        take_over.KIND,
    )
}
KINDS: Mapping[str, Kind] = {**AT_NODES, allocation.KIND.name: allocation.KIND}
#: What a delay can be set for.
DELAYS = tuple(
    sorted(
        {kind.transition for kind in AT_NODES.values() if kind.transition and kind.jump != "never"}
    )
)
