"""The delays and failures that tests have set, for the Bare Metal service."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.control.delays import Delays
    from fake_server.control.faults import Faults
    from fake_server.db.store import Record, Transaction


class NodeScript:
    """A :class:`~fake_server.baremetal.session.Script` that follows delays and faults."""

    def __init__(self, delays: Delays, faults: Faults) -> None:
        self._delays = delays
        self._faults = faults

    def delay(self, node: Record, transition: str) -> float:
        """Return how many seconds a transition of a node takes."""
        return self._delays.of(node, transition)

    def failure(self, tx: Transaction, node: Record, flow: str, step: str) -> str | None:
        """Return what a step of a node fails with, if it is to fail; count that."""
        return self._faults.of_step(tx, node, flow, step)
