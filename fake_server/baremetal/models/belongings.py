"""What belongs to a node: rows that are shown with the UUID of their node."""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa

from ...store import Record
from ..session import Session
from ..tables import nodes
from . import paging


@cache
def select(table: sa.Table) -> sa.Select[Any]:
    """Return the query for all rows of a table, with ``node_uuid`` beside its columns."""
    return sa.select(table, nodes.c.uuid.label("node_uuid")).join(
        nodes, nodes.c.id == table.c.node_id, isouter=True
    )


def find(session: Session, table: sa.Table, **match: Any) -> Record | None:
    """Return the row with these values and its ``node_uuid``, or ``None``."""
    conditions = [table.c[key] == value for key, value in match.items()]
    return session.tx.first(select(table).where(*conditions))


def fetch(session: Session, table: sa.Table, page: paging.Page, *conditions: Any) -> list[Record]:
    """Return a page of the rows that meet all conditions."""
    return paging.fetch(session, table, select(table).where(*conditions), page)
