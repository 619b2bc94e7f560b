"""Rows of all kinds: plain objects, found by a few columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common import randomness
from fake_server.networking.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

    #: Returns the physical networks of the ports of each node by its UUID.
    Hosts = Callable[[Transaction], Mapping[str, Collection[str]]]

#: Columns by which rows are found.
COLUMNS = ("id", "name", "network_id", "device_id")


@dataclass(frozen=True, slots=True)
class NetworkingSession:
    """The session of models: a transaction and the time.

    :param hosts: returns the nodes that have agents.
    :param shares_flat: whether several flat networks can be of one physical network.
    :param is_admin: whether the client sees and changes what belongs to all projects.
    """

    tx: Transaction
    clock: Clock
    hosts: Hosts
    shares_flat: bool = False
    is_admin: bool = True

    def moment(self) -> str:
        """Return the time as the API shows it."""
        return f"{self.clock.now():%Y-%m-%dT%H:%M:%SZ}"


def add(
    session: NetworkingSession, kind: str, values: Mapping[str, Any], *, revision: int = 0
) -> Record:
    """Add an item of a kind such as ``ports`` and return it."""
    moment = session.moment()
    item: Record = {
        "id": randomness.uuid(),
        **values,
        "tags": [],
        "created_at": moment,
        "updated_at": moment,
        "revision_number": revision,
    }
    session.tx.insert(KINDS[kind].table, _row(kind, item))
    return item


def find(session: NetworkingSession, kind: str, ident: str) -> Record | None:
    """Return something by its id, or ``None``."""
    row = session.tx.get(KINDS[kind].table, id=ident)
    return None if row is None else row["values"]


def need(session: NetworkingSession, kind: str, ident: str) -> Record:
    """Return something by its id; raise NotFound if there is no such thing."""
    item = find(session, kind, ident)
    if item is None:
        raise KINDS[kind].missing(ident)
    return item


def fetch(session: NetworkingSession, kind: str, **match: Sequence[str]) -> list[Record]:
    """Return items, those added first come first.

    :param match: acceptable values by column.
    """
    table = KINDS[kind].table
    # Prepared where it can be: such a query is made three times as fast.
    if all(len(wanted) == 1 for wanted in match.values()):
        same = {column: wanted[0] for column, wanted in match.items()}
        return [row["values"] for row in session.tx.rows(table, "number", **same)]
    where = [table.c[column].in_(wanted) for column, wanted in match.items()]
    query = sa.select(table.c["values"]).where(*where).order_by(table.c.number)
    return [row["values"] for row in session.tx.all(query)]


def save(
    session: NetworkingSession,
    kind: str,
    item: Record,
    changes: Mapping[str, Any],
    *,
    bump: bool = True,
) -> Record:
    """Change an item and return it; it has a new revision unless nothing changes.

    :param bump: whether these changes make a revision.
    """
    if all(name in item and item[name] == value for name, value in changes.items()):
        return item
    changed = {**item, **changes, "updated_at": session.moment()}
    changed["revision_number"] += bump
    table = KINDS[kind].table
    session.tx.update_row(table, item["id"], _row(kind, changed))
    return changed


def revise(
    session: NetworkingSession, kind: str, item: Record, changes: Mapping[str, Any]
) -> Record:
    """Change an item and return it; it has a new revision even if nothing changes."""
    revision = item["revision_number"] + 1
    return save(session, kind, item, {**changes, "revision_number": revision}, bump=False)


def touch(session: NetworkingSession, kind: str, ident: str) -> None:
    """Give an item a new revision, because something that belongs to it changed."""
    item = find(session, kind, ident)
    if item is not None:
        revise(session, kind, item, {})


def remove(session: NetworkingSession, kind: str, ident: str) -> None:
    """Remove an item."""
    table = KINDS[kind].table
    session.tx.remove(table, id=ident)


def _row(kind: str, item: Record) -> Record:
    columns = (*COLUMNS, *KINDS[kind].columns)
    return {**{column: item.get(column) for column in columns}, "values": item}
