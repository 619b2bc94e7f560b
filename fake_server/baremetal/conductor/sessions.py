"""Sessions, with the hardware interfaces of the drivers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.dialects import DIALECTS
from fake_server.baremetal.drivers import registry
from fake_server.baremetal.session import FaultInjection, Session

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.db.store import Store, Transaction
    from fake_server.settings import Settings


def open_session(
    store: Store,
    tx: Transaction,
    clock: Clock,
    settings: Settings,
    fault_injection: FaultInjection | None = None,
) -> Session:
    """Return the session of a transaction."""
    return Session(
        store, tx, clock, settings, DIALECTS[settings.dialect], registry.load, fault_injection
    )
