"""Conductors that stop and start, and the effects on their nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.baremetal import periodic, states
from fake_server.baremetal.conductor.task import Task
from fake_server.baremetal.conductor.work import WORK
from fake_server.baremetal.models import allocations as allocation_models
from fake_server.baremetal.models import conductors
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.tables import nodes
from fake_server.baremetal.task import history
from fake_server.common import due_work

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

#: States that no conductor can go on from once the one that worked is gone.
_STUCK = (
    states.DEPLOYING,
    states.CLEANING,
    states.VERIFYING,
    states.INSPECTING,
    states.ADOPTING,
    states.RESCUING,
    states.UNRESCUING,
    states.DELETING,
    states.SERVICING,
)


def take_down(session: Session, hostname: str) -> None:
    """End a conductor as if its process had died some time ago.

    What it was doing isn't done. Its nodes stay locked until another conductor of their group looks
    after them, or it comes back.
    """
    check = session.settings.periodic[periodic.CHECK]
    allocation_models.orphan(session, hostname)
    conductors.set_down(session, hostname)
    for node in _nodes(session, nodes.c.reservation == hostname):
        task = Task(session, node)
        task.cancel_due(*WORK)
        if check:
            task.make_due(periodic.TAKE_OVER, check)


def bring_up(session: Session, hostname: str) -> None:
    """Start a conductor that was down.

    It unlocks the nodes that it had locked, and fails what they were in the middle of.
    """
    now, check = session.clock.seconds(), session.settings.periodic[periodic.CHECK]
    # What is still due was there for no conductor.
    due_work.postpone(session.tx, now + check, now, (periodic.POWER_SYNC, periodic.TAKE_OVER))
    due_work.postpone(session.tx, now, now)
    for node in _nodes(session, nodes.c.reservation == hostname):
        NODES.update(session, node, _unlocked(node))
    conductors.set_up(session, hostname)
    stuck = sa.and_(nodes.c.reservation.is_(None), nodes.c.provision_state.in_(_STUCK))
    for node in _nodes(session, stuck):
        if conductors.host_of(session, node) == hostname:
            _fail(Task(session, node))
    allocation_models.resume(session)


def _unlocked(node: Record) -> Record:
    changes: Record = {"reservation": None}
    if node["target_power_state"] is not None:
        changes["target_power_state"] = None
        changes["last_error"] = "Pending power operation was aborted due to conductor restart"
    return changes


def _fail(task: Task) -> None:
    state = task.node["provision_state"]
    text = f"The {state} state can't be resumed by conductor {task.host}. Moving to fail state."
    history.record(task, text, "transition", error=True)
    task.process("fail")


def _nodes(session: Session, condition: sa.ColumnElement[bool]) -> list[Record]:
    order = (nodes.c.provision_updated_at, nodes.c.id)
    return session.tx.all(sa.select(nodes).where(condition).order_by(*order))
