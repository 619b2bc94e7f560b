"""Bulk inserts: store seeds of any size.

Rows are those of a table's columns, as :class:`~fake_server.db.store.Transaction` takes them, and
go in as they are: nothing checks what the API would. Give nodes their ``id`` with :func:`next_id`
and use it in the rows that belong to them.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.db.queries import Query

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.db.store import Record, Transaction

#: Rows that go in at once: of more, the copies that are made on the way take megabytes.
_PIECE = 100


def insert(tx: Transaction, table: sa.Table, rows: Iterable[Record]) -> int:
    """Add rows, some at a time, so that they needn't all exist at once.

    :param rows: all with the same columns.
    :returns: how many there were.
    :raises DuplicateError: if a row isn't unique.
    """
    left = iter(rows)
    number = 0
    while piece := list(islice(left, _PIECE)):
        tx.insert_many(table, piece)
        number += len(piece)
    return number


def next_id(tx: Transaction, table: sa.Table) -> int:
    """Return the first ``id`` that is free behind all others."""
    return int(tx.ask(_highest(table))[0]["id"] or 0) + 1


@cache
def _highest(table: sa.Table) -> Query:
    return Query(sa.select(sa.func.max(table.c.id).label("id")))
