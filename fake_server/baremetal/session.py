"""The session of a request: its transaction, the clock and the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.baremetal.dialects import Dialect
    from fake_server.baremetal.drivers.registry import Driver
    from fake_server.clock import Clock
    from fake_server.db.store import Record, Store, Transaction
    from fake_server.settings import Settings


class Script(Protocol):
    """Delays and failures that tests have set for nodes."""

    def delay(self, node: Record, transition: str) -> float:
        """Return how many seconds a transition of a node takes."""

    def failure(self, tx: Transaction, node: Record, flow: str, step: str) -> str | None:
        """Return what a step of a node fails with, if it is to fail; count that."""


@dataclass(frozen=True, slots=True)
class Conductor:
    """The operations that models and tasks leave to the layers above them.

    :param load_driver: returns the hardware interfaces of a node.
    :param apply_due_event: does the work of a node whose time has come, and returns the node as it
        is then. It may plan further work.
    :param allocate: looks for the node of an allocation whose time has come.
    """

    load_driver: Callable[[Settings, Record], Driver]
    apply_due_event: Callable[[Session, Record], Record]
    allocate: Callable[[Session, Record], None]


@dataclass(slots=True)
class Session:
    """The session of a request.

    :param store: where transactions come from.
    :param tx: the request's transaction.
    :param script: delays and failures set by tests; without one, the settings decide.
    :param locked: nodes, by ``id``, that the request has locked.
    :param timeless: whether nothing that was read may change when time passes.
    :param keeps_changes: whether what was done stays even if the request fails.
    :param has_more: whether there is work left to do once the request is answered.
    :param applied: nodes, by ``id``, of which a due event was applied in this transaction.
    :param conductors_alive: the names of the conductors that aren't down, once they were asked for.
    :param allocating: whether nodes are being looked for, for the allocations that are due.
    """

    store: Store
    tx: Transaction
    clock: Clock
    settings: Settings
    dialect: Dialect
    conductor: Conductor
    script: Script | None = None
    locked: set[int] = field(default_factory=set)
    timeless: bool = True
    keeps_changes: bool = False
    has_more: bool = False
    conductors_alive: frozenset[str] | None = None
    allocating: bool = False
    applied: set[int] = field(default_factory=set)
