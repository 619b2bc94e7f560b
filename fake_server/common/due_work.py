"""What happens later: rows of one table, which whoever looks next applies in the order of time.

A row says what comes due (its kind), at which thing, when, and with which arguments. A thing has as
many rows as are pending there; what a request adds pushes none of the others out. The rows belong
to the database like all others, so snapshots have them, and every process sees the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import sqlalchemy as sa

from fake_server.db.queries import Change, Query
from fake_server.db.schema import metadata

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from fake_server.common.lab import Lab
    from fake_server.db.store import Record, Transaction

due_work = sa.Table(
    "due_work",
    metadata,
    # Also the order of what is due at the same moment: a number is never used again.
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(64), nullable=False),
    # What it happens to: a kind of resource and the identifier, as "nodes/<UUID>".
    sa.Column("thing", sa.String(255), nullable=False, index=True),
    # In seconds since the epoch.
    sa.Column("due_at", sa.Double, nullable=False),
    sa.Column("arguments", sa.JSON, nullable=False),
    # Another thing: a change of it makes this due at once.
    sa.Column("watches", sa.String(255), index=True),
    # The results of the calls to agents and web services that it has made so far, and until when
    # one counts as running, by the clock of the system.
    sa.Column("outcomes", sa.JSON, nullable=False),
    sa.Column("calling_until", sa.Double),
    sa.Index("ix_due_work_order", "due_at", "id"),
    sqlite_autoincrement=True,
)

#: Whether the clock jumps to a kind of work when a client waits: to what comes first, to what comes
#: only if nothing else does, or never, as to time limits.
Jump = Literal["first", "last", "never"]


class Kind(Protocol):
    """What the rows of one kind do."""

    @property
    def name(self) -> str:
        """What the rows call it."""

    @property
    def jump(self) -> Jump:
        """Whether the clock jumps to it when a client waits."""

    def apply(self, lab: Lab, row: Record) -> bool:
        """Do what is due, in a transaction that takes the row, unless another process did.

        :returns: ``False`` if it can't be done now; the row and others of the thing stay then.
        """


class Place(NamedTuple):
    """A place in the order of what is due.

    :param due_at: in seconds since the epoch.
    """

    due_at: float
    id: int


#: Before all that is due.
BEGINNING = Place(-1.0, 0)

_IN_ORDER = (due_work.c.due_at, due_work.c.id)
_FIRST_MOMENT = Query(sa.select(sa.func.min(due_work.c.due_at).label("first")))
_NEXT = Query(
    sa.select(due_work)
    .where(
        due_work.c.due_at >= sa.bindparam("since"),
        due_work.c.due_at <= sa.bindparam("now"),
        sa.or_(due_work.c.due_at > sa.bindparam("since"), due_work.c.id > sa.bindparam("after")),
    )
    .order_by(*_IN_ORDER)
    .limit(1)
)
_PENDING = Query(
    sa.select(due_work).where(due_work.c.thing == sa.bindparam("thing")).order_by(*_IN_ORDER)
)
_WAKE = Change(
    sa.update(due_work)
    .where(
        due_work.c.watches == sa.bindparam("thing"),
        due_work.c.due_at > sa.bindparam("now"),
    )
    .values(due_at=sa.bindparam("now"))
)
_KINDS = Query(sa.select(due_work.c.kind).distinct())


def thing(collection: str, ident: str) -> str:
    """Return how rows name a resource, such as a node by its UUID."""
    return f"{collection}/{ident}"


def ident(of_row: Record) -> str:
    """Return the identifier of the thing that a row is about."""
    return str(of_row["thing"]).partition("/")[2]


def row(
    kind: str,
    at_thing: str,
    due_at: float,
    arguments: Mapping[str, Any] | None = None,
    *,
    watches: str | None = None,
) -> Record:
    """Return the row of work that is due at a moment, as :func:`add` stores it."""
    return {
        "kind": kind,
        "thing": at_thing,
        "due_at": due_at,
        "arguments": dict(arguments or {}),
        "watches": watches,
        "outcomes": [],
    }


def add(
    tx: Transaction,
    kind: str,
    at_thing: str,
    due_at: float,
    arguments: Mapping[str, Any] | None = None,
    *,
    watches: str | None = None,
) -> None:
    """Store work that is due at a moment.

    :param due_at: in seconds since the epoch.
    :param arguments: as JSON.
    :param watches: another thing, a change of which makes it due at once.
    """
    tx.insert(due_work, row(kind, at_thing, due_at, arguments, watches=watches))


def pending(tx: Transaction, at_thing: str, *kinds: str) -> list[Record]:
    """Return what is pending at a thing, in order; of some kinds only, if any are given."""
    found = tx.ask(_PENDING, thing=at_thing)
    return [one for one in found if one["kind"] in kinds] if kinds else found


def cancel(tx: Transaction, at_thing: str, *kinds: str) -> None:
    """Remove what is pending at a thing; of some kinds only, if any are given."""
    for one in kinds:
        tx.remove(due_work, thing=at_thing, kind=one)
    if not kinds:
        tx.remove(due_work, thing=at_thing)


def current(tx: Transaction, read: Record) -> Record | None:
    """Return a row as it is now; ``None`` if it isn't pending any more, or at another moment."""
    found = tx.get(due_work, id=read["id"])
    return found if found and found["due_at"] == read["due_at"] else None


