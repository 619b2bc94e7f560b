"""Host aggregates, and the availability zones that they make of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict, NotFound
from fake_server.compute.session import reader, writer
from fake_server.compute.tables import aggregates
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction

ZONE_KEY = "availability_zone"
#: The zone of hosts that no aggregate puts in another one.
DEFAULT_ZONE = "nova"


@reader
def get(tx: Transaction, number: int) -> Record:
    """Return an aggregate; raise NotFound without one."""
    row = tx.get(aggregates, number=number)
    if row is None:
        raise NotFound(f"Aggregate {number} could not be found.")
    return row


@reader
def get_all(tx: Transaction) -> list[Record]:
    """Return all aggregates."""
    return tx.rows(aggregates, "number")


@reader
def zone_of(tx: Transaction, host: str) -> str:
    """Return the availability zone of a host."""
    found = [row["metadata"].get(ZONE_KEY) for row in get_all(tx) if host in row["hosts"]]
    return next((zone for zone in found if zone), DEFAULT_ZONE)


@writer
def create(tx: Transaction, values: Mapping[str, Any]) -> Record:
    """Create an aggregate; raise Conflict if its name is taken."""
    try:
        return get(tx, tx.insert(aggregates, values))
    except DuplicateError:
        raise _taken(values["name"]) from None


@writer
def update(tx: Transaction, aggregate: Record, changes: Mapping[str, Any]) -> Record:
    """Change an aggregate and return it; raise Conflict if its name is taken."""
    try:
        tx.update_row(aggregates, aggregate["id"], changes)
    except DuplicateError:
        raise _taken(changes["name"]) from None
    return {**aggregate, **changes}


@writer
def destroy(tx: Transaction, aggregate: Record) -> None:
    """Remove an aggregate."""
    tx.delete(aggregates, aggregates.c.id == aggregate["id"])


def _taken(name: str) -> Conflict:
    return Conflict(f"Aggregate {name} already exists.")
