"""The session of a request: its transaction, the clock and the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.baremetal.dialects import Dialect
    from fake_server.clock import Clock
    from fake_server.common.lab import FaultInjection
    from fake_server.db.store import Record, Store, Transaction
    from fake_server.settings import Settings


@dataclass(slots=True)
class Session:
    """The session of a request.

    :param store: where transactions come from.
    :param tx: the request's transaction.
    :param load_driver: returns the hardware interfaces of a node, which are described above this.
    :param fault_injection: delays and failures set by tests.
    :param locked: nodes, by ``id``, that the request has locked.
    :param keeps_changes: whether what was done stays even if the request fails.
    :param conductors_alive: the names of the conductors that aren't down, once they were asked for.
    """

    store: Store
    tx: Transaction
    clock: Clock
    settings: Settings
    dialect: Dialect
    load_driver: Callable[[Settings, Record], Any]
    fault_injection: FaultInjection
    locked: set[int] = field(default_factory=set)
    keeps_changes: bool = False
    conductors_alive: frozenset[str] | None = None