def take(tx: Transaction, taken: Record) -> bool:
    """Remove a row whose work is being done; return ``False`` if another process has it."""
    return tx.remove(due_work, id=taken["id"]) > 0


def move(tx: Transaction, moved: Record, due_at: float) -> bool:
    """Give a row another moment; return ``False`` if another process has changed its own."""
    where = [due_work.c.id == moved["id"], due_work.c.due_at == moved["due_at"]]
    return tx.update(due_work, where, {"due_at": due_at}) > 0


def postpone(tx: Transaction, due_at: float, now: float, kinds: Collection[str] = ()) -> None:
    """Give another moment to what should have happened before now; of some kinds, if given."""
    of_kinds = [due_work.c.kind.in_(kinds)] if kinds else []
    tx.update(due_work, [due_work.c.due_at < now, *of_kinds], {"due_at": due_at})


def wake(tx: Transaction, changed: str, now: float) -> None:
    """Have what watches a thing be due now, as the thing has changed."""
    tx.change(_WAKE, thing=changed, now=now)


def first_moment(tx: Transaction) -> float | None:
    """Return when something is due first, in seconds since the epoch, if anything is."""
    first: float | None = tx.ask(_FIRST_MOMENT)[0]["first"]
    return first


def next_due(tx: Transaction, after: Place, now: float) -> Record | None:
    """Return what is due by now and comes next in the order of time.

    :param after: what comes before it in the order doesn't count.
    """
    found = tx.ask(_NEXT, since=after.due_at, after=after.id, now=now)
    return found[0] if found else None


def next_moment_of(tx: Transaction, kinds: Collection[str]) -> float | None:
    """Return when something of some kinds is due first, if anything is."""
    first = sa.select(sa.func.min(due_work.c.due_at)).where(due_work.c.kind.in_(kinds))
    found: float | None = tx.scalar(first)
    return found


def by_thing(tx: Transaction, things: Iterable[str]) -> dict[str, list[Record]]:
    """Return what is pending at many things, in order."""
    found: dict[str, list[Record]] = {}
    query = sa.select(due_work).order_by(*_IN_ORDER)
    for one in tx.among(query, due_work.c.thing, things):
        found.setdefault(one["thing"], []).append(one)
    return found


def kinds_stored(tx: Transaction) -> set[str]:
    """Return the kinds of all that is pending."""
    return {one["kind"] for one in tx.ask(_KINDS)}
