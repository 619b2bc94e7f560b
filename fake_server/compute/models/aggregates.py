"""Host aggregates, and the availability zones that they make of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.formats import is_uuid
from fake_server.common.resources.rows import Rows
from fake_server.compute.session import reader
from fake_server.compute.tables import aggregates

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

ZONE_KEY = "availability_zone"
#: The zone of hosts that no aggregate puts in another one.
DEFAULT_ZONE = "nova"


class AggregateRows(Rows):
    """The rows of the aggregates, which the API knows by their numbers."""

    def find(self, tx: Transaction, ident: str, project_id: str | None = None) -> Record:
        """Return an aggregate by its UUID or number; raise NotFound without one."""
        key = {"id": ident} if is_uuid(ident) else {"number": int(ident)}
        row = tx.get(self.table, **key)
        if row is None:
            raise self.missing(ident)
        return row


ROWS = AggregateRows(
    aggregates, "Aggregate {} could not be found.", "Aggregate {name} already exists."
)
#: Returns all aggregates.
get_all = reader(ROWS.fetch)


@reader
def zone_of(tx: Transaction, host: str) -> str:
    """Return the availability zone of a host."""
    found = [row["metadata"].get(ZONE_KEY) for row in get_all(tx) if host in row["hosts"]]
    return next((zone for zone in found if zone), DEFAULT_ZONE)
