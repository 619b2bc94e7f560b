"""Pages of a table: filters, order and the place to go on from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.baremetal.tables import allocations, nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

#: Columns that only Ironic's tables have, the same in every row.
_CONSTANT = frozenset({"version"})
_CONSTANT_OF_AFFINED = _CONSTANT | {"conductor_affinity"}


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list.

    :param limit: number of rows at most.
    :param marker: the row after which the page starts.
    :param sort_key: column; rows that are equal in it stand in the order of their ``id``.
    :param sort_dir: ``asc`` or ``desc``, for both.
    """

    limit: int
    marker: Record | None = None
    sort_key: str = "id"
    sort_dir: str = "asc"


def fetch(session: Session, table: sa.Table, statement: sa.Select[Any], page: Page) -> list[Record]:
    """Return one page of what a query selects.

    :param table: table with the columns to sort by.

    A marker whose value is null in the sort key goes by its ``id`` alone, as Ironic has it.

    :raises InvalidParameterValue: for a sort key that isn't a column.
    """
    keys = _order(table, page.sort_key)
    columns = [table.c[key] for key in keys]
    descending = page.sort_dir == "desc"
    order = [session.tx.ordered(column, descending=descending) for column in columns]
    statement = statement.order_by(*order)
    if page.marker is not None:
        statement = statement.where(_after(columns, page.marker, descending))
    return session.tx.all(statement.limit(page.limit))


def _order(table: sa.Table, sort_key: str) -> list[str]:
    constant = _CONSTANT_OF_AFFINED if table in (nodes, allocations) else _CONSTANT
    if not sort_key or sort_key == "id" or sort_key in constant:
        return ["id"]
    if sort_key not in table.c:
        raise InvalidParameterValue(
            f'The sort_key value "{sort_key}" is an invalid field for sorting'
        )
    return [sort_key, "id"]


def _after(columns: Sequence[Any], marker: Record, descending: bool) -> Any:
    """Return the condition for rows behind a marker: greater in one column, equal before it."""
    conditions = []
    equal: list[Any] = []
    for column in columns:
        value = marker[column.name]
        if value is None:
            continue
        ordered = column
        if isinstance(column.type, sa.Boolean):
            ordered, value = sa.cast(column, sa.Integer), int(value)
        beyond = ordered < value if descending else ordered > value
        conditions.append(sa.and_(*equal, beyond))
        equal.append(ordered == value)
    return sa.or_(*conditions)
