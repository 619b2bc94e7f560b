"""The rows of the controls."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.tables import nodes
from fake_server.common import randomness
from fake_server.control.tables import faults, state
from fake_server.db.queries import Change, Query
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction

_ROW = 1
_STATE = Query(sa.select(state))
_SAME_NODE = Query(
    sa.select(nodes.c.id).where(
        sa.or_(
            sa.and_(nodes.c.uuid == sa.bindparam("one"), nodes.c.name == sa.bindparam("other")),
            sa.and_(nodes.c.name == sa.bindparam("one"), nodes.c.uuid == sa.bindparam("other")),
        )
    )
)


def ensure(tx: Transaction) -> None:
    """Make the one row of the state unless it is there."""
    if tx.get(state, id=_ROW) is None:
        try:
            row: Record = {"id": _ROW, "revision": 1, "clock": None, "delays": {}}
            tx.insert(state, {**row, "seed": randomness.below(2**31)})
        except DuplicateError:
            return  # another process was faster


def read(tx: Transaction) -> Record:
    """Return the state."""
    return tx.ask(_STATE)[0]


def write(tx: Transaction, **values: Any) -> None:
    """Change the state, and give it a new revision."""
    tx.change(_written(*values), **values)


def faults_in_order(tx: Transaction) -> list[Record]:
    """Return all faults, the oldest first."""
    return tx.rows(faults, "id")


def next_end_of_fault(tx: Transaction, now: float) -> float | None:
    """Return when the next fault will end, in seconds since the epoch, if one will."""
    end: float | None = tx.scalar(
        sa.select(sa.func.min(faults.c.until)).where(faults.c.until > now)
    )
    return end


def add_fault(tx: Transaction, values: Mapping[str, Any]) -> int:
    """Store a fault and return its id."""
    return tx.insert(faults, {**values, "seen": 0, "done": 0})


def remove_faults(tx: Transaction, ident: int | None = None) -> int:
    """Remove one fault, or all; return how many there were."""
    return tx.remove(faults, **({} if ident is None else {"id": ident}))


def count_seen(tx: Transaction, ident: int, *, done: bool = False) -> bool:
    """Count a request that matches a fault; return whether the fault is still in force.

    :param done: whether the request goes wrong, too.
    """
    left = sa.or_(faults.c.times.is_(None), faults.c.done < faults.c.times)
    changes = {"seen": faults.c.seen + 1, **({"done": faults.c.done + 1} if done else {})}
    return bool(tx.update(faults, [faults.c.id == ident, left], changes))


def get_fault(tx: Transaction, ident: int) -> Record:
    """Return a fault."""
    return tx.rows(faults, "id", id=ident)[0]


def count_done(tx: Transaction, ident: int) -> bool:
    """Count a request to which a fault was applied; return whether the fault still exists."""
    return bool(tx.update(faults, [faults.c.id == ident], {"done": faults.c.done + 1}))


def is_same_node(tx: Transaction, one: str, other: str) -> bool:
    """Return whether one is the name, and the other the UUID, of the same node."""
    return bool(tx.ask(_SAME_NODE, one=one, other=other))


@cache
def _written(*columns: str) -> Change:
    changed = sa.update(state).where(state.c.id == _ROW)
    return Change(changed.values(revision=state.c.revision + 1), columns)
