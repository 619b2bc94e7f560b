"""The search for the node of an allocation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.conductor import allocations
from fake_server.baremetal.models import allocations as models
from fake_server.baremetal.models import conductors
from fake_server.baremetal.session import open_session
from fake_server.common import due_work

if TYPE_CHECKING:
    from fake_server.common.due_work import Jump
    from fake_server.common.lab import Lab
    from fake_server.db.store import Record


class Search:
    """The search, which any conductor makes."""

    name = models.SEARCH
    jump: Jump = "first"

    def apply(self, lab: Lab, row: Record) -> bool:
        """Look for a node, unless another process did; return ``False`` without a conductor."""
        with lab.store.transaction() as tx:
            allocation = tx.get(models.ALLOCATIONS.table, uuid=due_work.ident(row))
            if due_work.current(tx, row) is None or allocation is None:
                return True
            session = open_session(lab, tx)
            if not conductors.alive(session):
                return False
            if due_work.take(tx, row):
                allocations.allocate(session, allocation, row["arguments"]["attempts"])
        return True


KIND = Search()
