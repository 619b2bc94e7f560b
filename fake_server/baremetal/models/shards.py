"""Shards: how many nodes each has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.baremetal.tables import nodes

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session


def count(session: Session) -> list[tuple[str | None, int]]:
    """Return shards and their numbers of nodes, the largest first.

    Nodes without a shard are counted as those of ``None``.
    """
    query = sa.select(nodes.c.shard, sa.func.count(nodes.c.id).label("count"))
    rows = session.tx.all(query.group_by(nodes.c.shard))
    found = [(row["shard"], row["count"]) for row in rows]
    return sorted(sorted(found, key=lambda item: item[0] or ""), key=lambda item: -item[1])
