"""The session of a request: its transaction, the clock and the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fake_server.baremetal.dialects import DIALECTS

if TYPE_CHECKING:
    from fake_server.baremetal.dialects import Dialect
    from fake_server.clock import Clock
    from fake_server.common.lab import FaultInjection, Lab
    from fake_server.db.store import Store, Transaction
    from fake_server.settings import Settings


@dataclass(slots=True)
class Session:
    """The session of a request.

    :param store: where transactions come from.
    :param tx: the request's transaction.
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
    fault_injection: FaultInjection
    locked: set[int] = field(default_factory=set)
    keeps_changes: bool = False
    conductors_alive: frozenset[str] | None = None


def open_session(lab: Lab, tx: Transaction) -> Session:
    """Return the session of a transaction."""
    dialect = DIALECTS[lab.settings.dialect]
    return Session(lab.store, tx, lab.clock, lab.settings, dialect, lab.fault_injection)
