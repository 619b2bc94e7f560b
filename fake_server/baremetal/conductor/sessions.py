"""Sessions, with the hardware interfaces of the drivers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.dialects import DIALECTS
from fake_server.baremetal.drivers import registry
from fake_server.baremetal.session import Session

if TYPE_CHECKING:
    from fake_server.common.lab import Lab
    from fake_server.db.store import Transaction


def open_session(lab: Lab, tx: Transaction) -> Session:
    """Return the session of a transaction."""
    dialect = DIALECTS[lab.settings.dialect]
    return Session(
        lab.store, tx, lab.clock, lab.settings, dialect, registry.load, lab.fault_injection
    )
