"""Which provision states nodes have been in, and since when."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.baremetal.tables import node_states

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record, Transaction

#: The number of changes that are kept.
MOST = 20_000
#: After how many changes the oldest ones are removed.
_OFTEN = 500


def note(session: Session, node: Record, old: str | None, new: str | None) -> None:
    """Note that a node has changed its provision state, in the transaction in which it does.

    :param node: the node with its new values.
    :param old: its state before; ``None`` for a new node.
    :param new: its state now; ``None`` for a node that is removed.
    """
    ident = session.tx.insert(
        node_states,
        {
            "uuid": node["uuid"],
            "name": node["name"],
            "moment": session.clock.seconds(),
            "real_time": time.time(),
            "old_state": old,
            "new_state": new,
            "target_state": node["target_provision_state"],
            "last_error": node["last_error"],
        },
    )
    if ident % _OFTEN == 0:
        session.tx.delete(node_states, node_states.c.id <= ident - MOST)


def fetch(tx: Transaction) -> list[Record]:
    """Return all changes that are kept, in their order."""
    kept = sa.select(node_states).order_by(node_states.c.moment, node_states.c.id)
    return tx.all(kept.where(node_states.c.id > _newest(tx) - MOST))


def _newest(tx: Transaction) -> int:
    return tx.scalar(sa.select(sa.func.max(node_states.c.id))) or 0
