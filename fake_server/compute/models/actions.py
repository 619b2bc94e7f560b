"""What was asked for of servers, when, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.compute.session import reader, writer
from fake_server.compute.tables import actions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from fake_server.compute.session import Session
    from fake_server.db.store import Record, Transaction


@reader
def get_all(tx: Transaction, server_id: str) -> list[Record]:
    """Return the actions of a server, the latest first."""
    return tx.rows(actions, "number", server_id=server_id)[::-1]


@writer
def create(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Store an action from its columns, but for its id."""
    tx.insert(actions, {**values, "id": randomness.uuid()})


def finish(session: Session, server_id: str, problem: str | None = None) -> None:
    """End the actions of a server that are under way.

    :param problem: why they failed, if they did.
    """
    _finish(session, server_id, session.clock.now(), problem)


@writer
def _finish(tx: Transaction, server_id: str, now: datetime, problem: str | None) -> None:
    where = [actions.c.server_id == server_id, actions.c.finish_time.is_(None)]
    tx.update(actions, where, {"finish_time": now, "problem": problem})
