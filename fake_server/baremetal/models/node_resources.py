"""Children of nodes: rows that are shown with the UUID of their node."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.models import paging
from fake_server.baremetal.tables import nodes
from fake_server.db.queries import Query

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


@cache
def select(table: sa.Table) -> sa.Select[Any]:
    """Return the query for all rows of a table, with ``node_uuid`` beside its columns."""
    return sa.select(table, nodes.c.uuid.label("node_uuid")).join(
        nodes, nodes.c.id == table.c.node_id, isouter=True
    )


def find(session: Session, table: sa.Table, **match: Any) -> Record | None:
    """Return the row with these values and its ``node_uuid``, or ``None``."""
    rows = session.tx.ask(_match(table, *match), **match)
    return rows[0] if rows else None


@cache
def _match(table: sa.Table, *names: str) -> Query:
    conditions = [table.c[name] == sa.bindparam(name) for name in names]
    return Query(select(table).where(*conditions))


def fetch(session: Session, table: sa.Table, page: paging.Page, *conditions: Any) -> list[Record]:
    """Return a page of the rows that meet all conditions."""
    return paging.fetch(session, table, select(table).where(*conditions), page)


def of_nodes(
    table: sa.Table,
    *,
    node_id: int | None = None,
    shards: Sequence[str] | None = None,
    conductor_groups: Sequence[str] | None = None,
    project: str | None = None,
) -> list[Any]:
    """Return the conditions for rows of a table whose nodes meet all that is given."""
    conditions = of_project(project)
    if node_id is not None:
        conditions.append(table.c.node_id == node_id)
    if shards:
        conditions.append(nodes.c.shard.in_(shards))
    if conductor_groups:
        conditions.append(nodes.c.conductor_group.in_(conductor_groups))
    return conditions


def of_project(project: str | None) -> list[Any]:
    """Return the conditions for what belongs to nodes that a project owns or leases.

    :param project: none for all.
    """
    if project is None:
        return []
    return [sa.or_(nodes.c.owner == project, nodes.c.lessee == project)]


def as_document(table: sa.Table, row: Record) -> dict[str, Any]:
    """Return a row as a document that a patch applies to: objects are never null."""
    return {
        column.name: (row[column.name] or {})
        if isinstance(column.type, sa.JSON)
        else row[column.name]
        for column in table.columns
    }


def changes(table: sa.Table, before: Record, after: Record, names: Iterable[str]) -> dict[str, Any]:
    """Return the columns that a patch has changed, with their new values.

    :param before: the document that was patched; see :func:`as_document`.
    :param after: the patched document; a removed field is null or an empty object.
    :param names: the columns that count.
    """
    changed = {}
    for name in names:
        value = after.get(name)
        if value is None and isinstance(table.c[name].type, sa.JSON):
            value = {}
        if value != before[name]:
            changed[name] = value
    return changed
