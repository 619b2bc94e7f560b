"""What the services of one server share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Store, Transaction
    from fake_server.settings import Settings


class FaultInjection(Protocol):
    """Delays and failures that tests have set for nodes."""

    def delay(self, tx: Transaction, node: Record, transition: str) -> float:
        """Return how many seconds a transition of a node takes."""

    def delay_of(self, name: str) -> float:
        """Return how many seconds something else takes, such as making a volume."""

    def outcome(
        self, tx: Transaction, node: Record, transition: str, states: AbstractSet[str]
    ) -> str | None:
        """Return the state in which a transition of a node is to end, if that is decided.

        :param states: those in which it can end.
        """

    def failure(self, tx: Transaction, node: Record, flow: str, step: str) -> str | None:
        """Return what a step of a node fails with, if it is to fail; count that."""


@dataclass(frozen=True, slots=True)
class Lab:
    """What the services of one server share.

    :param store: the database, with the tables of all services.
    :param fault_injection: what tests have decided about nodes.
    """

    store: Store
    clock: Clock
    settings: Settings
    fault_injection: FaultInjection
