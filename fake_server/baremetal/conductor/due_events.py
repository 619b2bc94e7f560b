"""What is due at nodes and allocations: work, periodic tasks, and the search for a node.

Time is data: what takes time is stored with the moment when it is due. The handler of the same name
around all requests has it applied; models read what is stored.
"""

from __future__ import annotations

import math
import time
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa

from fake_server.baremetal import periodic
from fake_server.baremetal.conductor import allocations, console, periodic_tasks, work
from fake_server.baremetal.conductor.sessions import open_session
from fake_server.baremetal.models import conductors
from fake_server.baremetal.tables import allocations as allocations_table
from fake_server.baremetal.tables import nodes
from fake_server.baremetal.task.outgoing_calls import CALLING
from fake_server.db.queries import Query
from fake_server.db.store import run_with_retries

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.baremetal.session import Session
    from fake_server.common.lab import Lab
    from fake_server.db.store import Record, Transaction

#: How often an event is tried that conflicts with what others do, and for how many seconds.
_TURNS = 100
_SECONDS = 10.0
_MOMENTS = (nodes.c.due_at, nodes.c.looked_at, allocations_table.c.due_at)


# Each is found by its index, which is not so for all in one query.
_NEXT = Query(
    sa.select(
        *(
            sa.select(sa.func.min(moment))
            .where(moment >= sa.bindparam("since"))
            .scalar_subquery()
            .label(f"{moment.table}_{moment.name}")
            for moment in _MOMENTS
        )
    )
)
_AT = tuple(
    (
        table,
        Query(
            sa.select(table)
            .where(sa.or_(*(moment == sa.bindparam("moment") for moment in moments)))
            .order_by(table.c.id)
        ),
    )
    for table, moments in ((nodes, _MOMENTS[:2]), (allocations_table, _MOMENTS[2:]))
)
#: Before all that is due.
_BEGINNING = -1.0
# What only happens if nothing else does.
_LAST_RESORTS = (periodic.TIMEOUT_WORK, console.WORK)


class _Event(NamedTuple):
    """An event that is due.

    :param moment: since when, in seconds since the epoch.
    :param table: that of its row: nodes or allocations.
    :param apply: gets a session and the row.
    """

    moment: float
    table: sa.Table
    row: int
    apply: Callable[[Session, Record], None]


def next_moment(tx: Transaction, since: float = _BEGINNING) -> float | None:
    """Return when something is due next, in seconds since the epoch, if anything is.

    :param since: what is due before doesn't count.
    """
    found = tx.ask(_NEXT, since=since)[0].values()
    return min((at for at in found if at is not None), default=None)


def next_transition(tx: Transaction) -> float | None:
    """Return what :func:`next_moment` does, without time limits and periodic tasks."""
    work = nodes.c.due_event["work"].as_string()
    of_nodes = sa.select(sa.func.min(nodes.c.due_at)).where(work.not_in(_LAST_RESORTS))
    of_allocations = sa.select(sa.func.min(allocations_table.c.due_at))
    found = [tx.scalar(query) for query in (of_nodes, of_allocations)]
    return min((at for at in found if at is not None), default=None)


def apply(lab: Lab) -> None:
    """Apply what is due in the order of time, each event in a transaction of its own.

    What follows from an event is applied as well if it is due by now.

    :raises ConflictError: if others keep changing the same rows.
    """
    moment = _BEGINNING
    while found := lab.store.run(partial(_next, lab, moment), write=False):
        moment, events = found
        for event in events:
            once = partial(_apply, lab, event)
            run_with_retries(once, turns=_TURNS, seconds=_SECONDS)
        if not events:
            # What is due without a conductor stays so.
            moment = math.nextafter(moment, math.inf)


def _next(lab: Lab, since: float, tx: Transaction) -> tuple[float, list[_Event]] | None:
    """Return the next moment at which something is due by now, and what is."""
    session = open_session(lab, tx)
    moment = next_moment(tx, since)
    if moment is None or moment > session.clock.seconds():
        return None
    rows = ((table, row) for table, query in _AT for row in tx.ask(query, moment=moment))
    return moment, [event for table, row in rows for event in _of_row(session, table, row)]


def _apply(lab: Lab, event: _Event) -> None:
    with lab.store.transaction() as tx:
        session = open_session(lab, tx)
        row = tx.get(event.table, id=event.row)
        # Another process may have been faster.
        if row is not None and event in _of_row(session, event.table, row):
            event.apply(session, row)


def _of_row(session: Session, table: sa.Table, row: Record) -> list[_Event]:
    """Return what is due first at a node or an allocation; either needs a conductor."""
    now = session.clock.seconds()
    if table is allocations_table:
        at = row["due_at"]
        if at is None or at > now or not conductors.alive(session):
            return []
        return [_Event(at, table, row["id"], allocations.apply_due)]
    # Whoever makes an outgoing call stores what comes of it.
    calling = (row["due_event"] or {}).get(CALLING, 0) > time.time()
    found = [
        _Event(at, table, row["id"], function)
        for at, function in (
            (None if calling else row["due_at"], work.apply_due),
            (row["looked_at"], periodic_tasks.apply_due),
        )
        if at is not None and at <= now
    ]
    has_conductor = found and (
        row["reservation"] in conductors.alive(session)
        or conductors.host_of(session, row) is not None
    )
    return [min(found, key=itemgetter(0))] if has_conductor else []
